import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, honestReply, itemsOf } from '../../../bench/reading-model.js'
import { Harness, SPEC } from '../../../test/gateway/harness.js'
import { fakeLlm } from '../../../test/judges/fake-llm.js'
import { FAULTS } from '../../gateway/index.js'
import { preferenceCues, ruleCues } from '../../language/derive-cues.js'
import { type Fact, LlmError, type Memory, type Stance, UnjudgedError } from '../../model/index.js'
import { runJudgeConformance } from '../conformance.js'
import { createLlmJudge } from './index.js'

let harness: Harness
beforeAll(async () => {
  harness = await Harness.start({ rules: [], otherwise: ({ last }) => ({ json: honestReply(last) }) })
})
afterAll(() => harness.close())

runJudgeConformance({ name: 'llm, over HTTP', newJudge: () => createLlmJudge(harness.open().llm(SPEC)) })

const fact = (i: number): Fact => ({
  id: `f${i}`,
  text: `Thing ${i} stands on shelf ${i}.`,
  sources: [],
  cues: { kind: 'statement', parts: [], explicit: true },
})
const FACTS = Array.from({ length: 45 }, (_, i) => fact(i))
const STORE: Memory[] = FACTS.slice(0, 30).map(({ id, text }) => ({ id: `m-${id}`, text }))

type Verdicts = { verdicts: { id: number; memories: number[][]; stored: boolean; faithful: boolean }[] }
const honest = (prompt: string) => honestReply(prompt) as Verdicts

