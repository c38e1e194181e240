import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { memscope, temporaryFolder } from './cli.js'
import { STUCK, startMemscope, until, type Working } from './outside.js'

/** Seconds that a whole machine at work needs to hear of something; what is promised is one. */
const HEARD_MS = 60_000

const cwd = temporaryFolder()
let asked = 0
/** A model that never answers. */
const silent = createServer(() => asked++)

beforeAll(async () => {
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  const small = ['--suite', 'memfail/conditional-hard', '--size', '12', '--k', '1', '--quiet']
  expect((await memscope(['run', '--system', STUCK, ...small], { cwd })).code).toBe(0)
})
afterAll(() => silent.close().closeAllConnections())

/** Presses Ctrl-C, and expects words, the code 130, and an end at once. */
async function interrupted(working: Working): Promise<void> {
  const since = performance.now()
  working.child.kill('SIGINT')
  const { code, signal, at } = await working.ended
  expect([code, signal]).toEqual([130, null])
  expect(working.written()).toContain('memscope: stopped. What was kept is kept.')
  expect(at - since).toBeLessThan(HEARD_MS)
}

it('Ctrl-C ends data lint in the midst of its work', async () => {
  const lint = startMemscope(['data', 'lint', '--suite', 'meme', '--n', '100000'], cwd)
  // Nothing is told before all episodes are made, which takes minutes.
  await new Promise((resume) => setTimeout(resume, 3_000))
  await interrupted(lint)
})

it('Ctrl-C ends explain while a memory spins, and explain can be asked again', async () => {
  const working = startMemscope(['explain', 'last'], cwd, { STUCK_AT: 'store', STUCK_HOW: 'spin', STUCK_TELLS: '1' })
  await until(() => working.written().includes('stuck in store'), 'a memory that spins')
  await interrupted(working)
  const again = await memscope(['explain', 'last', '--quiet'], { cwd })
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('failed questions')])
})

it('Ctrl-C ends rejudge while a model is waited for, and report shows the run as it was', async () => {
  const { port } = silent.address() as AddressInfo
  const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1` }
  const before = await memscope(['report', 'last', '--csv', '-', '--quiet'], { cwd })
  const working = startMemscope(['rejudge', 'last', '--judge', 'llm:openai-compatible:mine'], cwd, env)
  await until(() => asked > 0, 'a call of the judge')
  await interrupted(working)
  expect(await memscope(['report', 'last', '--csv', '-', '--quiet'], { cwd })).toEqual(before)
})
