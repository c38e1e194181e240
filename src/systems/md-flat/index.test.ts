import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import type { Conversation, LlmMessage, Rehearsal } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, rehearse, showData } from '../parts/index.js'
import { mdFlat } from './index.js'

runSystemConformance({ name: 'md-flat', definition: mdFlat })
runSystemConformance({
  name: 'md-flat:whole-file',
  definition: mdFlat,
  options: mdFlat.variants!['whole-file']!.options,
})

describe('md-flat in the story', () => {
  const script = readStoryScript('md-flat')

  it('reads the file, appends and stops, conversation after conversation; then reads and names lines', async () => {
    const { asked } = await runStory('md-flat', script)
    expect(asked.slice(0, 24).map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].flatMap((at) => [
        `${at} ingest`,
        `${at} ingest`,
        `${at} ingest`,
      ]),
    )
    expect(asked[0]!.prompt).toContain('[2024/05/06] User …')
    expect(dataIn(asked[1]!.prompt).memory).toBe('(empty)')
    expect(dataIn(asked[4]!.prompt).memory).toBe(
      "[2024/05/06] User likes oolong tea\n[2024/05/06] User's office is on Harbour Street",
    )
    expect(asked.slice(24).map(({ at, role }) => `${at} ${role}`)).toEqual(
      ['likes', 'rule', 'change', 'exact', 'other', 'deletion', 'cascade'].flatMap((at) =>
        Array(2).fill(`${at} retrieve`),
      ),
    )
    expect(dataIn(asked.at(-1)!.prompt).memory!.split('\n')).toHaveLength(11)
  })

  it('holds a line a fact with the day it was said, and finds the quoted lines in the order of the reply', async () => {
    const { held, retrieved } = await runStory('md-flat', script)
    expect(held).toHaveLength(11)
    expect(held[2]).toEqual({
      id: 'l3',
      text: expect.stringMatching(/^\[2024\/05\/08\] User eats lunch/),
      time: '2024-05-08T12:10:00Z',
      sources: ['s2'],
    })
    expect(retrieved.change!.map(({ id }) => id)).toEqual(['l10', 'l2'])
  })

  it('never opens the line of the change when something else is asked; the whole file has it', async () => {
    const picked = await runStory('md-flat', script)
    expect(picked.retrieved.cascade!.map(({ id }) => id)).toEqual(['l3'])
    expect(picked.outcomes.cascade!.outcome).toBe('not_retrieved')
    const whole = await runStory('md-flat:whole-file', script)
    expect(whole.outcomes.cascade!.outcome).toBe('answerable')
    expect(whole.asked.every(({ role }) => role === 'ingest')).toBe(true)
  })
})

