import { describe, expect, it } from 'vitest'
import type { Cues, Fact } from '../../../model/index.js'
import { createLexicalJudge } from '../index.js'

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

  it('does not make an earlier value a damaged version of the later one', async () => {
    expect(await labels([before, after], before.text)).toEqual(['correct', 'not_stored'])
    expect(await labels([before, after], before.text, after.text)).toEqual(['correct', 'correct'])
  })
})
