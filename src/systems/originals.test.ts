import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readOriginals, SUITE_WORDS, withDefaults } from '../../bench/story/originals.js'
import { rehearsedBy } from '../../bench/story/rehearsed.js'
import { systems } from '../builtins.js'
import type { LlmRequest } from '../model/index.js'
import { systemTestContext } from './conformance/fixtures.js'
import { PROMPTS as DRIVEN } from './mcp/prompts.js'
import { rehearse } from './parts/index.js'
import { resolveSystem } from './registry.js'

const originals = readOriginals()
const ranges: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(new URL('../../test/fixtures/systems/option-ranges.json', import.meta.url), 'utf8'),
)
const names = Object.keys(originals)
const definitionOf = async (name: string) => (await systems.find((one) => one.name === name)!.load())!

/** All that is fixed in a system, by name; lists as they are written in the table. */
async function fixedIn(name: string): Promise<Record<string, string | number>> {
  const { FIXED = {} } = await import(`./${name}/fixed.ts`).catch(() => ({}))
  const leaves = Object.entries(FIXED as object).flatMap(([key, value]): [string, string | number][] => {
    if (typeof value === 'number') return [[key, value]]
    if (!Array.isArray(value)) return Object.entries<number>(value).map(([step, one]) => [`${key}.${step}`, one])
    const written = value.map((one) => (Array.isArray(one) ? `${one[0]}: ${one.slice(1).join(', ')}` : one))
    return [[key, written.join(Array.isArray(value[0]) ? '; ' : ', ')]]
  })
  return Object.fromEntries(leaves)
}