describe('md-flat', () => {
  const talk = (id: string, time: string): Conversation => ({ id, time, turns: [{ role: 'user', text: 'Hello.' }] })
  const query = { id: 'q', text: 'What?', time: '2024-01-05T00:00:00Z' }
  const create = (rehearsal: Rehearsal, options = {}) =>
    mdFlat.create({ ...systemTestContext(), llm: rehearse(rehearsal) }, options)
  const writes = (content: string) => ({ name: 'write_file', input: { path: 'memory.md', content } })

  /** One call a conversation, then replies to questions. */
  const playing = (contents: readonly string[], reply: string): Rehearsal => {
    let at = 0
    return ({ step, request }) => {
      if (step === 'retrieve') return { text: reply }
      return request.messages.at(-1)!.role === 'tool' ? { text: 'Done.' } : { calls: [writes(contents[at++]!)] }
    }
  }

  it('keeps lines that are written again as they were, and dates the others anew', async () => {
    const system = await create(playing(['# Notes\n\na\nb\na', '# Notes\nb\nc\na'], '(none)'))
    await system.store(talk('c1', '2024-01-01T00:00:00Z'))
    await system.store(talk('c2', '2024-01-02T00:00:00Z'))
    expect((await system.dump!()).map(({ id, text, sources }) => `${id} ${text} ${sources}`)).toEqual([
      'l1 # Notes c1',
      'l3 b c1',
      'l5 c c2',
      'l2 a c1',
    ])
    expect(await system.retrieve(query, 5, { k: 5 })).toEqual([])
  })

  it('knows a line by its words, and gives what is no line as it was said', async () => {
    const reply = '- user  likes tea\n* [2024/01/01] User likes figs\nUser is happy'
    const system = await create(playing(['[2024/01/01] User likes figs\n[2024/01/01] User likes tea'], reply))
    await system.store(talk('c1', '2024-01-01T00:00:00Z'))
    expect((await system.retrieve(query, 9, { k: 9 })).map(({ id, text }) => `${id} ${text}`)).toEqual([
      'l2 [2024/01/01] User likes tea',
      'l1 [2024/01/01] User likes figs',
      'said-3 User is happy',
    ])
  })

  it('tells the model that there is one file only, and stops it after five rounds', async () => {
    const outputs: string[] = []
    const system = await create(({ request }) => {
      const last = request.messages.at(-1)!
      if (last.role === 'tool') outputs.push(last.content)
      return {
        calls: [{ name: 'append_file', input: { path: outputs.length === 0 ? 'b.md' : 'memory.md', content: 'x' } }],
      }
    })
    await system.store(talk('c1', '2024-01-01T00:00:00Z'))
    expect(outputs[0]).toBe('Error: There is no file "b.md", only memory.md.')
    expect(outputs).toHaveLength(4)
    expect(await system.dump!()).toHaveLength(4)
    await expect(system.retrieve(query, 5, { k: 5 })).rejects.toMatchObject({ code: 'unparsable' })
  })

  it('is an error when words come with calls to the end of its rounds, and no lines after them', async () => {
    const llm = rehearse(() => ({ calls: [{ name: 'list_files', input: {} }] }))
    const chatty: typeof llm = {
      ...llm,
      generate: async (request, options) => ({ ...(await llm.generate(request, options)), text: 'I look further.' }),
    }
    const system = await mdFlat.create({ ...systemTestContext(), llm: chatty }, {})
    await system.insert!([{ id: 'one', text: 'User likes figs.' }])
    await expect(system.retrieve(query, 5, { k: 5 })).rejects.toThrow('named no lines in 5 rounds')
  })

  it('is an error when the model calls no tool and does not say that there is nothing to keep', async () => {
    const system = await create(() => ({ text: 'I have noted that you like figs.' }))
    await expect(system.store(talk('c1', '2024-01-01T00:00:00Z'))).rejects.toMatchObject({ code: 'unparsable' })
    const idle = await create(() => ({ text: 'Done.' }))
    await idle.store(talk('c1', '2024-01-01T00:00:00Z'))
    expect(await idle.dump!()).toEqual([])
  })

  it('stores all of a conversation or nothing, when its model fails in the middle', async () => {
    let fails = false
    const system = await create(({ request }) => {
      if (request.messages.at(-1)!.role !== 'tool') return { calls: [writes(fails ? 'b' : 'a\nb')] }
      if (fails) throw new Error('gone')
      return { text: 'Done.' }
    })
    await system.store(talk('c1', '2024-01-01T00:00:00Z'))
    const before = await system.dump!()
    expect(before).toHaveLength(2)
    fails = true
    await expect(system.store(talk('c2', '2024-01-02T00:00:00Z'))).rejects.toThrow('gone')
    expect(await system.dump!()).toEqual(before)
  })
})

it('is rehearsed with lines that share a long word with a question, best first', async () => {
  const memory = 'I sail.\nI like figs.\nFigs grow in Oslo.\nOslo is far.'
  const prompt = showData({ question: 'Do figs grow in town?', memory })
  const used: LlmMessage = { role: 'tool', callId: '1', name: 'read_file', content: '' }
  const reply = await mdFlat.rehearsal!({ step: 'retrieve', prompt, request: { messages: [used] } })
  expect(reply).toEqual({ text: 'Figs grow in Oslo.\nI like figs.' })
})
