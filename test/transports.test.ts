import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscope, memscopeHere, temporaryFolder } from './cli.js'
import { Toy } from './fixtures/outside/toys/toy.mjs'
import { hasMcp, NOTES_MAP, NOTES_SERVER } from './mcp-peers.js'
import { pythonFixtures, withoutPython } from './python.js'
import { HOSTILE, HOSTILE_FILE, serveFixture, TOY_FILE, TOY_MCP, TOY_PYTHON, TOY_SERVER } from './toys.js'

/** What a summary says of one system, apart from its name. */
function cellsOf(out: string, system: string): { cost?: unknown }[] {
  const { cells } = JSON.parse(out) as Summary
  return cells
    .filter((cell) => cell.system === system)
    .map(({ system: _, remarks: __, ...rest }: Summary['cells'][number] & { remarks?: unknown }) => rest)
}

describe('the same memory over every transport', () => {
  let server: Awaited<ReturnType<typeof serveFixture>>
  beforeAll(async () => {
    server = await serveFixture([TOY_SERVER])
  })
  afterAll(() => server.stop())

  it(`has the same cells${withoutPython}`, async () => {
    const specs = {
      file: TOY_FILE,
      command: `cmd:node "${TOY_SERVER}"`,
      web: server.url,
      ...(withoutPython === '' && { python: `py:${TOY_PYTHON}:Toy` }),
      ...(hasMcp && { mcp: TOY_MCP }),
    }
    const systems = Object.entries(specs).flatMap(([name, spec]) => ['--system', `${name}=${spec}`])
    const { code, out, err } = await memscopeHere(['run', '--suite', 'memfail', ...systems, '--quiet', '--json', '-'])
    expect(code, err).toBe(0)
    const [first, ...others] = Object.keys(specs).map((name) => cellsOf(out, name))
    expect(first!.length).toBeGreaterThan(10)
    for (const cells of others) expect(cells).toEqual(first)
  })

  it('is graded alike by its traces', async () => {
    const cwd = temporaryFolder()
    const settings = ['--suite', 'memfail', '--size', 'quick']
    await memscopeHere(['data', 'export', '--for-scoring', ...settings, '--out', 'questions.jsonl'], { cwd })
    let toy = new Toy()
    const traces: object[] = []
    for (const line of readFileSync(join(cwd, 'questions.jsonl'), 'utf8').trim().split('\n')) {
      const { do: what, ...asked } = JSON.parse(line)
      if (what === undefined) traces.push({ ...asked, system: 'toy', version: '1' })
      if (what === 'open') toy = new Toy()
      if (what === 'store') await toy.store(asked.conversation)
      if (what === 'dump') traces.push({ moment: asked.moment, memories: await toy.dump!() })
      if (what === 'retrieve')
        traces.push({ query: asked.query.id, memories: await toy.retrieve(asked.query, asked.k, { k: asked.k }) })
    }
    writeFileSync(join(cwd, 'traces.jsonl'), traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''))
    const scored = await memscopeHere(['score', 'traces.jsonl', '--quiet', '--json', '-'], { cwd })
    const run = await memscopeHere([
      'run',
      ...settings,
      '--k',
      '5',
      '--system',
      `toy=${TOY_FILE}`,
      '--quiet',
      '--json',
      '-',
    ])
    expect(scored.code, scored.err).toBe(0)
    const [brought, measured] = [scored.out, run.out].map((out) => cellsOf(out, 'toy').map(({ cost, ...cell }) => cell))
    expect(brought!.length).toBe(5)
    expect(brought).toEqual(measured)
  })

  it('keeps its contract', async () => {
    for (const spec of [`cmd:node "${TOY_SERVER}"`, server.url]) {
      const { code, out } = await memscopeHere(['check', spec])
      expect(out).toContain('keeps the contract')
      expect(out).toMatch(/^retrieve +\d+ calls/m)
      expect(code).toBe(0)
    }
  })

  it('is read, judged and reported when it is gone', async () => {
    const cwd = temporaryFolder()
    const own = await serveFixture([TOY_SERVER])
    const SMALL = ['--suite', 'memfail/long-hop', '--size', '4', '--k', '1,5']
    const before = await memscopeHere(['run', ...SMALL, '--system', `toy=${own.url}`, '--quiet', '--json', '-'], {
      cwd,
    })
    own.stop()
    const after = await memscopeHere(['report', 'last', '--json', '-'], { cwd })
    expect(cellsOf(after.out, 'toy')).toEqual(cellsOf(before.out, 'toy'))
    expect((await memscopeHere(['rejudge', 'last', '--judge', 'lexical', '--quiet'], { cwd })).code).toBe(0)
    const again = await memscopeHere(['run', '--resume', 'last', '--trials', '2'], { cwd })
    expect(again.err).toContain('cannot be reached')
    expect(again.code).toBe(2)
  })
})

