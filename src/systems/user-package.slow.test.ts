import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemTestContext } from './conformance/fixtures.js'
import { resolveSystem } from './registry.js'

const MEMORY = `
import { UserError } from 'memscope'
import { sentences } from 'memscope/retrieval'
import { SHOUT } from './shout.js'
export default {
  options: { loud: { default: 'no', about: 'loud or not' } },
  create: (_context, { loud }) => {
    const held = []
    return {
      async store({ id, turns }) {
        if (turns.length === 0) throw new UserError('Nothing was said.')
        for (const text of turns.flatMap(({ text }) => sentences(text)))
          held.push({ id: id + held.length, text: loud === 'yes' ? text + SHOUT : text })
      },
      retrieve: async () => held,
      dump: async () => held,
    }
  },
}`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memscope-user-package-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  const file = join(folder, 'node_modules', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function install(name: string, manifest: object = { exports: './dist/index.js' }): void {
  write(`${name}/package.json`, JSON.stringify({ name, version: '1.2.0', type: 'module', ...manifest }))
  write(`${name}/dist/index.js`, MEMORY)
  write(`${name}/dist/shout.js`, `export const SHOUT = '!!'`)
}

const resolve = (spec: string, cwd = folder) => resolveSystem(spec, cwd)

describe('a system in an installed package', () => {
  it('is found by its name, from folders below as well, and has options', async () => {
    install('@acme/memory')
    const { label, definition, options, outside } = await resolve('@acme/memory:loud=yes', join(folder, 'deep', 'down'))
    expect(label).toBe('memory:loud=yes')
    expect(outside).toBe(true)
    const memory = await definition.create(systemTestContext(), options)
    await memory.store({ id: 'a', time: '', turns: [{ role: 'user', text: 'I row. I swim.' }] })
    expect(await memory.dump!()).toEqual([
      { id: 'a0', text: 'I row.!!' },
      { id: 'a1', text: 'I swim.!!' },
    ])
  })

  it('gets errors and parts of the program that runs it', async () => {
    install('@acme/memory')
    const { definition, options } = await resolve('@acme/memory')
    const memory = await definition.create(systemTestContext(), options)
    await expect(memory.store({ id: 'a', time: '', turns: [] })).rejects.toMatchObject({ name: 'UserError' })
  })

  it('is found behind npm: where its name has no scope, by main as by exports, under a name of one’s own', async () => {
    install('acme-memory', { main: './dist/index.js' })
    expect((await resolve('npm:acme-memory')).label).toBe('acme-memory')
    expect((await resolve('mine=npm:acme-memory:loud=yes')).label).toBe('mine:loud=yes')
  })

  it('has another version when its code or its version differs', async () => {
    const versions = new Set<string>()
    const keep = async () => versions.add((await resolve('@acme/memory')).definition.version)
    install('@acme/memory')
    await keep()
    write('@acme/memory/dist/shout.js', `export const SHOUT = '!'`)
    await keep()
    write('@acme/memory/package.json', JSON.stringify({ type: 'module', version: '1.2.1', exports: './dist/index.js' }))
    await keep()
    expect(versions.size).toBe(3)
  })

  it('is refused when it is not installed, cannot be imported, or defines no memory', async () => {
    await expect(resolve('@acme/memory')).rejects.toMatchObject({
      message: expect.stringContaining('The package "@acme/memory" is not installed'),
      hint: 'Run: npm install @acme/memory',
    })
    install('@acme/memory', { exports: {} })
    await expect(resolve('@acme/memory')).rejects.toThrow('The package "@acme/memory" cannot be imported')
    install('npm-number')
    write('npm-number/dist/index.js', 'export default 7')
    await expect(resolve('npm:npm-number')).rejects.toThrow('"npm-number" does not define a memory system')
  })

  it('is not looked for under names that lead elsewhere', async () => {
    for (const spec of ['npm:', 'npm:../up', '@acme', '@acme/../up'])
      await expect(resolve(spec), spec).rejects.toThrow(/unknown|no system|There is no/i)
  })
})
