import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testContext } from './conformance/fixtures.js'
import { checkInstance } from './outside/import-file.js'
import { resolveSystem } from './registry.js'

const METHODS = 'store: async () => {}, retrieve: async () => [], dump: async () => []'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memscope-user-file-'))
})

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const resolve = (spec: string) => resolveSystem(spec, folder)

describe('a system in a file of one’s own', () => {
  it('is loaded from TypeScript and named after its file', async () => {
    write('my-memory.ts', `const held: string[] = []\nexport default { create: () => ({ ${METHODS} }) }`)
    const { definition, label } = await resolve('./my-memory.ts')
    expect(label).toBe('my-memory')
    expect(await (await definition.create(testContext(), {})).dump!()).toEqual([])
  })

  it('may be a whole definition, with variants and options', async () => {
    write(
      'full.mjs',
      `export default { name: 'mine', version: '3', class: 'raw', about: 'x', options: { depth: { default: '1', about: '' } },
       variants: { deep: { about: '', options: { depth: '9' } } }, create: (context, options) => ({ ${METHODS}, options }) }`,
    )
    const { definition, options, label } = await resolve('./full.mjs:deep')
    expect(label).toBe('mine:deep')
    expect(options).toEqual({ depth: '9' })
    expect(definition.version).toMatch(/^3\+/)
    expect(await definition.create(testContext(), options)).toMatchObject({ options })
  })

  it('promises of storing only what it declares', async () => {
    write('silent.mjs', `export default { create: () => ({ ${METHODS} }) }`)
    write('sure.mjs', `export default { atomic: true, idempotent: true, create: () => ({ ${METHODS} }) }`)
    expect((await resolve('./silent.mjs')).definition).toMatchObject({ atomic: false, idempotent: false })
    expect((await resolve('./sure.mjs')).definition).toMatchObject({ atomic: true, idempotent: true })
    write('odd.mjs', `export default { atomic: 'yes', create: () => ({ ${METHODS} }) }`)
    await expect(resolve('./odd.mjs')).rejects.toThrow('atomic: Invalid input: expected boolean')
  })

  it('may be a bare factory or a class', async () => {
    write('factory.js', `export default () => ({ ${METHODS} })`)
    write(
      'class.ts',
      `export default class { async store() {} async retrieve() { return [] } async dump() { return [] } }`,
    )
    for (const spec of ['./factory.js', './class.ts']) {
      const { definition } = await resolve(spec)
      expect(await (await definition.create(testContext(), {})).dump!()).toEqual([])
    }
  })

  it('gets another version when it or a file it imports changes', async () => {
    write('helper.ts', 'export const n = 1')
    write('a.ts', `import { n } from './helper.js'\nexport default () => ({ ${METHODS}, n })`)
    const versions = [(await resolve('./a.ts')).definition.version]
    versions.push((await resolve('./a.ts')).definition.version)
    write('helper.ts', 'export const n = 2')
    versions.push((await resolve('./a.ts')).definition.version)
    expect(versions[1]).toBe(versions[0])
    expect(versions[2]).not.toBe(versions[0])
  })

  it('is missed with the path that was looked at', async () => {
    await expect(resolve('./nowhere.ts')).rejects.toThrow(
      `There is no file "./nowhere.ts" (looked for ${join(folder, 'nowhere.ts')})`,
    )
  })

  it('is refused with the reason when it cannot be read', async () => {
    write('broken.ts', 'export default {{')
    await expect(resolve('./broken.ts')).rejects.toThrow(/"\.\/broken\.ts" could not be loaded\. .*Error/)
    write('throws.ts', 'throw new Error("no database")')
    await expect(resolve('./throws.ts')).rejects.toThrow(/no database/)
  })

  it('is refused when it has no default export', async () => {
    write('named.ts', 'export const create = () => ({})')
    await expect(resolve('./named.ts')).rejects.toThrow('"./named.ts" has no default export. It exports create.')
  })

  it('is refused when it defines something else', async () => {
    write('wrong.ts', 'export default { name: "two words", class: "odd" }')
    await expect(resolve('./wrong.ts')).rejects.toThrow(
      /does not define a memory system:.*name: .*class: .*create: expected a function/s,
    )
    write('number.ts', 'export default 7')
    await expect(resolve('./number.ts')).rejects.toThrow(/does not define a memory system/)
  })

  it('may not ask for gold', async () => {
    write('cheat.ts', `export default { needs: { gold: true }, create: () => ({ ${METHODS} }) }`)
    await expect(resolve('./cheat.ts')).rejects.toThrow(/only the built-in oracle/)
  })

  it('is refused on creation when its instance lacks a method', async () => {
    write('lacking.ts', 'export default () => ({ store: async () => {} })')
    const { definition } = await resolve('./lacking.ts')
    await expect(async () => definition.create(testContext(), {})).rejects.toThrow(
      /"\.\/lacking\.ts" creates lacks retrieve\(\) and dump\(\)/,
    )
  })
})

describe('checkInstance', () => {
  const methods = { store: async () => {}, retrieve: async () => [], dump: async () => [] }

  it('passes what has the three methods', () => {
    expect(checkInstance(methods, 'x')).toBe(methods)
  })

  it('refuses half a snapshot and methods that are none', () => {
    expect(() => checkInstance({ ...methods, snapshot: async () => 1 }, 'x')).toThrow(/only one of snapshot/)
    expect(() => checkInstance({ ...methods, settle: true }, 'x')).toThrow(
      /settle of "x" to be a function, got boolean/,
    )
    expect(() => checkInstance(null, 'x')).toThrow(/got null/)
  })
})
