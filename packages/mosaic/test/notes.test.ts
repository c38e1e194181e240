import { describe, expect, it } from 'vitest'
import { leaningClauses } from '../src/clauses.js'
import { contentOf, everyTurn } from '../src/extractor.js'
import { merge } from '../src/merge.js'
import { readNote } from '../src/note.js'
import { readQuestion } from '../src/question.js'
import { weigh } from '../src/weights.js'

const note = (text: string, role: 'user' | 'assistant' = 'user') =>
  readNote(contentOf({ text, role }, 'c', 0), { time: '', source: 'c' })

describe('clauses that a statement hangs on', () => {
  it('stand behind words of condition and reason', () => {
    expect(leaningClauses('If the bridge closes, I will cycle.')).toEqual(['the bridge closes'])
    expect(leaningClauses('I cycle because of the closed bridge; it is quicker.')).toEqual(['of the closed bridge'])
    expect(leaningClauses('Once, in the rainy May, I will cycle.')).toEqual(['in the rainy may'])
    expect(leaningClauses('My route depends on the bridge.')).toEqual(['the bridge'])
  })

  it('are none in a question, behind one word, or without such a word', () => {
    for (const text of ['Do you know if the bridge is closed?', 'I go because.', 'I cycle to work.'])
      expect(leaningClauses(text), text).toEqual([])
  })

  it('are at most eight', () => {
    const text = Array.from({ length: 12 }, (_, i) => `if the day ${i} is dry,`).join(' ')
    expect(leaningClauses(text)).toHaveLength(8)
  })
})

describe('notes of a conversation', () => {
  it('are its turns, and several where one is long', async () => {
    const long = Array.from({ length: 8 }, (_, i) => `Line ${i} tells of a harbour, and of boats that came and went.`)
    const turns = ['I row.', ' ', long.join('\n')].map((text) => ({ role: 'user' as const, text }))
    const notes = await everyTurn({ id: 'a', time: '', turns })
    expect(notes.map((one, i) => contentOf(one, 'a', i).id)).toEqual(['a#0', 'a#2.1', 'a#2.2'])
  })

  it('tell something where nothing is asked, and say little where little is said', () => {
    expect(note('My large garden has two old pear trees.')).toMatchObject({ isTelling: true, isOwn: true, weight: 1 })
    for (const text of ['Is my garden big?', 'Please water it.']) expect(note(text).isTelling).toBe(false)
    expect(note('My large garden has two old pear trees.', 'assistant')).toMatchObject({
      isTelling: false,
      weight: 0.5,
    })
    expect(note('Bye.').weight).toBeLessThan(0.5)
  })
})

describe('a question', () => {
  it.each([
    ['Where do I live?', { isOwn: true }],
    ['What did you suggest to me?', { isOwn: false, wantsReply: true }],
    ['What would you suggest that I read?', { isOwn: true, wantsReply: false }],
    ['Give me an overview of my garden.', { wantsSeveral: true }],
    ['How often did I water it?', { wantsTotal: true }],
    ['Where is it?', { isOwn: false, wantsReply: false, wantsSeveral: false, wantsTotal: false }],
  ])('%s asks for what it says', (text, kind) => {
    expect(readQuestion(text)).toMatchObject(kind)
  })

  it('makes notes count by who said what', () => {
    const notes = [
      note('My hat is a fine old fedora.'),
      note('Is a hat in fashion?'),
      note('Your hat is fine.', 'assistant'),
    ]
    const weighed = (question: string, isSet = false) => {
      const scores = new Float64Array(3).fill(1)
      weigh(scores, notes, readQuestion(question), isSet)
      return [...scores]
    }
    const [told, asked, replied] = weighed('Which hat is mine?')
    expect(told).toBeGreaterThan(asked!)
    expect(told).toBeGreaterThan(replied!)
    const [other, , reply] = weighed('What did you say of hats?')
    expect(reply).toBeGreaterThan(other! / 2)
    expect(weighed('Which hats?', true)[0]).toBe(1)
  })
})

describe('a merge', () => {
  const hits = (...places: number[]) => places.map((index) => ({ index, score: 1 - index / 10 }))
  const order = (...given: Parameters<typeof merge>) => merge(...given).map(({ index }) => index)

  it('goes by the order of sources, each note once, with the rest of the main list behind', () => {
    expect(order(hits(0, 1, 2, 3), [{ hits: hits(2) }, { hits: hits(0, 2) }])).toEqual([2, 0, 1, 3])
  })

  it('gives every other place to the main list where a source stands aside', () => {
    expect(order(hits(0, 1, 2, 3), [{ hits: hits(0) }, { hits: hits(7, 8, 9), isAside: true }])).toEqual([
      0, 7, 1, 8, 2, 9, 3,
    ])
  })

  it('goes on when the main list is at its end', () => {
    expect(order(hits(0), [{ hits: hits(5, 6), isAside: true }])).toEqual([5, 0, 6])
  })
})
