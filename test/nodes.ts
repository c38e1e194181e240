import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './cli.js'

/** Runs npm, on Windows too, where it is no program but a script of the shell. */
export function npm(
  command: 'npm' | 'npx',
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): string {
  const shell = process.platform === 'win32'
  return execFileSync(command, shell ? args.map((word) => `"${word}"`) : args, {
    cwd,
    encoding: 'utf8',
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', npm_config_update_notifier: 'false', ...env },
  })
}

/** Without the registry nothing can be said; that it has no such version would be a fault. */
const UNREACHED = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/

/**
 * The folder of a Node of another version, from the package that npm's `node` installs for this machine; a sentence where it cannot be had.
 * Kept with the installed packages, so that it is fetched once.
 */
export function nodeOf(major: number): { folder: string } | { missing: string } {
  if (process.version.startsWith(`v${major}.`)) return { folder: dirname(process.execPath) }
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const home = join(root, 'node_modules/.cache/nodes', String(major))
  const name = `node-${platform}-${process.arch}`
  const folder = join(home, 'node_modules', name, 'bin')
  if (existsSync(folder)) return { folder }
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  try {
    npm('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `${name}@${major}`], home)
    return { folder }
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    if (!UNREACHED.test(said)) throw new Error(`${name}@${major} could not be installed: ${said}`)
    return { missing: `the registry is not reached for ${name}@${major}` }
  }
}
