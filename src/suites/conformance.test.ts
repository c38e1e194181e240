import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suites } from '../builtins.js'
import { importData } from '../library.js'
import { runSuiteConformance } from './conformance.js'

const fixtures = fileURLToPath(new URL('../../test/fixtures/cited/', import.meta.url))
const imported = mkdtempSync(join(tmpdir(), 'own-'))
await importData({ file: join(fixtures, 'my.jsonl'), out: imported })

// What does not come with the package is checked on text of ours in the same layout.
for (const suite of suites) {
  const data = suite.name === 'own' ? imported : join(fixtures, suite.name)
  runSuiteConformance({ suite, ...(suite.release?.only !== undefined && { options: { data, size: 'paper' } }) })
}
