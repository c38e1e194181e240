// What the scripts that kill runs share.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** xorshift32: when to kill must be repeatable. */
export function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Runs `memscope run`. `arm` gets a function that kills it, and may return one that is called when it has ended. */
export function memscope(args, { arm, env = {} } = {}) {
  return new Promise((resolve) => {
    const started = performance.now()
    const child = spawn(process.execPath, [cli, 'run', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const disarm = arm?.(() => child.kill('SIGKILL'))
    child.on('close', (code, signal) => {
      disarm?.()
      resolve({
        code,
        killed: signal === 'SIGKILL',
        run: /^Run (\S+)$/m.exec(said)?.[1],
        said,
        ms: performance.now() - started,
      })
    })
  })
}

/** The bytes that must be equal. */
export function comparable(file) {
  const text = readFileSync(file, 'utf8')
  const { run, timing, ...rest } = JSON.parse(text)
  if (!run?.id || !timing) throw new Error(`${file} has no run or timing`)
  return JSON.stringify(rest, null, 2)
}

export function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
