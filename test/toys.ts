import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, temporaryFolder } from './cli.js'
import { until } from './outside.js'

const folder = join(root, 'test/fixtures/outside')

export const TOY_FILE = join(folder, 'toys/file.ts')
export const TOY_SERVER = join(folder, 'toys/server.mjs')
export const TOY_PYTHON = join(folder, 'toys/toy.py')
export const TOY_MCP = `mcp[map=${join(folder, 'toys/mcp-mapping.json')}]:node "${join(folder, 'toys/mcp-server.mjs')}"`
export const HOSTILE_FILE = join(folder, 'hostile-file.mjs')
export const HOSTILE = join(folder, 'hostile-memory.mjs')

/** A server of a fixture over HTTP, on a free port. */
export async function serveFixture(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess; stop(): void }> {
  const file = join(temporaryFolder(), 'address')
  const child = spawn(process.execPath, [...words, '--http', file], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 'a server that listens')
  return { url: readFileSync(file, 'utf8'), child, stop: () => void child.kill('SIGKILL') }
}
