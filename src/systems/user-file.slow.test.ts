import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openEndpoint } from '../gateway/index.js'
import { hasModelInside, type Llm, NO_USAGE } from '../model/index.js'
import { systemTestContext } from './conformance/fixtures.js'
import { runCheck } from './conformance/run.js'
import { checkInstance } from './outside/import-file.js'
import { rehearse } from './parts/rehearse.js'
import { requirePackages, resolveSystem } from './registry.js'

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
    expect(await (await definition.create(systemTestContext(), {})).dump!()).toEqual([])
  })

  it('may be a whole definition, with variants and options', async () => {
    write(
      'full.mjs',
      `export default { name: 'mine', version: '3', class: 'raw', about: 'x', options: { depth: { default: '1', about: '' } },
       variants: { deep: { about: '', options: { depth: '9' } } }, create: (context, options) => ({ ${METHODS}, dump: async () => [{ id: 'depth', text: options.depth }] }) }`,
    )
    const { definition, options, label } = await resolve('./full.mjs:deep')
    expect(label).toBe('mine:deep')
    expect(options).toEqual({ depth: '9' })
    expect(definition.version).toMatch(/^3\+/)
    expect(await (await definition.create(systemTestContext(), options)).dump!()).toEqual([{ id: 'depth', text: '9' }])
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
      expect(await (await definition.create(systemTestContext(), {})).dump!()).toEqual([])
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
    await expect(async () => definition.create(systemTestContext(), {})).rejects.toThrow(
      /"\.\/lacking\.ts" creates lacks retrieve\(\)/,
    )
  })
})

