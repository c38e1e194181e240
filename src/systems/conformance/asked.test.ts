import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../base/hash.js'
import { defineSystem, type Llm, type Memory, type SystemContext, type SystemDefinition } from '../../model/index.js'
import type { SystemCheckName } from './checks.js'
import { checkNames, runCheck } from './run.js'
import { assertSame, formatValue } from './same.js'

/** A system that declares everything, keeps what its model makes of every turn, and writes down what it is asked. */
function noting(note: (line: string) => void, made: (context: SystemContext) => void = () => {}): SystemDefinition {
  return defineSystem({
    name: 'sample',
    version: '1',
    class: 'processed',
    about: '',
    atomic: true,
    idempotent: true,
    needs: { llm: true, embed: true },
    rehearsal: ({ prompt }) => ({ text: prompt.toUpperCase() }),
    create: (context) => {
      note(`create at ${context.now()}`)
      made(context)
      const held = new Map<string, Memory>()
      return {
        store: async (conversation) => {
          note(`store ${JSON.stringify(conversation)}`)
          const { id, time, turns } = conversation
          const texts: string[] = []
          for (const { text: content } of turns) {
            const request = { messages: [{ role: 'user' as const, content }] }
            texts.push((await context.llm!.generate(request, { role: 'ingest', label: 'sample/rewrite' })).text)
          }
          await context.embed.embed(texts)
          if (!held.has(id)) held.set(id, { id, text: texts.join('\n'), time, sources: [id] })
        },
        retrieve: async ({ id, text }, k) => {
          note(`retrieve ${k} ${id} ${text}`)
          return [...held.values()].slice(0, k)
        },
        dump: async () => [...held.values()],
        settle: async (most) => note(`settle ${most}`),
        close: async () => note('close'),
      }
    },
  })
}

/** How often each thing was asked, and a print of all of it in its order. */
function diaryOf(lines: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const kind = /^(?:create|store|close|(?:retrieve|settle) \d+)/.exec(line)![0]
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const told = [...counts].map(([kind, count]) => `${kind}: ${count}`).join(', ')
  return `${told} · ${sha256(lines.toSorted().join('\n')).slice(0, 8)}`
}

