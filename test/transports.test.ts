import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscope, temporaryFolder } from './cli.js'
import { withoutPython } from './python.js'
import { HOSTILE, serveFixture, TOY_FILE, TOY_PYTHON, TOY_SERVER } from './toys.js'

/** What a summary says of one system, apart from its name. */
function cellsOf(out: string, system: string): object[] {
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
    }
    const systems = Object.entries(specs).flatMap(([name, spec]) => ['--system', `${name}=${spec}`])
    const { code, out, err } = await memscope(['run', '--suite', 'memfail', ...systems, '--quiet', '--json', '-'])
    expect(code, err).toBe(0)
    const [first, ...others] = Object.keys(specs).map((name) => cellsOf(out, name))
    expect(first!.length).toBeGreaterThan(10)
    for (const cells of others) expect(cells).toEqual(first)
  })

  it('keeps its contract', async () => {
    for (const spec of [`cmd:node "${TOY_SERVER}"`, server.url]) {
      const { code, out } = await memscope(['check', spec])
      expect(out).toContain('keeps the contract')
      expect(out).toMatch(/^retrieve +\d+ calls/m)
      expect(code).toBe(0)
    }
  })

  it('is read, judged and reported when it is gone', async () => {
    const cwd = temporaryFolder()
    const own = await serveFixture([TOY_SERVER])
    const SMALL = ['--suite', 'memfail/long-hop', '--size', '4', '--k', '1,5']
    const before = await memscope(['run', ...SMALL, '--system', `toy=${own.url}`, '--quiet', '--json', '-'], { cwd })
    own.stop()
    const after = await memscope(['report', 'last', '--json', '-'], { cwd })
    expect(cellsOf(after.out, 'toy')).toEqual(cellsOf(before.out, 'toy'))
    expect((await memscope(['rejudge', 'last', '--judge', 'lexical', '--quiet'], { cwd })).code).toBe(0)
    const again = await memscope(['run', '--resume', 'last', '--trials', '2'], { cwd })
    expect(again.err).toContain('cannot be reached')
    expect(again.code).toBe(2)
  })
})

/** Seconds: short for what never comes back, long for what is only slow. */
const limitFor = (fault: string) => (fault === 'hang' || fault === 'close' ? '3' : '100')
const SMALL = ['--suite', 'memfail/long-hop', '--size', '4', '--k', '1,5', '--quiet', '--json', '-']

/** What comes of a fault: what is said over stdio and over HTTP, and whether every question is an error. */
const FAULTS: [fault: string, stdio: RegExp, http: RegExp, isLost: boolean][] = [
  [
    'crash',
    /ended \(code 3\) during store\. Its last words: goodbye, cruel world/,
    /the server cannot be reached/,
    true,
  ],
  ['half', /ended \(code 3\) during store/, /the server cannot be reached/, true],
  ['hang', /store took longer than 3 s/, /store took longer than 3 s/, true],
  ['garbage', /it wrote what is no JSON: "Traceback/, /it wrote what is no JSON: "Traceback/, true],
  ['oversize', /more than 64 MiB/, /longer than 64 MiB/, true],
  ['no-utf-8', /no text in UTF-8/, /no text in UTF-8/, true],
  ['other-id', /it replied to 999999, which was not asked/, /not to what was asked/, true],
  ['error', /the disk is full/, /the disk is full/, true],
  ['twice', /holds the id "same" twice/, /holds the id "same" twice/, true],
  ['unknown-ids', /^/, /^/, false],
  ['flood', /^/, /^/, false],
  ['close', /close took longer than 3 s/, /close took longer than 3 s/, false],
]

describe.concurrent('a memory behind the protocol that does wrong', () => {
  it.each(FAULTS)('ends as documented: %s', async (fault, stdio, http, isLost) => {
    const cwd = temporaryFolder()
    const mark = `mark-${process.pid}-${fault}`
    const server = await serveFixture([HOSTILE, fault])
    const specs = [`piped=cmd:node "${HOSTILE}" ${fault} ${mark}`, `web=${server.url}`]
    const args = ['run', ...specs.flatMap((spec) => ['--system', spec]), '--system-timeout', limitFor(fault), ...SMALL]
    const { code, out, err } = await memscope(args, { cwd })
    server.stop()
    for (const [system, said] of [
      ['piped', stdio],
      ['web', http],
    ] as const) {
      const cells = (JSON.parse(out) as Summary).cells.filter((cell) => cell.system === system)
      expect(cells.map(({ errors, n }) => errors / n)).toEqual(isLost ? [1, 1] : [0, 0])
      const words = err
        .split('\n')
        .filter((line) => line.includes(system))
        .join('\n')
      expect(words).toMatch(said)
    }
    expect(code).toBe(isLost ? 3 : 0)
    // What a memory writes is shown harmlessly, and in bounds.
    expect(err).not.toContain('\u001b[31m')
    expect(err.length).toBeLessThan(20_000)
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(mark)
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
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(mark)
  expect(readdirSync(temporary)).toEqual([])
  expect(
    readdirSync(join(cwd, '.memscope/work'), { recursive: true }).filter((name) => /\//.test(String(name))),
  ).toEqual([])
})

describe('the environment of a memory', () => {
  it('has what every program needs and what the user named, and nothing else', async () => {
    const program = `const has=(n)=>n in process.env?'yes':'no';process.stdin.once('data',()=>{console.error(['PATH','MY_OWN','MY_KEY'].map(has).join(' '), process.env.OPENAI_API_KEY, process.env.MY_OWN);process.exit(1)})`
    const env = { MY_OWN: 'my own secret value', MY_KEY: 'x', OPENAI_API_KEY: 'sk-never-passed-on-1234567890' }
    const { err, code } = await memscope(['check', `cmd[env=MY_OWN]:node -e "${program}"`], { env })
    expect(err).toContain('yes yes no none ***')
    expect(err).not.toContain('my own secret value')
    expect(code).toBe(2)
  })

  it('sends headers whose values stand in variables, and never shows them', async () => {
    const { createServer } = await import('node:http')
    let seen: string | undefined
    const server = createServer((request, response) => {
      seen = request.headers.authorization
      response.writeHead(401).end(`not you: ${request.headers.authorization}`)
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
