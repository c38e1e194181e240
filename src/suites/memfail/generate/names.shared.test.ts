import { existsSync, readFileSync } from 'node:fs'
import { it } from 'vitest'
import { expectFree } from '../../../../test/memfail/invented.js'

const release = new URL(
  '../../../../../shared/data/memfail/custom_persona_retrieval/persona_dataset.csv',
  import.meta.url,
)

it.skipIf(!existsSync(release))(
  'invented names cannot come out as a published one (skipped when ../shared is absent)',
  () => expectFree(readFileSync(release, 'utf8').match(/^\p{Lu}[^,\n"]*(?=,"\[)/gmu) ?? [], 20),
)
