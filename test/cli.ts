import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
export const release = join(root, '../shared/data/memfail')
export const gold = join(root, '../shared/gold/judge-dev.jsonl')

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

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'memscope-test-'))
}