describe('what a system is asked', () => {
  it('is the same in every check, down to the letter', async () => {
    const diary: Record<string, string> = {}
    for (const check of checkNames) {
      const lines: string[] = []
      await runCheck(check, { name: 'sample', definition: noting((line) => lines.push(line)) })
      diary[check] = diaryOf(lines)
    }
    expect(diary).toEqual({
      'at-most-k':
        'create: 1, store: 6, settle 60000: 1, retrieve 1: 4, retrieve 2: 4, retrieve 5: 4, retrieve 50: 4, close: 1 · c6084c63',
      atomic: 'create: 2, settle 60000: 70, retrieve 5: 252, store: 56, close: 2 · bd0c7b0f',
      'best-first': 'create: 1, store: 6, settle 60000: 1, retrieve 50: 4, close: 1 · 48662f9b',
      closes: 'create: 3, store: 12, settle 60000: 4, retrieve 5: 8, close: 6 · 021e7acb',
      concurrent: 'create: 1, store: 6, settle 60000: 1, retrieve 5: 8, close: 1 · 33016262',
      created: 'create: 1, close: 1 · b5bd96c6',
      deterministic: 'create: 2, store: 12, settle 60000: 4, retrieve 5: 8, close: 2 · 8306c2c4',
      'empty-store': 'create: 1, settle 60000: 1, retrieve 5: 4, close: 1 · a1423daa',
      idempotent: 'create: 1, store: 12, settle 60000: 14, retrieve 5: 28, close: 1 · ad7a361f',
      isolated: 'create: 2, settle 60000: 3, store: 6, retrieve 5: 4, close: 2 · 2de8daca',
      keeps: 'create: 1, store: 6, settle 60000: 2, retrieve 5: 4, close: 1 · cf2ffa47',
      'labelled-calls': 'create: 1, store: 6, settle 60000: 1, retrieve 5: 4, close: 1 · 01ebceef',
      'no-silent-loss': 'create: 9, store: 24, settle 60000: 1, retrieve 5: 4, close: 9 · ac130e9f',
      'odd-text': 'create: 1, store: 13, settle 60000: 2, retrieve 5: 8, close: 1 · b9a8ba44',
      'read-only': 'create: 1, store: 6, settle 60000: 3, retrieve 5: 8, close: 1 · 71f316e6',
      resumed: 'create: 2, store: 12, settle 60000: 4, retrieve 5: 8, close: 2 · 8306c2c4',
      'retrieved-in-dump': 'create: 1, store: 6, settle 60000: 2, retrieve 5: 4, close: 1 · cf2ffa47',
      'return-types': 'create: 1, store: 6, settle 60000: 2, retrieve 5: 4, close: 1 · cf2ffa47',
      'scenario-time': 'create: 2, store: 12, settle 60000: 4, retrieve 5: 8, close: 2 · 8306c2c4',
      'settles-again': 'create: 2, store: 14, settle 60000: 28, retrieve 5: 56, close: 2 · 8e3f561a',
      shape: 'create: 1, store: 6, settle 60000: 2, retrieve 5: 4, close: 1 · cf2ffa47',
      'side-by-side': 'create: 6, store: 32, settle 60000: 12, retrieve 5: 24, close: 6 · d420542f',
      'stable-ids': 'create: 1, store: 6, settle 60000: 5, close: 1 · 8601e923',
      'time-and-order': 'create: 1, store: 6, settle 60000: 2, close: 1 · b69be08c',
      'unique-ids': 'create: 1, store: 6, settle 60000: 2, retrieve 50: 4, close: 1 · ea212358',
    })
  })

  it('it is told how deep to look twice, and the same', async () => {
    const depths: [number, unknown][] = []
    const definition = spoilt(() => ({
      retrieve: async (_query: unknown, k: number, depth: unknown) => {
        depths.push([k, depth])
        return []
      },
    }))
    for (const check of checkNames) await reasonOf(check, definition)
    expect(depths.filter(([k, depth]) => !isDeepStrictEqual(depth, { k }))).toEqual([])
    expect([...new Set(depths.map(([k]) => k))].sort((a, b) => a - b)).toEqual([1, 2, 5, 50])
  })

  it('it is asked as deep when its model fails while it looks', async () => {
    const depths = new Set<number>()
    const whole = noting(() => {})
    const create: SystemDefinition['create'] = ({ llm }) => ({
      store: async () => {},
      retrieve: async ({ text: content }, k) => {
        depths.add(k)
        await llm!.generate({ messages: [{ role: 'user', content }] }, { role: 'retrieve', label: 'sample/look' })
        return []
      },
      dump: async () => [],
    })
    expect(await reasonOf('no-silent-loss', { ...whole, create })).toBe(undefined)
    expect([...depths]).toEqual([5])
  })

  it('it is asked ten years later on the clock of the machine, and not a second more', async () => {
    const at: [clock: number, passed: number][] = []
    const definition = noting(
      () => {},
      () => at.push([Date.now(), performance.now()]),
    )
    await runCheck('scenario-time', { name: 'sample', definition })
    const [[today, begun], [later, ended]] = at as [[number, number], [number, number]]
    expect(Math.abs(later - today - (ended - begun) - 10 * 365 * 24 * 60 * 60 * 1000)).toBeLessThan(500)
  })

  it('it has what it needs and no more, and nothing is left of the folders that were made for it', async () => {
    const contexts: SystemContext[] = []
    const keep = (context: SystemContext) => void contexts.push(context)
    const whole = noting(() => {}, keep)
    const { rehearsal, ...mute } = whole
    const endpoint = async () => ({
      url: '',
      token: '',
      during: (_role: string, work: () => unknown) => work(),
      close: async () => {},
    })
    const own = mkdtempSync(join(tmpdir(), 'memscope-own-'))
    const create = (definition: SystemDefinition, more: object = {}) =>
      runCheck('created', { name: 'sample', definition, ...more })
    await create({ ...whole, needs: {} }, { endpoint })
    await create(mute as SystemDefinition, { endpoint })
    await create({ ...whole, needs: { llm: true, endpoint: true } })
    await create({ ...whole, needs: { llm: true, endpoint: true } }, { endpoint })
    await create({ ...whole, needs: { endpoint: true } }, { endpoint })
    await create({ ...whole, needs: { gold: true } }, { context: { workdir: own } })
    const given = contexts.map((context) => ['llm', 'endpoint', 'gold'].filter((key) => key in context).join(' '))
    expect(given).toEqual(['', '', 'llm', 'llm endpoint', '', 'gold'])
    const { gold } = contexts.at(-1)!
    expect(gold!.needed('bread', { k: 5 }).map(({ text }) => text)).toEqual([
      'I bake sourdough bread on Sundays.',
      'My sister Ines lives in Porto.',
    ])
    expect(contexts.map(({ workdir }) => existsSync(workdir))).toEqual([false, false, false, false, false, true])
    expect(new Set(contexts.map(({ namespace }) => namespace)).size).toBe(contexts.length)
  })
})

