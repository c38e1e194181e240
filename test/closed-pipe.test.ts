import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ended, memscope, root, temporaryFolder } from './cli.js'

const cwd = temporaryFolder()
const QUICK = ['--suite', 'memfail/long-hop', '--system', 'bm25', '--size', '6', '--k', '1,5']
const mute = join(root, 'test/fixtures/mute-memory.mjs')

/** Runs a command whose output nobody reads: its pipe is shut before the first byte. */
function unread(args: string[], shut: readonly ('stdout' | 'stderr')[] = ['stdout']): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let err = ''
    for (const stream of shut) child[stream].destroy()
    if (!shut.includes('stderr')) {
      child.stderr.on('data', (chunk) => {
        err += chunk
      })
    }
    child.on('close', (code) => resolve({ code, out: '', err }))
  })
}

describe('a command that nobody reads', () => {
  beforeAll(async () => {
    expect((await memscope(['run', ...QUICK, '--quiet'], { cwd })).code).toBe(0)
  })

  const commands: [code: number, ...args: string[]][] = [
    [0, '--help'],
    [0, '--version'],
    [0, 'run', '--help'],
    [0, 'systems'],
    [0, 'systems', '--json'],
    [0, 'suites'],
    [0, 'suites', '--json'],
    [0, 'models'],
    [0, 'runs'],
    [0, 'run', ...QUICK],
    [0, 'run', ...QUICK, '--json', '-'],
    [1, 'run', ...QUICK, '--fail-under', 'evidence>=1'],
    [0, 'run', '--estimate', ...QUICK],
    [0, 'report', 'last'],
    [0, 'report', 'last', '--md', '-'],
    [0, 'report', 'last', '--csv', '-'],
    [0, 'report', 'last', '--json', '-'],
    [0, 'report', 'last', '--junit', '-'],
    [0, 'explain', 'last'],
    [0, 'explain', 'last', '--json', '-'],
    [0, 'rejudge', 'last', '--judge', 'lexical'],
    [2, 'reanswer', 'last'],
    [0, 'check', 'bm25'],
    [1, 'check', mute],
    [0, 'judge', 'bill', '--size', '4'],
    [0, 'judge', 'sample', 'last', '--out', 'unread.jsonl'],
    [0, 'data', 'list'],
    [0, 'data', 'lint', '--suite', 'memfail/long-hop'],
    [0, 'data', 'generate', '--suite', 'memfail/long-hop', '--n', '100000', '--out', '-'],
    [0, 'data', 'export', '--suite', 'memora', '--n', '2', '--out', '-'],
    [2, 'data', 'lint', '--data', 'nowhere'],
  ]
  for (const [code, ...args] of commands) {
    it(`ends quietly with ${code}: memscope ${args.join(' ').replace(root, '.')}`, async () => {
      const ended = await unread(args)
      expect(ended.err).not.toMatch(/EPIPE|ECONNRESET|\n\s+at /)
      expect(ended.code).toBe(code)
    })
  }

  it('still writes the files that were asked for', async () => {
    const files = ['json', 'html', 'md', 'csv', 'junit'].map((format) => join(cwd, `unread.${format}`))
    const flags = files.flatMap((file) => [`--${file.split('.').at(-1)}`, file])
    const { code } = await unread(['run', ...QUICK, ...flags], ['stdout', 'stderr'])
    expect(code).toBe(0)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
    expect(JSON.parse(readFileSync(files[0]!, 'utf8'))).toMatchObject({ status: 'valid' })
  })

  it('keeps its code when errors cannot be told either', async () => {
    expect((await unread(['runn'], ['stdout', 'stderr'])).code).toBe(2)
  })
})