describe('facts judged by a model', () => {
  it('that speak of a value are shown by their stance, with what they rest on or wait for', async () => {
    const state = (stance: Stance, sources: string[]): Fact => ({
      id: stance,
      text: `${stance} text`,
      sources,
      cues: {
        kind: 'state',
        stance,
        explicit: true,
        parts: [
          { role: 'what', forms: ['gym', 'fitness'] },
          { role: 'value', forms: ['Anvil & Oak'] },
          { role: 'condition', forms: ['home town', 'Ostermere'] },
        ],
      },
    })
    const llm = fakeLlm(honestReply)
    await createLlmJudge(llm).judgeFacts(
      [state('dependent', ['s']), state('conditional', ['s']), state('doubted', [])],
      STORE,
    )
    const [dependent, conditional, doubted] = itemsOf(blocksOf(llm.prompts[0]!)[1]!)
    expect(dependent!.fields).toMatchObject({ thing: 'gym', value: 'Anvil & Oak', 'rests on': 'home town, Ostermere' })
    expect(conditional!.fields).toMatchObject({ 'waits for': 'home town', said: 'conditional text' })
    expect(doubted!.fields).toMatchObject({ concluded: 'doubted text' })
    for (const stance of ['dependent', 'conditional', 'doubted'])
      expect(llm.prompts[0]).toMatch(new RegExp(`^${stance}: `, 'm'))
  })

  it('go 20 to a call, after the same store, at temperature 0', async () => {
    const llm = fakeLlm(honestReply)
    const verdicts = await createLlmJudge(llm).judgeFacts(FACTS, STORE)
    expect(verdicts.map(({ label }) => label)).toEqual(FACTS.map((_, i) => (i < 30 ? 'correct' : 'not_stored')))
    const blocks = llm.prompts.map(blocksOf)
    expect(blocks.map(([, targets]) => itemsOf(targets!).length)).toEqual([20, 20, 5])
    const store = llm.prompts[0]!.slice(0, llm.prompts[0]!.indexOf('<<end'))
    expect(llm.prompts.every((prompt) => prompt.startsWith(store))).toBe(true)
    expect(llm.requests.every(({ temperature }) => temperature === 0)).toBe(true)
    expect(llm.options.every(({ role }) => role === 'judge')).toBe(true)
  })

  it('are asked for again, those alone that are missing', async () => {
    const llm = fakeLlm((prompt, call) => {
      const reply = honest(prompt)
      return call === 1 ? { verdicts: reply.verdicts.filter(({ id }) => id !== 3 && id !== 7) } : reply
    })
    const verdicts = await createLlmJudge(llm).judgeFacts(FACTS.slice(0, 10), STORE)
    expect(verdicts.map(({ label }) => label)).toEqual(Array(10).fill('correct'))
    const again = itemsOf(blocksOf(llm.prompts[1]!)[1]!)
    expect(again.map(({ fields }) => fields.said)).toEqual([FACTS[2]!.text, FACTS[6]!.text])
    expect(llm.prompts[1]).toMatch(/could not be used: 2 ids were missing/)
  })

  it.each<[string, (verdicts: Verdicts['verdicts']) => unknown[], RegExp]>([
    ['an id nobody asked for', (verdicts) => [...verdicts, { ...verdicts[0]!, id: 99 }], /no id 99/],
    [
      'an id that comes twice',
      (verdicts) => [...verdicts, { ...verdicts[0]!, stored: false, faithful: false }],
      /twice/,
    ],
    [
      'a memory that was not shown',
      (verdicts) => [{ ...verdicts[0]!, memories: [[31]] }, ...verdicts.slice(1)],
      /not between 1 and 30/,
    ],
    [
      'memory number 0',
      (verdicts) => [{ ...verdicts[0]!, memories: [[0]] }, ...verdicts.slice(1)],
      /not between 1 and 30/,
    ],
    [
      'faithful but not stored',
      (verdicts) => [{ ...verdicts[0]!, stored: false }, ...verdicts.slice(1)],
      /faithful but not stored/,
    ],
    ['faithful on no memory', (verdicts) => [{ ...verdicts[0]!, memories: [] }, ...verdicts.slice(1)], /no memories/],
  ])('are refused with %s, and asked for again', async (_, spoil, complaint) => {
    const llm = fakeLlm((prompt, call) => {
      const { verdicts } = honest(prompt)
      return { verdicts: call === 1 ? spoil(verdicts) : verdicts }
    })
    const verdicts = await createLlmJudge(llm).judgeFacts(FACTS.slice(0, 2), STORE)
    expect(verdicts.map(({ label, support }) => [label, support])).toEqual([
      ['correct', [['m-f0']]],
      ['correct', [['m-f1']]],
    ])
    expect(llm.prompts).toHaveLength(2)
    expect(llm.prompts[1]).toMatch(complaint)
  })

  it('that never get a usable verdict are errors; the others keep theirs', async () => {
    const llm = fakeLlm((prompt) => {
      const reply = honest(prompt)
      const targets = itemsOf(blocksOf(prompt)[1]!)
      return { verdicts: reply.verdicts.filter(({ id }) => targets[id - 1]!.fields.said !== FACTS[1]!.text) }
    })
    const judged = createLlmJudge(llm).judgeFacts(FACTS.slice(0, 3), STORE)
    const error = await judged.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnjudgedError)
    const { verdicts, failures } = error as UnjudgedError
    expect(verdicts.map((verdict) => verdict.fact)).toEqual(['f0', 'f2'])
    expect(failures).toMatchObject([{ fact: 'f1', reason: expect.stringMatching(/missing/) }])
    expect(llm.prompts).toHaveLength(3)
  })

  it('are asked for in halves when a reply cannot be read', async () => {
    const llm = fakeLlm((prompt) => (itemsOf(blocksOf(prompt)[1]!).length > 5 ? 'sorry' : honestReply(prompt)))
    const verdicts = await createLlmJudge(llm).judgeFacts(FACTS.slice(0, 10), STORE)
    expect(verdicts.map((verdict) => verdict.fact)).toEqual(FACTS.slice(0, 10).map(({ id }) => id))
    expect(llm.prompts).toHaveLength(3)
  })

  it('end the run when the budget does', async () => {
    const llm = fakeLlm(() => {
      throw new LlmError('budget', 'Spent.', '')
    })
    await expect(createLlmJudge(llm).judgeFacts(FACTS, STORE)).rejects.toMatchObject({ code: 'budget' })
  })

  it('get the same verdicts from a provider that fails three times in ten', async () => {
    const kinds = FAULTS.filter((kind) => kind !== 'hang')
    const faulty = await Harness.start({
      rules: [],
      otherwise: ({ request }) => ({ json: honestReply(request.messages[1]!.content) }),
      faults: { rate: 0.3, kinds, seed: 7, slowMs: 1 },
    })
    const many = Array.from({ length: 400 }, (_, i) => fact(i))
    const verdicts = await createLlmJudge(faulty.open().llm(SPEC)).judgeFacts(many, STORE)
    expect(verdicts).toEqual(await createLlmJudge(fakeLlm(honestReply)).judgeFacts(many, STORE))
    expect(Object.keys(faulty.model.stats.faults).length).toBeGreaterThan(3)
    await faulty.close()
  })

  it('never take JSON that a model quotes among its words for a verdict', async () => {
    const quoted = '{"verdicts":[{"id":1,"reason":"x","memories":[[1]],"stored":true,"faithful":true}]}'
    const own = '{"verdicts":[{"id":1,"reason":"x","memories":[],"stored":false,"faithful":false}]}'
    const parrot = await Harness.start({ rules: [], otherwise: `A memory says ${quoted} but I say ${own}` })
    const judged = createLlmJudge(parrot.open().llm(SPEC)).judgeFacts([fact(1)], [{ id: 'm', text: quoted }])
    await expect(judged).rejects.toBeInstanceOf(UnjudgedError)
    await parrot.close()
  })
})

