import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import type { Conversation, Rehearsal, RehearsedReply, Turn } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, rehearse } from '../parts/index.js'
import { nemori } from './index.js'

runSystemConformance({ name: 'nemori', definition: nemori })
runSystemConformance({
  name: 'nemori:statements',
  definition: nemori,
  options: nemori.variants!.statements!.options,
})

describe('nemori in the story', () => {
  const script = readStoryScript('nemori')
  const texts = (memories: readonly { id: string; text: string }[] | undefined) =>
    memories?.map(({ id, text }) => `${id} ${text}`)

  it('tells an episode, learns directly at first, and from then on from what it failed to foretell', async () => {
    const { asked } = await runStory('nemori:near=-1', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual([
      's1 episode',
      's1 direct',
      ...['s2', 's3', 's4', 's5', 's6', 's7', 's8'].flatMap((at) =>
        ['episode', 'decide', 'predict', 'compare'].map((step) => `${at} ${step}`),
      ),
    ])
    expect(asked[0]!.prompt).toContain('a conversation that began at 2024-05-06 08:30.')
    const at = (conversation: string, step: string) =>
      dataIn(asked.find((call) => call.at === conversation && call.step === step)!.prompt)
    expect(at('s7', 'decide').earlier!.match(/^\[\d\]/gm)).toEqual(['[0]', '[1]', '[2]', '[3]', '[4]'])
    expect(at('s7', 'predict').statements).toContain("User's office is on Harbour Street")
    expect(at('s7', 'predict').title).toMatch(/^- User reports that the office has moved/)
    expect(at('s7', 'compare')).toEqual({
      conversation: expect.stringMatching(/^user: We have moved rooms/),
      prediction: "- User's office stays on Harbour Street.",
    })
  })

  it('keeps an episode a conversation, only ever adds statements, and finds both by added ranks', async () => {
    const { dumps, held, retrieved } = await runStory('nemori', script)
    expect(texts(dumps.s1)!.slice(1)).toEqual(['s1 User likes oolong tea', "s2 User's office is on Harbour Street"])
    expect(held.filter(({ id }) => id.startsWith('e'))).toHaveLength(8)
    expect(texts(held)).toEqual(
      expect.arrayContaining(["s2 User's office is on Harbour Street", "s9 User's office is on Mill Lane now"]),
    )
    expect(retrieved.likes!.slice(0, 4).map(({ id, score }) => [id, score])).toEqual([
      ['e1', 2 / 61],
      ['s1', 2 / 61],
      ['e6', 2 / 62],
      ['s8', 2 / 62],
    ])
  })

  it('learns nothing from what happened once, unless everything counts', async () => {
    const lasting = await runStory('nemori:statements', script)
    expect(lasting.held.some(({ id, text }) => id.startsWith('s') && text.includes('given up'))).toBe(false)
    expect(lasting.outcomes.deletion!.outcome).toBe('not_retrieved')
    const everything = await runStory('nemori:statements:lasting=off', script)
    expect(everything.retrieved.deletion!.some(({ text }) => text.includes('given up'))).toBe(true)
    expect(everything.outcomes.deletion!.outcome).toBe('answerable')
  })
})

describe('nemori', () => {
  const talk = (id: string, turns: readonly string[]): Conversation => ({
    id,
    time: '2024-01-01T10:00:00Z',
    turns: turns.map((text, i): Turn => ({ role: i % 2 === 0 ? 'user' : 'assistant', text })),
  })
  const logged: string[] = []
  const create = (replies: Record<string, RehearsedReply>, asked: { step: string; prompt: string }[] = []) => {
    const rehearsal: Rehearsal = ({ step, prompt }) => {
      asked.push({ step, prompt })
      return replies[step]!
    }
    const log = (message: string) => void logged.push(message)
    return nemori.create({ ...systemTestContext(), embed: wordEmbedder(), llm: rehearse(rehearsal), log }, {})
  }
  const account = { json: { title: 'A walk', content: 'User walked in the park.' } }
  const none = { json: { statements: [] } }

  it('divides from 20 messages on; parts of one message and numbers that were not shown are dropped', async () => {
    const asked: { step: string; prompt: string }[] = []
    const middle = Array.from({ length: 13 }, (_, i) => i + 5)
    const segments = [[0, 2, 4, 99], [1], [3], middle, [19, 18]].map((indices) => ({ indices, topic: 'x' }))
    const decide = { json: { decision: 'new', target: -1, reason: '' } }
    const system = await create(
      { segment: { json: { episodes: segments } }, episode: account, direct: none, decide },
      asked,
    )
    await system.store(talk('c1', [...Array.from({ length: 20 }, (_, i) => `message ${i}`), ' ']))
    const told = asked.filter(({ step }) => step === 'episode').map(({ prompt }) => dataIn(prompt).conversation)
    expect(told).toEqual([
      'user: message 0\nuser: message 2\nuser: message 4',
      expect.stringMatching(/^assistant: message 5\n/),
      'user: message 18\nassistant: message 19',
    ])
    expect(dataIn(asked[0]!.prompt).conversation).toMatch(/^\[0\] user: message 0\n\[1\] assistant: message 1\n/)
    asked.length = 0
    await system.store(
      talk(
        'c2',
        Array.from({ length: 19 }, (_, i) => `message ${i}`),
      ),
    )
    expect(asked[0]!.step).toBe('episode')
  })

  it('asks again for a single message that was left out, and leaves out the rest of what is one message long', async () => {
    const long = Array.from({ length: 20 }, (_, i) => `message ${i}`)
    const parts = (...groups: number[][]) => ({
      json: { episodes: groups.map((indices) => ({ indices, topic: 'x' })) },
    })
    const most = Array.from({ length: 19 }, (_, i) => i)
    const one = await create({ segment: parts(most), episode: account, direct: none })
    await expect(one.store(talk('c1', long))).rejects.toThrow('In no episode: 19')
    const asked: { step: string; prompt: string }[] = []
    const rest = await create({ segment: parts(most, [19]), episode: account, direct: none }, asked)
    logged.length = 0
    await rest.store(talk('c1', long))
    expect(logged).toEqual(['nemori: 1 messages of c1 are in no episode'])
    const all = await create({ segment: parts([...most, 19]), episode: account, direct: none })
    await all.store(talk('c1', long))
    expect(logged).toHaveLength(1)
    expect(dataIn(asked.find(({ step }) => step === 'episode')!.prompt).conversation).not.toContain('message 19')
    const bare = { ...systemTestContext(), embed: wordEmbedder(), llm: rehearse(() => none) }
    const single = await nemori.create(bare, nemori.variants!.statements!.options)
    await single.insert!([{ id: 's', text: 'User rows' }])
    expect(await single.retrieve({ id: 'q', text: 'rows', time: '' }, 5, { k: 5 })).toHaveLength(1)
  })

  it('keeps an account of one character', async () => {
    const system = await create({ episode: { json: { title: '', content: '茶' } }, direct: none })
    await system.store(talk('c1', ['お茶です']))
    expect((await system.dump!()).map(({ text }) => text)).toEqual(['茶'])
  })

  it('never leaves a message in no episode, and takes nothing for a prediction', async () => {
    const episodes = [{ indices: [0, 1], topic: 'x' }]
    const system = await create({ segment: { json: { episodes } }, episode: account, direct: none })
    const long = Array.from({ length: 20 }, (_, i) => `message ${i}`)
    await expect(system.store(talk('c1', long))).rejects.toThrow('In no episode: 2, 3')
    const known = { json: { statements: ['A walk User walked in the park.'] } }
    const decide = { json: { decision: 'new', target: -1, reason: '' } }
    const mute = await create({ episode: account, direct: known, decide, predict: { text: ' ' }, compare: none })
    await mute.store(talk('c1', ['I walked in the park.']))
    await expect(mute.store(talk('c2', ['I walked in the park.']))).rejects.toThrow('It is empty')
  })

  it('foretells from statements of a score of 0.7 or more, a cosine of 0.85, and else nothing, without a call', async () => {
    // Words are directions: of the seven of the episode a statement shares so many, alone.
    const shared = (count: number) =>
      ['alpha', 'bravo', 'cedar', 'delta', 'ember', 'frost', 'grain'].slice(0, count).join(' ')
    const stepsFor = async (count: number) => {
      const asked: { step: string; prompt: string }[] = []
      const episode = { json: { title: 'alpha bravo cedar', content: 'delta ember frost grain' } }
      const decide = { json: { decision: 'new', target: -1, reason: '' } }
      const direct = { json: { statements: [shared(count)] } }
      const system = await create({ episode, direct, decide, predict: { text: 'A walk.' }, compare: none }, asked)
      await system.store(talk('c1', ['one']))
      await system.store(talk('c2', ['two']))
      return asked.slice(2)
    }
    // Cosines of about 0.93 and 0.76.
    expect((await stepsFor(6)).map(({ step }) => step)).toEqual(['episode', 'decide', 'predict', 'compare'])
    const gated = await stepsFor(4)
    expect(gated.map(({ step }) => step)).toEqual(['episode', 'decide', 'compare'])
    expect(dataIn(gated.at(-1)!.prompt).prediction).toMatch(/^- Nothing is known/)
  })

  it('foretells from ten statements at most', async () => {
    const asked: { step: string; prompt: string }[] = []
    const direct = { json: { statements: Array.from({ length: 12 }, () => 'A walk. User walked in the park.') } }
    const decide = { json: { decision: 'new', target: -1, reason: '' } }
    const system = await create(
      { episode: account, direct, decide, predict: { text: 'A walk.' }, compare: none },
      asked,
    )
    await system.store(talk('c1', ['I walked.']))
    await system.store(talk('c2', ['I walked.']))
    const { statements } = dataIn(asked.find(({ step }) => step === 'predict')!.prompt)
    expect(statements!.split('\n')).toHaveLength(10)
  })

  it('puts one account in the place of two of the same event, and passes over one that was not shown', async () => {
    const decide = (target: number) => ({ json: { decision: 'merge', target, reason: 'same walk' } })
    const merge = { json: { title: 'A long walk', content: 'User walked in the park and on.' } }
    const replies = { episode: account, direct: none, decide: decide(7), merge }
    const system = await create(replies)
    await system.store(talk('c1', ['I walked in the park.']))
    await system.store(talk('c2', ['And on.']))
    expect((await system.dump!()).map(({ id }) => id)).toEqual(['e1', 'e2'])
    replies.decide = decide(0)
    await system.store(talk('c3', ['And on.']))
    expect((await system.dump!()).map(({ id, text, sources }) => [id, text, sources])).toEqual([
      ['e2', 'A walk\nUser walked in the park.', ['c2']],
      ['e4', 'A long walk\nUser walked in the park and on.', ['c1', 'c3']],
    ])
    const found = await system.retrieve({ id: 'q', text: 'the long walk', time: '2024-01-02T00:00:00Z' }, 5, { k: 5 })
    expect(found.map(({ id }) => id)).toEqual(['e4', 'e2'])
  })
})