/** Seconds: short for what never comes back, long for what is only slow. */
const limitFor = (fault: string) => (fault === 'hang' || fault === 'close' ? '3' : '100')
const SMALL = ['--suite', 'memfail/long-hop', '--size', '4', '--k', '1,5', '--quiet', '--json', '-']

const TRANSPORTS = ['file', 'piped', 'web', 'python', 'mcp'] as const

/** What is said of a memory of which everything is lost; `fine` where nothing is; absent where a transport does not know the fault. */
type Expected = Partial<Record<(typeof TRANSPORTS)[number], RegExp | 'fine'>>

const LATE = /store took longer than 3 s/
const FAULTS: Record<string, Expected> = {
  crash: {
    file: /its process ended \(code 3\) during store/,
    piped: /ended \(code 3\) during store\. Its last words: goodbye, cruel world/,
    web: /the server cannot be reached/,
    python: /ended \(code 3\) during store\. Its last words: goodbye, cruel world/,
    mcp: /ended \(code 7\) during all\. Its last words: The disk is full/,
  },
  half: { piped: /ended \(code 3\) during store/, web: /the server cannot be reached/, python: 'fine' },
  hang: { file: LATE, piped: LATE, web: LATE, python: LATE, mcp: /dump took longer than 3 s/ },
  garbage: {
    file: 'fine',
    piped: /it wrote what is no JSON: "Traceback/,
    web: /it wrote what is no JSON: "Traceback/,
    python: 'fine',
    mcp: /it said what is no JSON: <html>502/,
  },
  oversize: { piped: /more than 64 MiB/, web: /longer than 64 MiB/, python: 'fine', mcp: /more than 64 MiB/ },
  'no-utf-8': { piped: /no text in UTF-8/, web: /no text in UTF-8/, python: 'fine', mcp: /no JSON/ },
  'other-id': {
    piped: /it replied to 999999, which was not asked/,
    web: /not to what was asked/,
    mcp: /it said what was not asked for/,
  },
  error: {
    file: /the disk is full/,
    piped: /the disk is full/,
    web: /the disk is full/,
    python: /OSError: the disk is full/,
    mcp: /all: The notebook is locked/,
  },
  twice: {
    file: /holds the id "same" twice/,
    piped: /holds the id "same" twice/,
    web: /holds the id "same" twice/,
    python: /holds the id "same" twice/,
  },
  'unknown-ids': { file: 'fine', piped: 'fine', web: 'fine', python: 'fine' },
  flood: { file: 'fine', piped: 'fine', web: 'fine', python: 'fine', mcp: 'fine' },
  close: { file: 'fine', piped: 'fine', web: 'fine', python: 'fine', mcp: 'fine' },
}

/** What the fixture over MCP calls them. */
const MCP_FAULTS: Record<string, string> = {
  crash: 'crashes',
  hang: 'hangs',
  garbage: 'garbage',
  oversize: 'too-long',
  'no-utf-8': 'not-utf-8',
  'other-id': 'wrong-number',
  error: 'refuses',
  flood: 'noisy',
  close: 'stays',
}

