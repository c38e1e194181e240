import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { countTokens } from '../../base/tokens.js'
import type { Conversation, SystemDefinition } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { hashEmbedder } from '../hash-embedder.js'
import { mem0V2 } from '../mem0-v2/index.js'
import { dataIn, itemsIn, rehearse } from '../parts/index.js'
import { byModel } from './extract.js'
import { mosaicModel } from './index.js'
import { Mosaic } from './mosaic.js'

runSystemConformance({ name: 'mosaic-model', definition: mosaicModel })

const note = (text: string, more: object = {}) => ({
  text,
  speaker: 'user',
  of: '',
  about: '',
  value: '',
  rests_on: [],
  kind: 'fact',
  ...more,
})
const said = (id: string, text: string): Conversation => ({
  id,
  time: '2026-03-04T09:00:00Z',
  turns: [{ role: 'user', text }],
})
const folder = () => mkdtempSync(join(tmpdir(), 'mosaic-model-'))

/** A memory whose model gives these replies, one after another. What is thrown stands for a model that fails. */
function memoryOf(replies: readonly (object[] | Error)[], home?: string): Mosaic {
  const left = [...replies]
  const llm = rehearse(() => {
    const reply = left.shift()!
    if (reply instanceof Error) throw reply
    return { json: { notes: reply } }
  })
  const extract = byModel({ ...systemTestContext(), llm })
  return new Mosaic({ embed: hashEmbedder(512), extract, ...(home !== undefined && { folder: home }) })
}

const textsIn = async (memory: Mosaic) => (await memory.dump()).map(({ text }) => text)

describe('notes by a model', () => {
  it('come of one call a conversation, which shows it and its date and nothing else', async () => {
    const { asked, outcomes } = await runStory('mosaic-model', readStoryScript('mosaic-model'))
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].map((at) => `${at} extract`),
    )
    const shown = dataIn(asked[6]!.prompt)
    expect(Object.keys(shown)).toEqual(['conversation'])
    expect(itemsIn(shown.conversation)).toHaveLength(2)
    expect(asked[6]!.prompt).toMatch(/Date: Tuesday, 21 May 2024\.$/)
    expect(outcomes.cascade!.outcome).toBe('answerable')
  })

  it('say whose they are, when and where they were told', async () => {
    const memory = memoryOf([[note('I like figs.'), note('Try the plums.', { speaker: 'assistant' }), note(' ')]])
    await memory.store(said('c', 'I like figs.'))
    expect(await memory.dump()).toEqual([
      { id: 'c#0', text: 'I like figs.', time: '2026-03-04T09:00:00Z', sources: ['c'] },
      { id: 'c#1', text: 'Assistant: Try the plums.', time: '2026-03-04T09:00:00Z', sources: ['c'] },
    ])
  })

  const commute = note('My train leaves at 8:10.', { rests_on: ['my office is in Halton'] })
  const chores = ['My violin does squeak.', 'My cat does sulk.', 'Row 4 has purls.'].map((text) => note(text))
  const move = note('Brixley has our office.', { kind: 'change' })

  it('hang on what the model says, although no word tells it, also when they are read from the file', async () => {
    const home = folder()
    const memory = memoryOf([[commute], chores, [move]], home)
    for (const id of ['a', 'b', 'c']) await memory.store(said(id, 'Something.'))
    const again = memoryOf([], home)
    for (const each of [memory, again]) {
      const found = await each.retrieve({ text: 'When does my train leave?' }, 2)
      expect(found.map(({ text }) => text)).toEqual([commute.text, move.text])
    }
  })

  it('are all there or not at all, and the next conversation is taken in after one that failed', async () => {
    const home = folder()
    const memory = memoryOf([[note('I like figs.')], new Error('no reply'), [note('I like plums.')]], home)
    const stored = ['a', 'b', 'c'].map((id) => memory.store(said(id, 'Something.')))
    const ends = await Promise.allSettled(stored)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await textsIn(memory)).toEqual(['I like figs.', 'I like plums.'])
    expect(await textsIn(memoryOf([], home))).toEqual(['I like figs.', 'I like plums.'])
  })

  it('cost nothing where nothing is said', async () => {
    await memoryOf([]).store({ id: 'a', time: '2026-03-04', turns: [{ role: 'user', text: ' ' }] })
  })

  it('lose what is to go from texts, clauses and file', async () => {
    const home = folder()
    const secret = note('My locker code is Zanzibar 77.')
    const other = note('I keep a card at my desk.', { rests_on: ['the code is Zanzibar 77'] })
    const memory = memoryOf([[secret, other], [note('Take out my locker code.', { kind: 'erase' })]], home)
    await memory.store(said('a', 'Something.'))
    await memory.store(said('b', 'Something.'))
    const texts = await textsIn(memory)
    expect(texts).toContain(other.text)
    expect(texts.join(' ')).not.toMatch(/zanzibar/i)
    expect(readFileSync(join(home, 'notes.jsonl'), 'utf8')).not.toMatch(/zanzibar/i)
    expect(await textsIn(memoryOf([], home))).toEqual(texts)
  })
})

/** Tokens of every conversation of a life, sent and received. */
async function costsOf(definition: SystemDefinition): Promise<number[]> {
  const costs: number[] = []
  let spent = 0
  const llm = rehearse(definition.rehearsal!, {
    onCall: ({ request, reply }) => {
      spent +=
        countTokens(request.messages.map(({ content }) => content).join('\n')) + countTokens(JSON.stringify(reply))
    },
  })
  const system = await definition.create({ ...systemTestContext(), llm }, {})
  for (let i = 0; i < 200; i++) {
    spent = 0
    await system.store({
      id: `c${i}`,
      time: '2026-03-04T09:00:00Z',
      turns: [
        { role: 'user', text: `On trip ${100 + i} I carried a lantern, two maps and a rope of ${100 + i} feet.` },
        { role: 'assistant', text: 'That sounds like a long way.' },
      ],
    })
    costs.push(spent)
  }
  return costs
}

describe('the cost of notes by a model', () => {
  it('is the same over a life, and below that of mem0-v2', async () => {
    const [ours, theirs] = [await costsOf(mosaicModel), await costsOf(mem0V2)]
    const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length
    expect(ours[199]! / ours[19]!).toBeLessThanOrEqual(1.2)
    expect(mean(ours)).toBeLessThan(mean(theirs))
  })
})
