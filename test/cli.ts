import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export const root = join(import.meta.dirname, '..')
export const release = join(root, '../shared/data/memfail')

export interface Ended {
  code: number | null
  out: string
  err: string
}

/** Runs the real command line in a process of its own. */
export function memscope(
  args: string[],
  options: { cwd?: string; env?: Record<string, string>; interruptOn?: RegExp } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
      cwd: options.cwd ?? temporaryFolder(),
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    let interrupted = false
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
      if (!interrupted && options.interruptOn?.test(err)) interrupted = child.kill('SIGINT')
    })
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

/**
 * The same command line in this process, which starts a second sooner: for mistakes, which end before anything is opened that a process must
 * close. One at a time, for the folder and the streams are those of the whole process.
 */
export async function memscopeHere(args: string[], cwd = temporaryFolder()): Promise<Ended> {
  const { commandLine } = await import('../src/cli/command-line.js')
  const { tell } = await import('../src/cli/ending.js')
  const ended: Ended = { code: null, out: '', err: '' }
  const before = { cwd: process.cwd(), out: process.stdout.write, err: process.stderr.write }
  process.chdir(cwd)
  process.stdout.write = (text) => {
    ended.out += stripVTControlCharacters(String(text))
    return true
  }
  process.stderr.write = (text) => {
    ended.err += stripVTControlCharacters(String(text))
    return true
  }
  try {
    ended.code = await commandLine(args).catch(tell)
  } finally {
    process.stdout.write = before.out
    process.stderr.write = before.err
    process.chdir(before.cwd)
  }
  return ended
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'memscope-test-'))
}
