import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ended, memscopeHere, root, temporaryFolder } from './cli.js'
import { COMMANDS, QUICK } from './commands.js'

const cwd = temporaryFolder()
/** What commands find as the system's temporary folder. */
const temporary = temporaryFolder()

/** Runs a command whose output nobody reads: its pipe is shut before the first byte. */
function unread(args: string[], shut: readonly ('stdout' | 'stderr')[] = ['stdout']): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '1', TMPDIR: temporary, TEMP: temporary, TMP: temporary },
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
    expect((await memscopeHere(['run', ...QUICK, '--quiet'], { cwd })).code).toBe(0)
  })

  for (const [code, ...args] of COMMANDS) {
    it(`ends quietly with ${code} and leaves no temporary folder: memscope ${args.join(' ').replace(root, '.')}`, async () => {
      const ended = await unread(args)
      expect(ended.err).not.toMatch(/EPIPE|ECONNRESET|\n\s+at /)
      expect(ended.code).toBe(code)
      expect(readdirSync(temporary)).toEqual([])
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