describe.concurrent('a memory outside that does wrong', () => {
  it.each(Object.entries(FAULTS))('ends as documented, over every transport: %s', async (fault, expected) => {
    const cwd = temporaryFolder()
    const mark = `mark-${process.pid}-${fault}`
    const server = await serveFixture([HOSTILE, fault])
    const specs: Record<(typeof TRANSPORTS)[number], string | null> = {
      file: HOSTILE_FILE,
      piped: `cmd:node "${HOSTILE}" ${fault} ${mark}`,
      web: server.url,
      python: withoutPython === '' ? `py:${join(pythonFixtures, 'hostile.py')}:Hostile:fault=${fault}` : null,
      mcp: hasMcp ? `mcp[map=${NOTES_MAP}]:node "${NOTES_SERVER}" ${MCP_FAULTS[fault]} ${join(cwd, mark)}` : null,
    }
    const tried = TRANSPORTS.filter((name) => expected[name] !== undefined && specs[name] !== null)
    const systems = tried.flatMap((name) => ['--system', `${name}=${specs[name]}`])
    const args = ['run', ...systems, '--system-timeout', limitFor(fault), ...SMALL]
    const { code, out, err } = await memscope(args, { cwd, env: { FAULT: fault } })
    server.stop()
    for (const name of tried) {
      const cells = (JSON.parse(out) as Summary).cells.filter((cell) => cell.system === name)
      const isLost = expected[name] !== 'fine'
      expect([name, ...cells.map(({ errors, n }) => errors / n)]).toEqual([name, ...(isLost ? [1, 1] : [0, 0])])
      if (expected[name] instanceof RegExp) expect(err).toMatch(new RegExp(`${name} .*${expected[name].source}`))
    }
    if (fault === 'close') expect(err).toMatch(/could not be closed .*close took longer than 3 s/)
    expect(code).toBe(tried.some((name) => expected[name] !== 'fine') ? 3 : 0)
    // What a memory writes is shown harmlessly, and in bounds.
    expect(err).not.toContain('\u001b[31m')
    expect(err.length).toBeLessThan(40_000)
    await noneLeft(mark)
  })

  it.each(['crash', 'half', 'hang', 'garbage'])('begins again, and loses nothing, after one %s', async (fault) => {
    const cwd = temporaryFolder()
    const env = { FAULT_ONCE: join(cwd, 'done') }
    const spec = `piped=cmd[env=FAULT_ONCE]:node "${HOSTILE}" ${fault}`
    const { code, out, err } = await memscope(
      ['run', '--system', spec, '--system-timeout', limitFor(fault), ...SMALL],
      { cwd, env },
    )
    expect(err).toContain('piped begins memfail/long-hop again')
    expect(
      (JSON.parse(out) as Summary).cells.filter(({ system }) => system === 'piped').map(({ errors }) => errors),
    ).toEqual([0, 0])
    expect(code).toBe(0)
  })
})

