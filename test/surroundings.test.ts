import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEntailment } from '../src/gateway/entailment/index.js'
import { root } from './cli.js'

it('readings that are kept for tests are those of the model that judges', async () => {
  const { id, close } = createEntailment({ cacheDir: join(root, 'test/cache') })
  await close()
  expect(readdirSync(join(root, 'test/cache'))).toEqual([`${id.replace('/', '-')}.vectors`])
})