describe('the defaults of a system', () => {
  it.each(names)('%s: are those of the table, which has them all', async (name) => {
    const { options = {}, paperK = {} } = await definitionOf(name)
    const fixed = await fixedIn(name)
    const { defaults, k } = originals[name]!
    const inCode = (key: string) => fixed[key] ?? options[key]?.default
    expect(Object.fromEntries(defaults.map((one) => [one.name, inCode(one.name)]))).toEqual(
      Object.fromEntries(defaults.map((one) => [one.name, one.value])),
    )
    const numbers = Object.entries(options).flatMap(([key, { default: usual }]) => (/^[\d.]+$/.test(usual) ? key : []))
    const told = defaults.map((one) => one.name)
    if (defaults.length > 0) expect(told).toEqual(expect.arrayContaining([...numbers, ...Object.keys(fixed)]))
    expect(paperK).toEqual(Object.fromEntries(Object.entries(k).map(([suite, [most]]) => [suite, most])))
  })

  it.each(names)('%s: are what its model is asked with', async (name) => {
    const definition = await definitionOf(name)
    if (!definition.rehearsal || definition.needs?.endpoint) return
    const rows = Object.fromEntries(originals[name]!.defaults.map((one) => [one.name, Number(one.value)]))
    const asked: { step: string; request: LlmRequest<unknown> }[] = []
    const { options } = await resolveSystem(name === 'memoryos' ? 'memoryos:short=1:heat=1' : name, '/')
    const llm = rehearse(definition.rehearsal, { onCall: (call) => asked.push(call) })
    const system = await definition.create({ ...systemTestContext(), llm }, options)
    for (const [i, text] of ['I like figs.', 'My flat is in Bergen.', 'I like figs and plums.'].entries()) {
      const time = `2024-05-0${i + 1}T09:00:00Z`
      await system.store({
        id: `c${i}`,
        time,
        turns: [
          { role: 'user', text },
          { role: 'assistant', text: 'I see.' },
        ],
      })
    }
    await system.settle?.(1000)
    await system.retrieve({ id: 'q', text: 'Do I like figs?', time: '2024-06-01T09:00:00Z' }, 5, { k: 5 })
    expect(asked.length).toBeGreaterThan(0)
    for (const { step, request } of asked) {
      expect([step, request.temperature]).toEqual([step, rows[`temperatures.${step}`] ?? rows.temperature])
      if (rows.maxTokens) expect([step, request.maxTokens]).toEqual([step, rows.maxTokens])
    }
  })

  it.each(names)('%s: may be set to what it says, from the least to the most', async (name) => {
    const definition = await definitionOf(name)
    const context = { ...systemTestContext(), llm: rehearse(() => ({ text: '' })) }
    const refusal = async (key: string) => {
      const { options } = await resolveSystem(`${name}:${key}=?`, '/')
      const message = await (async () => definition.create(context, options))().catch(({ message }: Error) => message)
      return /to be (?:a|one) (.*), got/.exec(String(message))?.[1]
    }
    const found: Record<string, unknown> = {}
    for (const key of Object.keys(definition.options ?? {})) found[key] = await refusal(key)
    expect(found).toEqual(ranges[name] ?? {})
  })

  it.each(names)('%s: a single memory is held and found, and none is not looked for', async (name) => {
    const definition = await definitionOf(name)
    if (!definition.rehearsal || definition.needs?.endpoint || definition.answers) return
    const asked: string[] = []
    const llm = rehearse(definition.rehearsal, { onCall: ({ step }) => asked.push(step) })
    const { options } = await resolveSystem(name, '/')
    const system = await definition.create({ ...systemTestContext(), llm }, options)
    const query = { id: 'q', text: 'Do I like figs?', time: '2024-05-02T09:00:00Z' }
    expect(await system.retrieve(query, 5, { k: 5 })).toEqual([])
    expect(asked).toEqual([])
    await system.insert!([{ id: 'one', text: 'I like figs.', time: '2024-05-01T09:00:00Z' }])
    expect((await system.retrieve(query, 5, { k: 5 })).map(({ text }) => text)).toEqual([
      expect.stringContaining('I like figs.'),
    ])
  })

  it('name a line or a function of the original, or whose they are', () => {
    const own = /:\d|@[0-9a-f]{7} \S+, `|^Memscope|^MEME App|Memscope’s 0|model card|BM25Similarity/
    for (const [name, { defaults }] of Object.entries(originals))
      for (const { name: key, source } of defaults)
        expect([name, key, source]).toEqual([name, key, expect.stringMatching(own)])
  })

  it('stand on its page (npm run signatures)', () => {
    const folder = new URL('../../docs/systems/', import.meta.url)
    const pages = readdirSync(folder).filter((file) => file.endsWith('.md'))
    const texts = pages.map((file) => readFileSync(new URL(file, folder), 'utf8'))
    for (const text of texts) expect(withDefaults(text, originals)).toBe(text)
    const shown = texts.flatMap((text) => [...text.matchAll(/<!-- defaults:([\w-]+) -->/g)].map(([, name]) => name))
    const expected = names.filter((name) => originals[name]!.defaults.length > 0)
    expect(shown.sort()).toEqual(expected.sort())
  })
})

describe('the rehearsal of a system', () => {
  const told = JSON.parse(
    readFileSync(new URL('../../test/fixtures/systems/rehearsed.json', import.meta.url), 'utf8'),
  ) as Record<string, unknown>

  it.each(names)('%s: says what it said before, and leads to the same memories (npm run signatures)', async (name) => {
    const definition = await definitionOf(name)
    if (!definition.needs?.endpoint) expect(await rehearsedBy(definition)).toEqual(told[name])
  })
})

describe('the prompts of a system', () => {
  const prompted = async () => {
    const all = await Promise.all(systems.map((system) => system.load()))
    return all.filter(({ prompts, needs }) => prompts && !needs?.endpoint)
  }

  it('have words of what the suites ask for only where the original has them', async () => {
    const found: Record<string, Record<string, string[]>> = {}
    const driven = { name: 'mcp', prompts: DRIVEN }
    for (const { name, prompts } of [...(await prompted()), driven]) {
      for (const [prompt, text] of Object.entries(prompts!)) {
        const words = [...new Set(text.match(SUITE_WORDS))]
        if (words.length > 0) found[name] = { ...found[name], [prompt]: words }
      }
    }
    const cited = Object.entries(originals).flatMap(([name, { words }]) => {
      const prompts = Object.entries(words).map(([prompt, sources]) => [prompt, Object.keys(sources)] as const)
      return prompts.length > 0 ? [[name, Object.fromEntries(prompts)] as const] : []
    })
    expect(found).toEqual(Object.fromEntries(cited))
  })
})
