import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systems as builtin, loadAll } from '../builtins.js'
import type { SystemDefinition } from '../model/index.js'
import { systemTestContext } from './conformance/fixtures.js'
import { keptSystem, systemFrom } from './kept-system.js'
import { resolveSystem } from './registry.js'

const systems = await loadAll(builtin)

const resolve = (spec: string) => resolveSystem(spec, '/')

describe('resolveSystem', () => {
  it('finds every built-in system by its name, which is then its label', async () => {
    for (const { name } of systems) expect((await resolve(name)).label).toBe(name)
  })

  it('tells of a file that defines nothing in the words of whoever reads it, and of one that ends its process that it could not be loaded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memscope-registry-'))
    writeFileSync(join(folder, 'number.mjs'), 'export default 7')
    writeFileSync(join(folder, 'ends.mjs'), 'process.exit(3)')
    const load = (path: string) => resolveSystem(path, folder)
    await expect(load('./number.mjs')).rejects.toThrow(/^"\.\/number\.mjs" does not define a memory system/)
    await expect(load('./ends.mjs')).rejects.toThrow(
      /^"\.\/ends\.mjs" could not be loaded\. its process ended \(code 3\)/,
    )
    rmSync(folder, { recursive: true })
  })

  it('fills in defaults', async () => {
    expect((await resolve('bm25')).options).toMatchObject({ unit: 'turn', k1: '1.2', b: '0.75' })
  })

  it('reads variants and options from left to right', async () => {
    const { options, label } = await resolve('bm25:meme:k1=2:unit=chunk=512')
    expect(options).toMatchObject({ k1: '2', unit: 'chunk=512', words: 'bm25s' })
    expect(label).toBe('bm25:format=session:k1=2:pad=yes:stem=no:unit=chunk=512:words=bm25s')
  })

  it('gives one label to all ways of asking for the same', async () => {
    const labels = await Promise.all(
      ['bm25:b=0.5:unit=sentence', 'bm25:unit=sentence:b=0.5', 'bm25:unit=sentence:k1=1.2:b=0.5'].map(resolve),
    )
    expect(labels.map(({ label }) => label)).toEqual(Array(3).fill('bm25:b=0.5:unit=sentence'))
    expect((await resolve('bm25:unit=turn')).label).toBe('bm25')
    expect((await resolve('bm25:meme')).label).toBe('bm25:meme')
    expect((await resolve('bm25:meme:b=0.5')).label).toBe('bm25:meme:b=0.5')
  })

  it('suggests what may have been meant', async () => {
    await expect(resolve('bm52')).rejects.toMatchObject({ hint: expect.stringContaining('Did you mean "bm25"') })
    await expect(resolve('bm25:mene')).rejects.toMatchObject({
      message: 'There is no variant of bm25 "mene".',
      hint: expect.stringContaining('"meme"'),
    })
    await expect(resolve('bm25:unti=turn')).rejects.toMatchObject({ hint: expect.stringContaining('"unit"') })
    await expect(resolve('')).rejects.toThrow(/There is no system ""/)
    for (const spec of ['bm25:toString=1', 'bm25:=1']) await expect(resolve(spec)).rejects.toThrow(/There is no option/)
  })

  it('tells what is built in from what is the caller’s own', async () => {
    const own = new Map([['mine', { ...systems[0]!, name: 'mine' }]])
    expect(await resolveSystem('mine', '/', undefined, own)).toMatchObject({ label: 'mine', outside: true })
    expect(await resolveSystem('bm25', '/', undefined, own)).toMatchObject({ label: 'bm25', outside: false })
  })
})

describe('a system that was kept with a run', () => {
  const whole: SystemDefinition = {
    name: 'mine',
    version: '1',
    class: 'processed',
    about: '',
    needs: { llm: true },
    withoutModel: ({ mode }) => mode === 'raw',
    rehearsal: () => ({ text: 'played' }),
    create: () => ({ store: async () => {}, retrieve: async () => [] }),
  }
  const resolved = (definition: SystemDefinition, options = {}) => ({
    definition,
    options,
    label: 'mine',
    outside: true,
  })

  it('is told by data alone, with what its options make of it', async () => {
    expect(await keptSystem(resolved(whole))).toEqual({
      label: 'mine',
      options: {},
      rehearsed: true,
      definition: { name: 'mine', version: '1', class: 'processed', about: '', needs: { llm: true } },
    })
    const { rehearsal: _, ...mute } = whole
    expect(await keptSystem(resolved(mute, { mode: 'raw' }))).toMatchObject({
      rehearsed: false,
      definition: { needs: { llm: false } },
    })
  })

  it('is loaded when it is needed, once, and refused when it changed', async () => {
    let loads = 0
    const load = async () => resolved({ ...whole, version: String(++loads) })
    const { definition } = systemFrom(await keptSystem(resolved(whole)), load)
    expect(loads).toBe(0)
    expect(await definition.rehearsal!({ step: '', prompt: '', request: { messages: [] } })).toEqual({ text: 'played' })
    expect(await definition.create(systemTestContext(), {})).toHaveProperty('store')
    expect(loads).toBe(1)
    const changed = systemFrom(await keptSystem(resolved(whole)), load)
    const create = async () => changed.definition.create(systemTestContext(), {})
    await expect(create()).rejects.toThrow('mine changed since the run was made.')
    const mute = systemFrom({ ...(await keptSystem(resolved(whole))), rehearsed: false }, load)
    expect(mute.definition).not.toHaveProperty('rehearsal')
  })
})