/** The sample with one method in another way. */
function spoilt(spoil: (held: () => Promise<Memory[]>) => object, more: object = {}): SystemDefinition {
  const whole = noting(() => {})
  const create: SystemDefinition['create'] = async (context, options) => {
    const system = await whole.create(context, options)
    return { ...system, ...spoil(async () => system.dump!()) }
  }
  return { ...whole, ...more, create }
}

async function reasonOf(check: SystemCheckName, definition: SystemDefinition): Promise<string | undefined> {
  return runCheck(check, { name: 'sample', definition }).then(
    () => undefined,
    ({ message }: Error) => message,
  )
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `id ${i % (count / 2)}`, text: 'x' }))
const changed = (held: () => Promise<Memory[]>, change: object) => async () =>
  (await held()).map((memory) => ({ ...memory, ...change }))

describe('what is wrong is told', () => {
  it.each<[string, SystemCheckName, SystemDefinition, string | undefined]>([
    [
      'five ids',
      'unique-ids',
      spoilt(() => ({ dump: async () => ids(10) })),
      'than once: "id 0", "id 1", "id 2", "id 3", "id 4"',
    ],
    ['six ids', 'unique-ids', spoilt(() => ({ dump: async () => ids(12) })), '"id 4" and 1 more'],
    ['an answer that is null', 'return-types', spoilt(() => ({ answer: async () => null })), 'a string, got null'],
    ['an answer that is a text', 'return-types', spoilt(() => ({ answer: async () => 'yes' })), 'a string, got "yes"'],
    ['an answer', 'return-types', spoilt(() => ({ answer: async () => ({ text: 'yes' }) })), undefined],
    [
      'an answer from memories',
      'return-types',
      spoilt(() => ({ answer: async () => ({ text: '', used: [] }) })),
      undefined,
    ],
    [
      'an answer from a text',
      'return-types',
      spoilt(() => ({ answer: async () => ({ text: '', used: 'x' }) })),
      '"used", got "x"',
    ],
    ['an id of one letter', 'shape', spoilt(() => ({ dump: async () => [{ id: 'x', text: 'x' }] })), undefined],
    ['no id', 'shape', spoilt(() => ({ dump: async () => [{ id: '', text: 'x' }] })), 'Expected an id'],
    [
      'one memory',
      'keeps',
      spoilt(() => ({ retrieve: async () => [], dump: async () => [{ id: 'x', text: 'x' }] })),
      undefined,
    ],
    [
      'another time',
      'time-and-order',
      spoilt((held) => ({ dump: changed(held, { time: '2020-01-01' }) })),
      'has another time than its source',
    ],
    ['no time', 'time-and-order', spoilt((held) => ({ dump: changed(held, { time: undefined }) })), undefined],
    [
      'a time of two sources',
      'time-and-order',
      spoilt((held) => ({ dump: changed(held, { time: '2020-01-01', sources: ['monday', 'friday'] }) })),
      undefined,
    ],
    [
      'no source',
      'time-and-order',
      spoilt((held) => ({ dump: changed(held, { time: '2020-01-01', sources: [] }) })),
      undefined,
    ],
    ['a question that disturbs another', 'concurrent', spoilt(oneAtATime), 'Questions asked at once'],
    [
      'one that is put back',
      'concurrent',
      spoilt((held) => ({ ...oneAtATime(held), snapshot: async () => 1, restore: async () => {} })),
      undefined,
    ],
  ])('%s', async (_what, check, definition, told) => {
    const reason = await reasonOf(check, definition)
    if (told === undefined) expect(reason).toBe(undefined)
    else expect(reason).toContain(told)
  })

  it.each([
    [1, false],
    [8, false],
    [9, true],
  ])('when only call %s may fail unnoticed: %s', async (swallowed, passes) => {
    const whole = noting(() => {})
    const create: SystemDefinition['create'] = (context, options) => {
      let calls = 0
      const llm = context.llm!
      const generate: Llm['generate'] = (request, asked) => {
        const reply = llm.generate(request, asked)
        return ++calls === swallowed ? reply.catch(() => ({ text: '' }) as never) : reply
      }
      return whole.create({ ...context, llm: { ...llm, generate } }, options)
    }
    const reason = await reasonOf('no-silent-loss', { ...whole, create })
    expect(reason === undefined).toBe(passes)
  })

  it('by the beginning of what a life lived again asks that was not asked before', async () => {
    let lives = 0
    const whole = noting(() => {})
    const create: SystemDefinition['create'] = (context, options) => {
      const content = `${++lives}${'z'.repeat(400)}`
      const generate: Llm['generate'] = (request, asked) =>
        context.llm!.generate({ ...request, messages: [{ role: 'user', content }] }, asked)
      return whole.create({ ...context, llm: { ...context.llm!, generate } }, options)
    }
    expect(await reasonOf('resumed', { ...whole, create })).toBe(
      `A life lived again asks something new: 2${'z'.repeat(299)}`,
    )
  })

  it('by where two values differ, cut when it is long', () => {
    const long = `b${'a'.repeat(130)}`
    const rows: [unknown, unknown, string][] = [
      [[1, 2], [1], 'm; they differ at [1]\n  expected nothing\n  got      2'],
      [[1], [1, undefined], 'm; they differ at [1]\n  expected nothing\n  got      nothing'],
      [[1, undefined], [1], 'm; they differ at [1]\n  expected nothing\n  got      nothing'],
      [[1], { 0: 1 }, 'm\n  expected {"0":1}\n  got      [1]'],
      [{ 0: 1 }, [1], 'm\n  expected [1]\n  got      {"0":1}'],
      [undefined, [1], 'm\n  expected [1]\n  got      nothing'],
      [[1], undefined, 'm\n  expected nothing\n  got      [1]'],
      [{ a: { b: [3] } }, { a: { b: [4] } }, 'm; they differ at a.b[0]\n  expected 4\n  got      3'],
      [long, '', `m\n  expected ""\n  got      "${long.slice(0, 119)}…`],
    ]
    for (const [left, right, told] of rows) expect(() => assertSame(left, right, 'm')).toThrow(new Error(told))
    const circle: Record<string, unknown> = { a: { b: { c: { d: 1 } } } }
    circle.self = circle
    expect(formatValue(circle)).toBe('<ref *1> { a: { b: { c: [Object] } }, self: [Circular *1] }')
    expect(formatValue('x'.repeat(118))).toBe(`"${'x'.repeat(118)}"`)
  })
})

/** Finds nothing for a question that is asked while another is. */
function oneAtATime(held: () => Promise<Memory[]>): object {
  let asked = 0
  return {
    retrieve: async (_query: unknown, k: number) => {
      const alone = ++asked === 1
      await new Promise((resume) => setTimeout(resume, 1))
      asked--
      return alone ? (await held()).slice(0, k) : []
    },
  }
}
