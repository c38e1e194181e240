import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import type { Conversation, Rehearsal } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, rehearse } from '../parts/index.js'
import { langmem } from './index.js'
import { type LangGraph, langGraphStore } from './stores.js'

const installed = await import('@langchain/langgraph' as string).then(
  () => true,
  () => false,
)

runSystemConformance({ name: 'langmem', definition: langmem })
runSystemConformance({
  name: 'langmem:deletes=on:rounds=3',
  definition: langmem,
  options: { deletes: 'on', rounds: '3' },
})
runSystemConformance({
  name: 'langmem:as-in-memora',
  definition: langmem,
  options: langmem.variants!['as-in-memora']!.options,
})
if (installed)
  runSystemConformance({ name: 'langmem:store=langgraph', definition: langmem, options: { store: 'langgraph' } })

describe('langmem in the story', () => {
  const script = readStoryScript('langmem')
  const shownAt = (asked: { at: string; prompt: string }[], at: string) =>
    dataIn(asked.find((call) => call.at === at)!.prompt).memories!.split('\n')

  it('asks once a conversation and shows the five memories nearest to the last message', async () => {
    const { asked } = await runStory('langmem', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].map((at) => `${at} manage`),
    )
    expect(asked[0]!.prompt).toContain('Today is Monday, 6 May 2024.')
    expect(asked[0]!.prompt).not.toContain('"remove"')
    expect(shownAt(asked, 's1')).toEqual(['(none)'])
    expect(shownAt(asked, 's7')).toHaveLength(5)
    expect(shownAt(asked, 's7').join()).not.toContain('office')
  })

  it('rewrites in place what it is shown, and takes out only what it may', async () => {
    const rewritten = await runStory('langmem:lookup=conversation', script)
    expect(shownAt(rewritten.asked, 's7').join()).toContain("User's office is on Harbour Street")
    expect(rewritten.dumps.s7!.find(({ id }) => id === 'm2')).toEqual({
      id: 'm2',
      text: "User's office is on Mill Lane",
      time: '2024-05-21T09:15:00Z',
      sources: ['s1', 's7'],
    })
    expect(rewritten.held.find(({ id }) => id === 'm7')!.text).toContain('Kiln House')
    const removed = await runStory('langmem:lookup=conversation:deletes=on', script)
    expect(removed.held.map(({ text }) => text).join()).not.toContain('Kiln House')
    expect(removed.held.at(-1)).toMatchObject({ id: 'm10', text: 'User has given up the pottery class' })
  })

  it('calls no model as in Memora, and keeps whole sessions, longer messages and topics', async () => {
    const { asked, dumps, retrieved } = await runStory('langmem:as-in-memora', script)
    expect(asked).toEqual([])
    expect(dumps.s3!.slice(-3).map(({ text }) => text)).toEqual([
      '[Conversation from 2024-05-10] User: I only cycle to work when the wind is below 20 km/h.\nAssistant: Sensible.',
      '[2024-05-10] User said: I only cycle to work when the wind is below 20 km/h.',
      'On 2024-05-10, the user talked about: work',
    ])
    expect(retrieved.change!.some(({ text }) => text.includes('Harbour Street'))).toBe(true)
  })
})