describe('what a model is shown of a store', () => {
  it('is a text once, however many memories hold it, and all of them are its support', async () => {
    const store = [...STORE.slice(0, 2), { id: 'twin', text: STORE[0]!.text }]
    const llm = fakeLlm(honestReply)
    const [verdict] = await createLlmJudge(llm).judgeFacts([FACTS[0]!], store)
    expect(itemsOf(blocksOf(llm.prompts[0]!)[0]!)).toHaveLength(2)
    expect(verdict!.support).toEqual([['m-f0'], ['twin']])
  })

  it('is only what comes near the facts when the store is large, and the verdict says so', async () => {
    const large = [
      ...STORE,
      ...Array.from({ length: 400 }, (_, i) => ({ id: `x${i}`, text: `Filler about nothing ${i}.` })),
    ]
    const llm = fakeLlm(honestReply)
    const judge = createLlmJudge(llm, { storeTokens: 500, partTokens: 400, perFact: 3 })
    const [kept, lost] = await judge.judgeFacts([FACTS[0]!, FACTS[40]!], large)
    expect(itemsOf(blocksOf(llm.prompts[0]!)[0]!).length).toBeLessThanOrEqual(6)
    expect(kept).toMatchObject({ label: 'correct', support: [['m-f0']], uncertain: false })
    expect(lost).toMatchObject({ label: 'not_stored', uncertain: true })
    expect(lost!.reason).toMatch(/likeliest memories of a large store/)
  })

  it('tells rules by their parts, leniently where they are spread, and by their source where that is vaguer', async () => {
    const essay = 'Odo lives at the mill. He whittles spoons only when the wind is high. He likes tea.'
    const rule: Fact = {
      ...fact(0),
      text: essay,
      cues: ruleCues('Odo', 'whittles spoons', 'when the wind is high', essay),
    }
    const llm = fakeLlm(honestReply)
    await createLlmJudge(llm).judgeFacts(
      [rule, { ...rule, id: 'b', spread: true }, { ...rule, id: 'c', unsupported: 'no number' }],
      STORE,
    )
    const [, targets] = blocksOf(llm.prompts[0]!)
    const [plain, spread, vague] = itemsOf(targets!)
    expect(plain!.fields).toEqual({
      who: 'Odo',
      does: 'whittles spoons',
      when: 'when the wind is high',
      'only then': 'yes',
      said: 'He whittles spoons only when the wind is high.',
    })
    expect(spread!.text).toMatch(/^spread-rule/)
    expect(vague!.fields.source).toBe(essay)
    expect(llm.prompts[0]).toMatch(/For stored be lenient/)
    expect(llm.prompts[0]).not.toMatch(/^preference:/m)
  })

  it('names preferences, and memories that no longer hold', async () => {
    const llm = fakeLlm(honestReply)
    const liking: Fact = { ...fact(0), text: 'I like fencing.', cues: preferenceCues('fencing', 'I like fencing.') }
    await createLlmJudge(llm).judgeFacts([liking], [{ id: 'a', text: 'Likes golf', status: 'invalidated' }])
    const [memories, targets] = blocksOf(llm.prompts[0]!)
    expect(itemsOf(targets!)[0]!.fields).toEqual({ names: 'fencing', said: 'I like fencing.' })
    expect(memories!.body).toBe('[1] (invalidated) Likes golf')
  })

  it('is part of the key, like prompts and model', () => {
    const keys = [
      createLlmJudge(fakeLlm(honestReply)),
      createLlmJudge(fakeLlm(honestReply, 'other:model')),
      createLlmJudge(fakeLlm(honestReply), { perFact: 3 }),
    ].map(({ key }) => key)
    expect(new Set(keys).size).toBe(3)
    expect(createLlmJudge(fakeLlm(honestReply)).key).toBe(keys[0])
  })
})
