import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'memscope'
import { runJudgeConformance, runSystemConformance } from 'memscope/conformance'
import { expect, it } from 'vitest'
import ownJudge from './own-judge.js'
import ownMemory from './own-memory.js'

/* Memories and judges of one's own in one's own tests: npx vitest run */

runSystemConformance({ name: 'own-memory', definition: ownMemory, options: { roles: 'all' } })
runJudgeConformance({ name: 'own-judge', definition: ownJudge })

it('has all evidence of simple questions among five memories', async () => {
  const memory = { ...ownMemory, name: 'own-memory' }
  const home = mkdtempSync(join(tmpdir(), 'own-memory-'))
  const { summary, gate } = await run({
    suite: 'memfail/conditional-easy',
    system: memory,
    k: 5,
    limit: 10,
    home,
    failUnder: 'evidence>=0.8',
  })
  expect(summary.status).toBe('valid')
  expect(gate?.ok, gate?.message).toBe(true)
}, 60_000)
