import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ended, memscope, memscopeHere, root, temporaryFolder } from './cli.js'

const fixture = (name: string) => join(root, 'test/fixtures', name)
const QUICK = ['run', '--suite', 'memfail/long-hop', '--size', '6', '--k', '5']

/** Runs a command and sends it a signal as soon as something is there. */
function signalled(
  args: string[],
  signal: NodeJS.Signals,
  cwd: string,
  when: (err: string) => boolean,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let err = ''
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    const watch = setInterval(() => {
      if (!when(err)) return
      clearInterval(watch)
      child.kill(signal)
    }, 20)
    child.on('close', (code) => {
      clearInterval(watch)
      resolve({ code, out: '', err })
    })
  })
}

describe('the exit code', () => {
  it('is 0 when all is done, and 1 when a gate fails', async () => {
    const cwd = temporaryFolder()
    expect((await memscope([...QUICK, '--system', 'bm25'], { cwd })).code).toBe(0)
    expect((await memscopeHere(['report', 'last', '--fail-under', 'evidence>=0'], { cwd })).code).toBe(0)
    expect((await memscope(['report', 'last', '--fail-under', 'evidence>=1'], { cwd })).code).toBe(1)
  })

  it('is 1 when a check fails', async () => {
    const { code, out } = await memscope(['check', fixture('mute-memory.mjs')])
    expect(out).toMatch(/FAIL.*keeps something[\s\S]*It keeps nothing/)
    expect(code).toBe(1)
  })

  it('is 2 for a mistake', async () => {
    expect((await memscope(['run', '--k', 'five'])).code).toBe(2)
  })

  it('is 3 when the run is invalid', async () => {
    const cwd = temporaryFolder()
    writeFileSync(
      join(cwd, 'broken.mjs'),
      'export default () => ({ async store() {}, async retrieve() { throw new Error("no") }, async dump() { return [] } })',
    )
    expect((await memscope([...QUICK, '--system', './broken.mjs'], { cwd })).code).toBe(3)
  })

  it('is 1 when a memory that is checked waits for what never comes', async () => {
    const { code, out } = await memscope(['check', fixture('forgotten-promise.mjs'), '--system-timeout', '2'])
    expect(out).toMatch(/store took longer than 2 s/)
    expect(code).toBe(1)
  })

  it('is 3 when a memory fails behind everybody’s back: that is no fault of ours', async () => {
    expect((await memscope([...QUICK, '--system', fixture('late-throw.mjs')])).code).toBe(3)
  })

  it('is 70 for a fault, with what to send and without keys', async () => {
    const key = 'sk-planted-0123456789abcdefghijkl'
    const cwd = temporaryFolder()
    const late =
      "setTimeout(() => { throw new TypeError('thrown in a timer, with ' + process.env.OPENAI_API_KEY) }, 300)"
    const asked = "export default { suite: 'memfail', size: 'quick', system: 'bm25' }"
    writeFileSync(join(cwd, 'late.mjs'), `${late}\n${asked}\n`)
    const { code, err } = await memscope(['run', 'late.mjs'], { cwd, env: { OPENAI_API_KEY: key } })
    expect(err).toMatch(
      /this is a fault[\s\S]*thrown in a timer[\s\S]*Memscope \d.*Node v[\s\S]*report it[\s\S]*command you typed/,
    )
    expect(err).not.toContain(key)
    expect(code).toBe(70)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('of a run that gets %s is %i, and it can go on', async (signal, expected) => {
    const cwd = temporaryFolder()
    const args = [...QUICK, '--system', fixture('slow-memory.mjs')]
    const { code, err } = await signalled(args, signal, cwd, (said) => /Run \d/.test(said))
    expect(err).toMatch(/Stopped\. Go on with: memscope run --resume/)
    expect(code).toBe(expected)
    expect((await memscopeHere(['run', '--resume', 'last', '--quiet'], { cwd })).code).toBe(0)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('of any other command that gets %s is %i, and no half of a file is left', async (signal, expected) => {
    const cwd = temporaryFolder()
    const args = ['data', 'generate', '--suite', 'memfail/persona', '--n', '100000', '--out', 'rows']
    const begun = () => readdirSync(cwd).includes('rows') && readdirSync(join(cwd, 'rows')).length > 0
    expect((await signalled(args, signal, cwd, begun)).code).toBe(expected)
    expect(readdirSync(join(cwd, 'rows'))).toEqual([])
  })

  it('is told by --help and in the documentation', async () => {
    const { out } = await memscopeHere(['--help'])
    const pages = readFileSync(join(root, 'docs/runs.md'), 'utf8')
    for (const code of ['0', '1', '2', '3', '70', '130']) {
      expect(out).toMatch(new RegExp(`^ {2}${code} +\\w`, 'm'))
      expect(pages).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'))
    }
  })
})

describe('what a process that was killed left of a file', () => {
  it('is removed when the file is written again', async () => {
    const cwd = temporaryFolder()
    await memscopeHere([...QUICK, '--system', 'bm25', '--quiet'], { cwd })
    writeFileSync(join(cwd, 'report.md.999999999.tmp'), 'half')
    expect((await memscopeHere(['report', 'last', '--quiet', '--md', 'report.md'], { cwd })).code).toBe(0)
    expect(readdirSync(cwd).filter((name) => name.startsWith('report'))).toEqual(['report.md'])
  })
})