describe('a system in a process of its own', () => {
  const made = async (methods: string, context = systemTestContext(), definition = '') => {
    write(
      'own.mjs',
      `export default { ${definition} create: (context) => { const held = []; return { ${METHODS}, ${methods} } } }`,
    )
    return (await resolve('./own.mjs')).definition.create(context, {})
  }

  it('has its context there: time, name, folder, vectors and log', async () => {
    const log: string[] = []
    const context = { ...systemTestContext(), log: (message: string) => void log.push(message) }
    const system = await made(
      `dump: async () => { context.log('here'); const [v] = await context.embed.embed(['word']);
        return [context.now(), context.namespace, context.workdir, v.length + v.constructor.name].map((text, i) => ({ id: String(i), text })) }`,
      context,
    )
    const texts = (await system.dump!()).map(({ text }) => text)
    expect(texts).toEqual([
      context.now(),
      context.namespace,
      context.workdir,
      `${context.embed.dimensions}Float32Array`,
    ])
    expect(log).toEqual(['here'])
    await system.close!()
  })

  it('asks its model here, and checks the reply by its own schema', async () => {
    const asked: unknown[] = []
    const llm: Llm = {
      model: 'm',
      generate: async (request, options) => {
        asked.push({ messages: request.messages, role: options.role })
        const wrong = await request.schema!.safeParseAsync({ n: 'four' })
        expect(wrong.success).toBe(false)
        const right = await request.schema!.safeParseAsync({ n: 4 })
        return {
          object: right.data,
          text: '',
          toolCalls: [],
          finish: 'stop',
          usage: NO_USAGE,
          cost: 0,
          cached: false,
          repairs: 0,
        } as never
      },
    }
    write(
      'model.mjs',
      `import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
       export default { needs: { llm: true }, create: ({ llm }) => ({ ${METHODS}, dump: async () => {
         const { object } = await llm.generate({ messages: [{ role: 'user', content: 'n?' }], schema: z.object({ n: z.number() }).refine(({ n }) => n > 3) }, { role: 'ingest' })
         return [{ id: 'n', text: String(object.n) }] } }) }`,
    )
    const { definition } = await resolve('./model.mjs')
    const system = await definition.create({ ...systemTestContext(), llm }, {})
    expect(await system.dump!()).toEqual([{ id: 'n', text: '4' }])
    expect(asked).toEqual([{ messages: [{ role: 'user', content: 'n?' }], role: 'ingest' }])
    await system.close!()
  })

  it('says which options leave its model out, and which packages it needs', async () => {
    const options = `{ write: { default: 'model', about: 'how' } }`
    write(
      'leaving.mjs',
      `export default { needs: { llm: true, packages: ['no-such-package'] }, options: ${options}, withoutModel: ({ write }) => write === 'raw', create: () => ({ ${METHODS} }) }`,
    )
    const { definition, options: raw } = await resolve('./leaving.mjs:write=raw')
    expect(await hasModelInside(definition, raw)).toBe(false)
    expect(await hasModelInside(definition, { write: 'model' })).toBe(true)
    expect(() => requirePackages(definition, folder)).toThrow('needs the package no-such-package')
  })

  /** A memory whose own client talks to a model: it keeps what the model makes of a turn. */
  const CLIENT = `
    import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
    const ask = async ({ url, token }, text) => {
      const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: text }], response_format: { type: 'json_object' } })
      const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
      const reply = await fetch(url + '/chat/completions', { method: 'POST', headers, body })
      if (!reply.ok) return 'refused: ' + (await reply.text())
      return JSON.parse((await reply.json()).choices[0].message.content).note
    }
    export default {
      needs: { llm: true, endpoint: true },
      rehearsal: ({ step, prompt, request }) => ({ json: { note: step + ' ' + prompt + (request.schema ? ' as JSON' : '') } }),
      create: async ({ endpoint: open }) => {
        const endpoint = await open({ replies: z.object({ note: z.string().min(2) }) })
        const held = []
        const note = (text) => endpoint.during('ingest', () => ask(endpoint, text))
        return {
          store: async ({ id, turns }) => void held.push({ id, text: await note(turns[0].text) }),
          retrieve: async (query, k) => [{ id: 'outside', text: await ask(endpoint, query.text) }].slice(0, k),
          dump: async () => held.slice(),
          insert: async () => endpoint.during('ingest', async () => { throw new Error('in the work') }),
          close: () => endpoint.close(),
        }
      },
    }`
  const TALK = { id: 'c', time: '', turns: [{ role: 'user' as const, text: 'Tea at five.' }] }

  /** The memory on a model that says this. */
  async function client(notes: (unknown | Error)[] | 'rehearsed') {
    write('client.mjs', CLIENT)
    const { definition } = await resolve('./client.mjs')
    const roles: string[] = []
    const played: Llm = {
      model: 'm',
      generate: async (request, { role }) => {
        roles.push(role)
        const note = (notes as unknown[]).shift()
        if (note instanceof Error) throw note
        const fits = await request.schema!.safeParseAsync({ note })
        if (!fits.success) throw new Error(`unfit: ${fits.error.issues[0]!.message}`)
        const plain = { toolCalls: [], finish: 'stop', usage: NO_USAGE, cost: 0, cached: false, repairs: 0 }
        return { ...plain, text: JSON.stringify({ note }), object: fits.data } as never
      },
    }
    const llm = notes === 'rehearsed' ? rehearse(definition.rehearsal!) : played
    const context = { ...systemTestContext(), llm }
    const { embed, signal } = context
    const endpoint = (asked = {}) => openEndpoint({ ...asked, name: 'client', llm, embed, signal })
    return { system: await definition.create({ ...context, endpoint }, {}), roles }
  }

  it('has its own client talk to the model over an endpoint, and only while it works', async () => {
    const { system, roles } = await client(['tea, five'])
    await system.store(TALK)
    expect(await system.dump!()).toEqual([{ id: 'c', text: 'tea, five' }])
    expect(roles).toEqual(['ingest'])
    const [found] = await system.retrieve({ id: 'q', text: 'When?', time: '' }, 1, { k: 1 })
    expect(found!.text).toMatch(/^refused: .*no request is expected now/)
    await expect(system.insert!([])).rejects.toThrow('in the work')
    await system.close!()
  })

  it('hears of a call that failed there, though its client swallowed the error', async () => {
    const { system } = await client([new Error('no model today'), 'x', 'whole'])
    await expect(system.store(TALK)).rejects.toThrow('no model today')
    // By its own schema of replies.
    await expect(system.store(TALK)).rejects.toThrow('unfit: note: Too small')
    await system.store(TALK)
    expect((await system.dump!()).map(({ text }) => text)).toEqual(['whole'])
    await system.close!()
  })

  it('is played by its own rehearsal, also where its own client asks', async () => {
    const { system } = await client('rehearsed')
    await system.store(TALK)
    expect(await system.dump!()).toEqual([{ id: 'c', text: 'chat Tea at five. as JSON' }])
    await system.close!()
  })

  it('passes on what it throws with its causes, and refuses what is no plain data', async () => {
    const system = await made(
      `store: async () => { throw new Error('no', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }) },
       retrieve: async () => [{ id: 'm', text: 't', more: () => {} }]`,
    )
    const thrown = await system.store({ id: 'c', time: '', turns: [] }).catch((error: Error) => error)
    expect(thrown).toMatchObject({ message: 'no', cause: { code: 'ECONNREFUSED' } })
    await expect(system.retrieve({ id: 'q', text: '', time: '' }, 1, { k: 1 })).rejects.toThrow(/could not be cloned/)
    await system.close!()
  })

  it('keeps its snapshots to itself', async () => {
    const system = await made(
      `store: async ({ id }) => void held.push({ id, text: id }), dump: async () => held.slice(),
       snapshot: async () => ({ held: held.slice(), put: (all) => held.splice(0, held.length, ...all) }), restore: async ({ held, put }) => void put(held)`,
    )
    const before = await system.snapshot!()
    await system.store({ id: 'c', time: '', turns: [] })
    expect(await system.dump!()).toHaveLength(1)
    await system.restore!(before)
    expect(await system.dump!()).toEqual([])
    await system.close!()
  })

  it('is gone when its process ends, and says how', async () => {
    const system = await made(`store: async () => process.exit(9)`)
    const thrown = await system.store({ id: 'c', time: '', turns: [] }).catch((error: Error) => error)
    expect(thrown).toMatchObject({ name: 'MemoryGoneError', message: 'its process ended (code 9) during store' })
  })

  it('is caught looking at the clock of the machine', async () => {
    write(
      'clock.mjs',
      `export default () => { const held = []; return { ${METHODS}, store: async ({ id }) => void held.push({ id, text: new Date().toISOString().slice(0, 10) }), dump: async () => held } }`,
    )
    const { definition } = await resolve('./clock.mjs')
    await expect(runCheck('scenario-time', { name: 'clock', definition })).rejects.toThrow(/clock of the machine/)
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
