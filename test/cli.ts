import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { commandLine } from '../src/cli/command-line.js'
import type { reportError } from '../src/cli/ending.js'

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
 * The same command line, as it is built, in this process: it is read once and knows its corpora from the command before, which saves a second
 * of every command. For all whose process is not what is tested. One at a time: folder, streams and environment are those of the process.
 */
export async function memscopeHere(
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const { commandLine: play } = await built<{ commandLine: typeof commandLine }>('cli/command-line.js')
  const { reportError: fail } = await built<{ reportError: typeof reportError }>('cli/ending.js')
  const ended: Ended = { code: null, out: '', err: '' }
  const before = { cwd: process.cwd(), env: { ...process.env }, out: process.stdout.write, err: process.stderr.write }
  process.chdir(options.cwd ?? temporaryFolder())
  Object.assign(process.env, { NO_COLOR: '1' }, options.env)
  process.stdout.write = caught((text) => {
    ended.out += text
  })
  process.stderr.write = caught((text) => {
    ended.err += text
  })
  try {
    ended.code = await play(args).catch(fail)
  } finally {
    process.stdout.write = before.out
    process.stderr.write = before.err
    for (const name of Object.keys(options.env ?? {})) delete process.env[name]
    Object.assign(process.env, before.env)
    process.chdir(before.cwd)
  }
  return ended
}

/** A part of the build; `vitest.config.ts` says that it is taken as it is. */
function built<Module>(path: string): Promise<Module> {
  return import(pathToFileURL(join(root, 'dist', path)).href)
}

/** A stream's `write` that hands on what it is given, without colours, and says at once that it is through. */
function caught(take: (text: string) => void): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]) => {
    take(stripVTControlCharacters(String(chunk)))
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'memscope-test-'))
}
