import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { createGateway, ScriptedModel } from '../../gateway/index.js'
import type { Conversation, Rehearsal } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, itemsIn, rehearse } from '../parts/index.js'
import { mem0V1 } from './index.js'

runSystemConformance({ name: 'mem0-v1', definition: mem0V1 })
runSystemConformance({ name: 'mem0-v1:additive', definition: mem0V1, options: mem0V1.variants!.additive!.options })
runSystemConformance({ name: 'mem0-v1, changing much', definition: { ...mem0V1, rehearsal: changingMuch() } })

/** Changes, deletes and adds in one reply, in words that have yet to be embedded. */
function changingMuch(): Rehearsal {
  return (call) => {
    if (call.step !== 'decide') return mem0V1.rehearsal!(call)
    const { memories, facts } = dataIn(call.prompt)
    const [first, second] = itemsIn(memories)
    const added = facts!.split('\n').map((fact) => ({ id: 'new', text: `It is said that ${fact}`, event: 'ADD' }))
    const updated = first ? [{ id: '0', text: `${first.text} Still.`, event: 'UPDATE' }] : []
    const deleted = second ? [{ id: '1', text: second.text, event: 'DELETE' }] : []
    return { json: { memory: [...updated, ...deleted, ...added] } }
  }
}

describe('mem0-v1 in the story', () => {
  const script = readStoryScript('mem0-v1')
  const texts = (memories: readonly { id: string; text: string }[] | undefined) =>
    memories?.map(({ id, text }) => `${id} ${text}`)

  it('asks twice a conversation: for facts, then what to do with them', async () => {
    const { asked } = await runStory('mem0-v1', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].flatMap((at) => [`${at} extract`, `${at} decide`]),
    )
    expect(asked[0]!.prompt).toContain('Today is Monday, 6 May 2024.')
    expect(dataIn(asked[1]!.prompt)).toEqual({
      memories: '(none)',
      facts: "- User likes oolong tea\n- User's office is on Harbour Street",
    })
  })

  it('shows the five memories nearest to each fact, each once, under numbers of their own', async () => {
    const { asked } = await runStory('mem0-v1', script)
    const shown = dataIn(asked.find(({ at, step }) => at === 's6' && step === 'decide')!.prompt).memories!.split('\n')
    expect(shown).toHaveLength(6)
    expect(shown.map((line) => line.slice(0, 4))).toEqual(['[0] ', '[1] ', '[2] ', '[3] ', '[4] ', '[5] '])
    expect(shown.some((line) => line.includes('User likes oolong tea'))).toBe(true)
  })

  it('updates in place, deletes, and notes where a memory came from', async () => {
    const { dumps } = await runStory('mem0-v1', script)
    expect(texts(dumps.s1)).toEqual(['m1 User likes oolong tea', "m2 User's office is on Harbour Street"])
    expect(texts(dumps.s6)).toContain('m1 User likes several kinds of tea')
    expect(dumps.s7!.find(({ id }) => id === 'm2')).toEqual({
      id: 'm2',
      text: "User's office is on Mill Lane",
      time: '2024-05-21T09:15:00Z',
      sources: ['s1', 's7'],
    })
    expect(texts(dumps.s7)).toContain('m7 User takes a pottery class at the Kiln House on Thursdays')
    expect(dumps.s8!.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm8'])
  })

  it('folds two likes into one, and keeps both when nothing is decided', async () => {
    const merged = await runStory('mem0-v1', script)
    expect(merged.verdicts.oolong!.label).toBe('summary_error')
    expect(merged.verdicts.rooibos!.label).toBe('summary_error')
    const additive = await runStory('mem0-v1:additive', script)
    expect(additive.asked.every(({ step }) => step === 'extract')).toBe(true)
    expect(additive.outcomes.likes!.outcome).toBe('answerable')
    expect(additive.retrieved.likes!.slice(0, 2).map(({ text }) => text)).toEqual([
      'User likes oolong tea',
      'User likes rooibos tea',
    ])
  })
})

describe('mem0-v1', () => {
  const talk = (text: string): Conversation => ({
    id: 'c1',
    time: '2024-01-01T00:00:00Z',
    turns: [{ role: 'user', text }],
  })
  const create = (rehearsal: Rehearsal) => mem0V1.create({ ...systemTestContext(), llm: rehearse(rehearsal) }, {})

  it('asks nothing more when there are no facts', async () => {
    const steps: string[] = []
    const system = await create(({ step }) => {
      steps.push(step)
      return { json: { facts: [] } }
    })
    await system.store(talk('There are branches in trees.'))
    expect(steps).toEqual(['extract'])
    expect(await system.dump!()).toEqual([])
  })

  it('passes over decisions without text and on memories that were not shown', async () => {
    const decisions = [
      { id: '7', text: 'User likes tea', event: 'UPDATE' },
      { id: '0', text: ' ', event: 'ADD' },
      { id: 'x', text: 'User likes tea', event: 'DELETE' },
      { id: '1', text: 'User likes figs', event: 'ADD' },
    ]
    const system = await create(({ step }) => ({
      json: step === 'extract' ? { facts: ['User likes figs'] } : { memory: decisions },
    }))
    await system.store(talk('I like figs.'))
    expect((await system.dump!()).map(({ text }) => text)).toEqual(['User likes figs'])
  })

  it('finds a changed memory by its new words', async () => {
    let [fact, event] = ['User likes green tea', 'ADD']
    const system = await create(({ step }) => ({
      json: step === 'extract' ? { facts: [fact] } : { memory: [{ id: '0', text: fact, event }] },
    }))
    await system.store(talk('I like green tea.'))
    ;[fact, event] = ['Rowing on lakes', 'UPDATE']
    await system.store(talk('No, I row.'))
    const found = await system.retrieve({ id: 'q', text: 'Rowing on lakes', time: '' }, 1, { k: 1 })
    expect(found).toMatchObject([{ id: 'm1', text: fact, score: expect.closeTo(1, 6) }])
  })

  it('ends in an error, not in nothing, when the model never says anything usable', async () => {
    const mute = new ScriptedModel({ rules: [], otherwise: 'I would rather not.' })
    const gateway = createGateway({ env: {}, cacheDir: null, scripted: { mute } })
    const system = await mem0V1.create({ ...systemTestContext(), llm: gateway.llm('scripted:mute') }, {})
    await expect(system.store(talk('I like figs.'))).rejects.toMatchObject({ code: 'unparsable' })
    expect(mute.stats.calls).toBe(6)
    await gateway.close()
  })

  it('takes the prompts of the user, and still says what is data', async () => {
    const prompts: string[] = []
    const llm = rehearse(({ prompt }) => {
      prompts.push(prompt)
      return { json: { facts: [] } }
    })
    const system = await mem0V1.create(
      { ...systemTestContext(), llm, prompts: { extract: 'On {day}, list facts.' } },
      {},
    )
    await system.store(talk('I like figs.'))
    expect(prompts[0]).toMatch(/^On Monday, 1 January 2024, list facts\.\n\nWhat you are shown stands between/)
  })
})
