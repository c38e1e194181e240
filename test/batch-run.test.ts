import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actingModel } from '../bench/llm-model.js'
import { Ledger } from '../src/gateway/price/ledger.js'
import { memscopeHere, root, temporaryFolder } from './cli.js'
import { BatchServer } from './gateway/batch-server.js'
import { comparable } from './llm.js'

const SPEC = 'openai:acting'
const RUN = [
  ...['run', '--suite', 'memfail', '--system', 'bm25', '--size', '4', '--k', '2,5'],
  ...['--reader', SPEC, '--judge', `llm:${SPEC}`, '--quiet', '--json', '-', '--budget', '5'],
]

let server: BatchServer
beforeAll(async () => {
  server = await BatchServer.start(actingModel({ otherwise: 'I see, and I will remember it.' }))
})
afterAll(() => server.close())

/** A home of its own, and what is spent there. */
function place() {
  const cwd = temporaryFolder()
  const prices = join(cwd, 'prices.json')
  writeFileSync(prices, JSON.stringify({ [SPEC]: { input: 1, output: 4, maxOutput: 2000 } }))
  const env = { MEMSCOPE_OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-planted-0123456789' }
  const play = (...args: string[]) => memscopeHere([...args, '--prices', prices], { cwd, env })
  const spent = (run: string) => {
    const ledger = new Ledger(join(cwd, '.memscope/cache/spending.db'), run)
    const usd = ledger.total()
    ledger.close()
    return usd
  }
  return { cwd, env, prices, play, spent }
}

const idOf = (out: string) => (JSON.parse(out) as { run: { id: string } }).run.id

describe('a run by batch', () => {
  it('equals the run without, at half of what readers and judges cost; also after a kill', {
    timeout: 240_000,
  }, async () => {
    const plain = place()
    const without = await plain.play(...RUN)
    expect([without.code, without.err]).toEqual([0, ''])

    const batched = place()
    const by = await batched.play(...RUN, '--batch')
    expect(by.code).toBe(0)
    expect(comparable(by.out)).toEqual(comparable(without.out))
    const [full, half] = [plain.spent(idOf(without.out)), batched.spent(idOf(by.out))]
    expect(half).toBeGreaterThan(0)
    expect(half).toBeCloseTo(full / 2, 9)

    const killed = place()
    server.held = true
    const [sent, billed] = [server.batches.length, server.billed]
    const program = [join(root, 'dist/cli/main.js'), ...RUN, '--batch', '--prices', killed.prices]
    const child = spawn(process.execPath, program, {
      cwd: killed.cwd,
      env: { ...process.env, ...killed.env },
      stdio: 'ignore',
    })
    while (server.batches.length === sent) await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    server.held = false
    const resumed = await killed.play('run', '--resume', 'last', '--batch', '--quiet', '--json', '-', '--budget', '5')
    expect(resumed.code).toBe(0)
    expect(comparable(resumed.out)).toEqual(comparable(without.out))
    const lines = server.batches.slice(sent).flatMap(({ lines: all }) => all.map(({ id }) => id))
    expect([new Set(lines).size, server.billed - billed]).toEqual([lines.length, lines.length])
  })

  it('stores what the test taker replies, and says who took the test', { timeout: 120_000 }, async () => {
    const { play } = place()
    const args = [
      'run',
      '--suite',
      'memfail/coexisting:replies=model',
      '--size',
      '3',
      '--system',
      'bm25',
      '--quiet',
      '--json',
      '-',
    ]
    const { code, out } = await play(...args, '--reader', SPEC)
    expect(code).toBe(0)
    const { run, cells } = JSON.parse(out) as {
      run: { settings: Record<string, string> }
      cells: { tokens: Record<string, number> }[]
    }
    expect(run.settings['test taker']).toBe(SPEC)
    expect(run.settings.prices).toMatch(/^20\d\d-\d\d-\d\d, own prices/)
    expect(cells.some(({ tokens }) => (tokens.generate ?? 0) > 0)).toBe(true)
    const wrong = await play(...args)
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--reader')])
  })
})