describe('langmem', () => {
  const talk = (id: string, ...texts: string[]): Conversation => ({
    id,
    time: '2024-01-01T00:00:00Z',
    turns: texts.map((text) => ({ role: 'user', text })),
  })
  const create = (rehearsal: Rehearsal, options = {}) =>
    langmem.create({ ...systemTestContext(), llm: rehearse(rehearsal) }, options)
  const insert = (content: string) => ({ name: 'insert', input: { content } })
  const DONE = { calls: [{ name: 'done', input: {} }] }

  it('passes over calls that name what was not shown or say nothing, and says so in the log', async () => {
    const lines: string[] = []
    const calls = [
      { name: 'patch', input: { number: 4, content: 'User likes dates' } },
      insert(' '),
      insert('User likes figs'),
    ]
    const context = {
      ...systemTestContext(),
      llm: rehearse(() => ({ calls })),
      log: (line: string) => void lines.push(line),
    }
    const system = await langmem.create(context, {})
    await system.store(talk('c1', 'I like figs.'))
    expect((await system.dump!()).map(({ text }) => text)).toEqual(['User likes figs'])
    expect(lines).toHaveLength(2)
  })

  it('writes nothing before the model has finished, however many rounds it takes', async () => {
    let rounds = 0
    const system = await create(() => (++rounds < 3 ? { calls: [insert(`User likes fig ${rounds}`)] } : DONE), {
      rounds: '5',
    })
    await system.store(talk('c1', 'I like figs.'))
    expect(rounds).toBe(3)
    expect((await system.dump!()).map(({ text }) => text)).toEqual(['User likes fig 1', 'User likes fig 2'])
  })

  it('must call a tool: words are an error, "done" is nothing to remember', async () => {
    const chatty = await create(() => ({ text: 'I have recorded that you like figs.' }))
    await expect(chatty.store(talk('c1', 'I like figs.'))).rejects.toMatchObject({ code: 'unparsable' })
    const content = await create(() => DONE)
    await content.store(talk('c1', 'Hello.'))
    expect(await content.dump!()).toEqual([])
  })

  it('tells the model of a call that cannot be carried out, and keeps the good ones once', async () => {
    const results: string[] = []
    const system = await create(({ request }) => {
      results.push(...request.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : [])))
      const wrong = { name: 'insert', input: { content: ['User likes dates'] } }
      return { calls: [insert('User likes figs'), results.length === 0 ? wrong : insert('User likes dates')] }
    })
    await system.store(talk('c1', 'I like figs and dates.'))
    expect(results).toEqual(['Recorded.', expect.stringContaining('expected string, received array')])
    expect((await system.dump!()).map(({ id, text }) => `${id} ${text}`)).toEqual([
      'm1 User likes figs',
      'm2 User likes dates',
    ])
  })

  it('stores all of a conversation or nothing, when its model or its embedder fails in the middle', async () => {
    const figs = 'User likes figs'
    let fails: 'model' | 'embedder' | null = null
    let calls = 0
    const embed = wordEmbedder()
    const llm = rehearse(({ request }) => {
      const first = request.messages.at(-1)!.role !== 'tool'
      if (!first && fails === 'model') throw new Error('gone')
      if (!first) return DONE
      return calls++ === 0
        ? { calls: [insert(figs)] }
        : { calls: [insert('User likes dates'), { name: 'remove', input: { number: 0 } }] }
    })
    const context = {
      ...systemTestContext(),
      llm,
      embed: {
        ...embed,
        embed: async (texts: readonly string[]) => {
          if (fails === 'embedder' && texts.includes('User likes dates')) throw new Error('gone')
          return embed.embed(texts)
        },
      },
    }
    for (const store of ['array', 'langgraph']) {
      if (store === 'langgraph' && !installed) continue
      const system = await langmem.create(context, { deletes: 'on', rounds: '2', store })
      fails = null
      calls = 0
      await system.store(talk('c1', 'I like figs.'))
      const before = await system.dump!()
      expect(before.map(({ text }) => text)).toEqual([figs])
      for (fails of ['model', 'embedder'] as const) {
        await expect(system.store(talk('c2', 'I like dates, no figs.'))).rejects.toThrow('gone')
        expect(await system.dump!()).toEqual(before)
      }
      fails = null
      await system.store(talk('c3', 'I like dates, no figs.'))
      expect((await system.dump!()).map(({ text }) => text)).toEqual(['User likes dates'])
    }
  })

  it('forgets what comes after the most it keeps raw, as the file that Memora saves does', async () => {
    const system = await langmem.create(systemTestContext(), { write: 'raw', most: '3' })
    await system.store(talk('c1', 'I bake bread on every Sunday.', 'Short one.'))
    await system.store(talk('c2', 'I bake cake on every Monday.'))
    await system.store(talk('c3', 'I bake pies on every Tuesday.'))
    expect((await system.dump!()).map(({ sources }) => sources![0])).toEqual(['c1', 'c1', 'c2'])
    expect(['raw', 'manager'].map((write) => langmem.withoutModel!({ write }))).toEqual([true, false])
  })

  it.skipIf(installed)('says how to get the store of LangGraph when it is not there', async () => {
    await expect(create(() => ({ text: '' }), { store: 'langgraph' })).rejects.toMatchObject({
      message: expect.stringContaining('needs the package @langchain/langgraph'),
      hint: expect.stringContaining('npm install @langchain/langgraph'),
    })
  })

  it('finds in a store of LangGraph what it finds in a list', async () => {
    const store = await langGraphStore({ ...systemTestContext(), embed: wordEmbedder() }, async () => likeLangGraph)
    const rows = ['User likes figs', 'User cycles to work'].map((text, i) => ({
      id: `m${i}`,
      text,
      time: '',
      sources: [],
    }))
    expect(await store.search('figs', 3)).toEqual([])
    await store.change(rows)
    expect((await store.search('figs', 1)).map(({ row }) => row)).toEqual([rows[0]])
    await store.change([], ['m0'])
    expect(await store.rows()).toEqual([rows[1]])
    expect(store.size).toBe(1)
    expect((await store.search('figs', 1)).map(({ row }) => row)).toEqual([rows[1]])
  })

  it('takes what a store of LangGraph has no score for as unlike, and says why there is none', async () => {
    const { InMemoryStore } = likeLangGraph
    class Unscored extends InMemoryStore {
      override async search(...asked: Parameters<InstanceType<LangGraph['InMemoryStore']>['search']>) {
        return (await super.search(...asked)).map(({ key, value }) => ({ key, value }))
      }
    }
    const context = { ...systemTestContext(), embed: wordEmbedder() }
    const store = await langGraphStore(context, async () => ({ InMemoryStore: Unscored }))
    await store.change([{ id: 'm', text: 'User likes figs', time: '', sources: [] }])
    expect((await store.search('figs', 1)).map(({ score }) => score)).toEqual([0])
    const broken = langGraphStore(context, () => Promise.reject(new Error('it is gone')))
    await expect(broken).rejects.toThrow('needs the package @langchain/langgraph: it is gone')
  })
})

/** What is known of LangGraph's store: values by key in order, searched by the embeddings it is given. */
const likeLangGraph: LangGraph = {
  InMemoryStore: class {
    readonly #held = new Map<string, { value: never; vector: number[] }>()
    readonly #index
    constructor({ index }: ConstructorParameters<LangGraph['InMemoryStore']>[0]) {
      this.#index = index
    }
    async put(namespace: string[], key: string, value: { content: string }) {
      const [vector] = await this.#index.embeddings.embedDocuments([value.content])
      this.#held.set([...namespace, key].join('/'), { value: value as never, vector: vector! })
    }
    async delete(namespace: string[], key: string) {
      this.#held.delete([...namespace, key].join('/'))
    }
    async search(_namespace: string[], { query, limit }: { query?: string; limit: number }) {
      const sought = query === undefined ? null : await this.#index.embeddings.embedQuery(query)
      const items = [...this.#held].map(([path, { value, vector }]) => ({
        key: path.split('/').at(-1)!,
        value,
        ...(sought && { score: vector.reduce((sum, part, i) => sum + part * sought[i]!, 0) }),
      }))
      if (sought) items.sort((a, b) => b.score! - a.score!)
      return items.slice(0, limit)
    }
  },
}
