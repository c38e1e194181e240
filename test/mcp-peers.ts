import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { findPackage } from '../src/base/packages.js'
import { root } from './cli.js'

export const NOTES_SERVER = join(root, 'test/fixtures/mcp/notes-server.mjs')
export const NOTES_MAP = join(root, 'test/fixtures/mcp/notes.json')

const CLIENT = '@modelcontextprotocol/client'
const SERVER = '@modelcontextprotocol/server-memory'

const missing = [CLIENT, SERVER].filter((name) => findPackage(name, root) === undefined)

/** The command of the real reference server. */
export const REFERENCE = `node ${join(findPackage(SERVER, root) ?? '', 'dist/index.js')}`

/** Whether what MCP needs is installed. Where tests are run for good, it must be. */
export const hasMcp = missing.length === 0
if (!hasMcp) {
  const what = `MCP (${missing.join(', ')} not installed: node scripts/install-peers.mjs .peers, MEMSCOPE_PEERS=.peers)`
  if (process.env.CI) it(what, () => Promise.reject(new Error(what)))
  else it.skip(what)
}

/** The processes that noted themselves in a file and are still there. */
export function survivors(file: string): number[] {
  const pids = readFileSync(file, 'utf8').match(/^\d+$/gm) ?? []
  return pids.map(Number).filter((pid) => {
    try {
      // One that has ended and waits for its parent is a zombie.
      return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
    } catch {
      return false
    }
  })
}
