import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memscopeHere, root, temporaryFolder } from './cli.js'
import { hasMcp, REFERENCE } from './mcp-peers.js'
import { withoutPython } from './python.js'

interface Written {
  kind: string
  file: string
  next: string[]
}

async function init(kind: string, cwd: string): Promise<Written> {
  const { code, out, err } = await memscopeHere(['init', kind, '--json'], { cwd })
  expect(code, err).toBe(0)
  return JSON.parse(out)
}

/** Does what the starter says to type next, as a shell would. */
function typed(command: string, cwd: string): Promise<{ code: number | null; out: string }> {
  const program = `${process.execPath} ${join(root, 'dist/cli/main.js')}`
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command.replace(/^memscope/, program)], { cwd })
    let out = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        out += chunk
      })
    child.on('close', (code) => resolve({ code, out }))
  })
}

describe('a starter', () => {
  it.each(['ts', 'command', 'traces', ...(withoutPython === '' ? ['python'] : [])])(
    'does as it is what it says to type next: %s',
    async (kind) => {
      const cwd = temporaryFolder()
      const { next } = await init(kind, cwd)
      for (const command of next) {
        const small = command.replace(/ (?:run|data export) /, '$&--suite memfail/long-hop ')
        const { code, out } = await typed(small, cwd)
        expect(code, out).toBe(0)
      }
    },
  )

  it('is a server that passes its check', async () => {
    const cwd = temporaryFolder()
    await init('http', cwd)
    const child = spawn(process.execPath, ['my-http-server.mjs'], { cwd, env: { ...process.env, PORT: '0' } })
    const url = await new Promise<string>((resolve) =>
      child.stdout.on('data', (chunk) => resolve(String(chunk).trim())),
    )
    const { code, out } = await memscopeHere(['check', url], { cwd })
    child.kill()
    expect(out).toContain('keeps the contract')
    expect(code).toBe(0)
  })

  it.skipIf(!hasMcp)('is a mapping of an MCP server that passes its check', async () => {
    const cwd = temporaryFolder()
    await init('mcp', cwd)
    const { code, out } = await memscopeHere(['check', `mcp[map=./mcp-mapping.json]:${REFERENCE}`], { cwd })
    expect(out).toContain('keeps the contract')
    expect(code).toBe(0)
  })

  it('is Python where a folder looks like it, and never written over what is there', async () => {
    const cwd = temporaryFolder()
    expect((await memscopeHere(['init'], { cwd })).out).toContain('my-memory.ts')
    writeFileSync(join(cwd, 'pyproject.toml'), '')
    expect((await memscopeHere(['init'], { cwd })).out).toContain('my_memory.py')
    const again = await memscopeHere(['init'], { cwd })
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('is there already')])
    expect((await memscopeHere(['init', 'pyhton'], { cwd })).err).toContain('python')
    expect(readdirSync(cwd).sort()).toEqual(['my-memory.ts', 'my_memory.py', 'pyproject.toml'])
  })
})
