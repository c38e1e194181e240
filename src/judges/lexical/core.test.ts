import { describe, expect, it } from 'vitest'
import type { Cues, Fact } from '../../model/index.js'
import { createLexicalJudge } from './index.js'

const judge = createLexicalJudge()

function fact(id: string, text: string, cues: Partial<Cues> & Pick<Cues, 'parts'>): Fact {
  const core = cues.parts[0]!.role
  return { id, text, sources: ['c'], cues: { kind: 'statement', explicit: true, core, ...cues } }
}

const todo = fact('todo', 'Could you put "Oil the shed door" down as a home task?', {
  parts: [{ role: 'what', forms: ['Oil the shed door'] }],
})
const lunch = fact('lunch', 'Lunch came to $12.40 today.', {
  parts: [
    { role: 'number', forms: ['$12.40', '12.40'] },
    { role: 'what', forms: ['lunch'] },
  ],
})
const taste = fact('taste', "I'm a big fan of reading the author Willa Cather.", {
  kind: 'preference',
  parts: [{ role: 'value', forms: ['Willa Cather'] }],
})
const event = (id: string, text: string, ...forms: string[]) =>
  fact(id, text, {
    parts: [
      { role: 'what', forms: ['Harbour review'] },
      { role: 'value', forms },
    ],
  })
const before = event('before', 'I have the Harbour review coming up on June 13th.', 'June 13')
const after = event('after', 'I have to move the Harbour review, not June 13th but June 18th.', 'June 18')

const element = (value: string): Fact => ({
  ...fact(value, `Thawing Archive (proposal): deliverables: ${value}.`, {
    parts: [
      { role: 'value', forms: [value] },
      { role: 'what', forms: ['Thawing Archive'] },
    ],
  }),
  evidence: [
    'Let us draft the proposal "Thawing Archive".',
    'We promise "Index of 240 field books", "Annual melt curve" and "Speaker portrait".',
  ],
})

const labels = async (facts: Fact[], ...texts: string[]) =>
  (
    await judge.judgeFacts(
      facts,
      texts.map((text, i) => ({ id: `m${i}`, text })),
    )
  ).map(({ label }) => label)

describe('what sets a fact apart', () => {
  it.each([
    [todo, 'Could you put "Call the notary" down as a home task?'],
    [lunch, 'Lunch came to $9.80 today.'],
    [taste, "I'm a big fan of reading the author Joan Didion."],
  ])('is not in another of its kind: nothing is stored of $id', async (one, text) => {
    expect(await labels([one], text, 'Noted, lunch, task and author.')).toEqual(['not_stored'])
  })

  it('may be all that is left', async () => {
    expect(await labels([before], 'The user has a Harbour review coming up.')).toEqual(['summary_error'])
  })

  it.each([
    [element('Speaker portrait'), 'Good day, are you free to speak?'],
    [element('Annual melt curve'), 'Why does ice melt from below?'],
    [taste, 'Will it do better?'],
    [taste, "I'm a big fan of reading."],
  ])('is not in small talk that shares a word or a sense with $id', async (one, text) => {
    expect(await labels([one], text)).toEqual(['not_stored'])
  })

  it('stays intact when numbers around it change, and is damaged when its own does', async () => {
    const facts = ['Index of 240 field books', 'Annual melt curve', 'Speaker portrait'].map(element)
    const [first, second] = facts[0]!.evidence!
    expect(await labels(facts, first!, second!.replace('240', '573'))).toEqual(['summary_error', 'correct', 'correct'])
  })

  it('is lost, not damaged, with a sentence without which the other says nothing', async () => {
    const one = element('Annual melt curve')
    for (const sentence of one.evidence!) expect(await labels([one], sentence)).toEqual(['not_stored'])
  })

  it('does not make an earlier value a damaged version of the later one', async () => {
    expect(await labels([before, after], before.text)).toEqual(['correct', 'not_stored'])
    expect(await labels([before, after], before.text, after.text)).toEqual(['correct', 'correct'])
  })
})