it('leaves nothing behind after a hundred lives with faults at random: no process, no folder', async () => {
  const cwd = temporaryFolder()
  const temporary = temporaryFolder()
  const mark = `mark-${process.pid}-any`
  const server = await serveFixture([HOSTILE, 'any'])
  const systems = ['--system', `piped=cmd:node "${HOSTILE}" any ${mark}`, '--system', `web=${server.url}`]
  const size = [
    '--suite',
    'memfail',
    '--size',
    '2',
    '--k',
    '1',
    '--limit',
    '1',
    '--trials',
    '10',
    '--system-timeout',
    '1',
  ]
  const { code, out, err } = await memscope(['run', ...systems, ...size, '--quiet', '--json', '-'], {
    cwd,
    env: { TMPDIR: temporary },
  })
  server.stop()
  expect([0, 3], err).toContain(code)
  const lives = (JSON.parse(out) as Summary).cells.filter(({ system }) => system === 'piped' || system === 'web')
  expect(lives).toHaveLength(100)
  expect(err).toContain('again')
  await noneLeft(mark)
  expect(readdirSync(temporary)).toEqual([])
  expect(
    readdirSync(join(cwd, '.memscope/work'), { recursive: true }).filter((name) => /\//.test(String(name))),
  ).toEqual([])
})

it('is named in a config file, with what its process gets', async () => {
  const cwd = temporaryFolder()
  const system = { name: 'mine', use: `cmd:node "${TOY_SERVER}"`, env: ['MY_KEY'], options: { size: '3' } }
  writeFileSync(
    join(cwd, 'config.mjs'),
    `export default ${JSON.stringify({ system: ['bm25', system], suite: 'memfail/long-hop', size: 2, k: 1 })}`,
  )
  const { code, out, err } = await memscope(['run', 'config.mjs', '--quiet', '--json', '-'], { cwd })
  expect(code, err).toBe(0)
  expect(cellsOf(out, 'mine')).toHaveLength(1)
  const again = await memscope(['run', '--resume', 'last', '--k', '5', '--quiet', '--json', '-'], { cwd })
  expect(again.code, again.err).toBe(0)
  expect(cellsOf(again.out, 'mine')).toHaveLength(2)
  writeFileSync(join(cwd, 'wrong.mjs'), `export default { system: [{ use: './x.ts' }] }`)
  expect((await memscope(['run', 'wrong.mjs'], { cwd })).err).toContain('"use" begins with cmd:, http:, py: or mcp:')
})

describe('the environment of a memory', () => {
  it('has what every program needs and what the user named, and nothing else', async () => {
    const program = `const has=(n)=>n in process.env?'yes':'no';process.stdin.once('data',()=>{console.error(['PATH','MY_OWN','MY_KEY'].map(has).join(' '), process.env.OPENAI_API_KEY, process.env.MY_OWN);process.exit(1)})`
    const env = { MY_OWN: 'my own secret value', MY_KEY: 'x', OPENAI_API_KEY: 'sk-never-passed-on-1234567890' }
    const { err, code } = await memscope(['check', `cmd[env=MY_OWN]:node -e "${program}"`], { env })
    expect(err).toContain('yes yes no none [redacted]')
    expect(err).not.toContain('my own secret value')
    expect(code).toBe(2)
  })

  it.skipIf(!hasMcp)('is not shown in the last words of an MCP server', async () => {
    const env = { MY_OWN: 'my own secret value' }
    const program = 'console.error(process.env.MY_OWN);process.exit(1)'
    const { err, code } = await memscope(['check', `mcp[env=MY_OWN]:node -e "${program}"`], { env })
    expect(err).toContain('Its last words: [redacted]')
    expect(err).not.toContain('my own secret value')
    expect(code).toBe(2)
  })

  it('sends headers whose values stand in variables, and never shows them', async () => {
    const { createServer } = await import('node:http')
    let seen: string | undefined
    const server = createServer((request, response) => {
      seen = request.headers.authorization
      response.writeHead(401).end(`not you: ${seen}, nor ${seen?.replace('Bearer ', '')}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const env = { MY_TOKEN: 'Bearer very-secret-value' }
    const { err, code } = await memscope(['check', `http[header.Authorization=MY_TOKEN]://127.0.0.1:${port}/x`], {
      env,
    })
    server.close()
    expect(seen).toBe('Bearer very-secret-value')
    expect(err).toContain('said 401')
    expect(err).not.toContain('very-secret-value')
    expect(code).toBe(2)
  })
})

/** A process that was told to end may need a while on a busy machine. */
async function noneLeft(mark: string): Promise<void> {
  const processes = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  for (let left = 100; left > 0 && processes().includes(mark); left--) await sleep(200)
  expect(processes()).not.toContain(mark)
}
