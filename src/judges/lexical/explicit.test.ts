import { describe, expect, it } from 'vitest'
import type { Fact } from '../../model/index.js'
import { createLexicalJudge } from './index.js'

const judge = createLexicalJudge()

interface Sample {
  fact: Fact
  faithful: string[]
}

/** Facts as a corpus of ours writes them: with accepted forms, and damaged versions that must never pass. */
const SAMPLES: Record<string, Sample> = {
  'a rule with a threshold': {
    fact: {
      id: 'rule',
      text: 'Odo whittles spoons only when the wind is above 30 km per hour.',
      sources: ['c'],
      cues: {
        kind: 'rule',
        explicit: true,
        exclusive: true,
        threshold: { comparison: 'above', value: 30, unit: 'km' },
        parts: [
          { role: 'who', forms: ['Odo'] },
          { role: 'what', forms: ['whittles spoons', 'carves spoons'] },
          { role: 'condition', forms: ['wind is above 30 km per hour', 'wind stronger than 30 km/h'] },
        ],
        damaged: [
          'Odo whittles spoons when it is windy.',
          'Odo whittles spoons only when the wind is below 30 km per hour.',
          'Odo whittles spoons only when the wind is above 50 km per hour.',
          'Odo whittles spoons when the wind is above 30 km per hour.',
          'Odo whittles spoons.',
          'Ada whittles spoons only when the wind is above 30 km per hour.',
        ],
      },
    },
    faithful: [
      'Odo carves spoons solely when wind speeds exceed 30 km/h.',
      'Odo -[whittles spoons only when]-> wind is above 30 km per hour',
      'Odo never whittles spoons unless the wind tops 30 km per hour.',
      'Odo lives at a mill. He whittles spoons only if the wind blows at more than thirty km per hour.',
    ],
  },
  'a link with a direction': {
    fact: {
      id: 'link',
      text: 'Long train rides make me write letters.',
      sources: ['c'],
      cues: {
        kind: 'link',
        explicit: true,
        parts: [
          { role: 'what', forms: ['long train rides', 'long rides by train'] },
          { role: 'value', forms: ['write letters', 'letter writing'] },
          { role: 'relation', forms: ['make', 'lead'] },
        ],
        damaged: [
          'Writing letters makes the user take long train rides.',
          'The user likes trains.',
          'Train rides make the user write.',
          'The user takes long train rides and writes letters.',
        ],
      },
    },
    faithful: [
      'Long rides by train get the user to write letters.',
      'User writes letters whenever they take a long train ride.',
      'long train rides -[lead User to]-> writing letters',
    ],
  },
  'a preference': {
    fact: {
      id: 'preference',
      text: 'I like fencing because it sharpens my reflexes.',
      sources: ['c'],
      cues: {
        kind: 'preference',
        explicit: true,
        parts: [{ role: 'value', forms: ['fencing', 'sword fencing'] }],
        damaged: [
          'The user likes sports that sharpen the reflexes.',
          'The user dislikes fencing.',
          'Bruno likes fencing.',
        ],
      },
    },
    faithful: ['User enjoys fencing, as it sharpens the reflexes.', 'User -[likes]-> fencing'],
  },
  'a statement about somebody': {
    fact: {
      id: 'statement',
      text: 'Wilma Kaspar keeps felt in biscuit tins.',
      sources: ['c'],
      cues: {
        kind: 'statement',
        explicit: true,
        parts: [
          { role: 'who', forms: ['Wilma Kaspar', 'Wilma'] },
          { role: 'detail', forms: ['felt'] },
          { role: 'detail', forms: ['biscuit tins', 'cookie tins'] },
        ],
        damaged: [
          'Wilma Kaspar keeps felt.',
          'Wilma Kaspar keeps tools in biscuit tins.',
          'Karl keeps felt in biscuit tins.',
        ],
      },
    },
    faithful: [
      'Wilma restores pianos. She stores felt in old cookie tins.',
      'Wilma Kaspar -[keeps felt in]-> biscuit tins',
    ],
  },
  'a denial': {
    fact: {
      id: 'denial',
      text: 'Vera does not eat shellfish.',
      sources: ['c'],
      cues: {
        kind: 'statement',
        explicit: true,
        negated: true,
        parts: [
          { role: 'who', forms: ['Vera'] },
          { role: 'what', forms: ['eat shellfish', 'shellfish'] },
        ],
        damaged: ['Vera eats shellfish.', 'Vera likes shellfish.'],
      },
    },
    faithful: ['Vera never eats shellfish.', 'Vera avoids shellfish.'],
  },
}

for (const [name, { fact, faithful }] of Object.entries(SAMPLES)) {
  describe(name, () => {
    it.each(faithful)('is recovered from "%s"', async (text) => {
      const [verdict] = await judge.judgeFacts(
        [fact],
        [
          { id: 'm', text },
          { id: 'x', text: 'The library closes at noon.' },
        ],
      )
      expect(verdict).toMatchObject({ label: 'correct', support: [['m']] })
    })

    it.each(fact.cues.damaged!)('is not accepted as "%s"', async (text) => {
      const [verdict] = await judge.judgeFacts([fact], [{ id: 'm', text }])
      expect(verdict!.label).not.toBe('correct')
    })

    it('is recovered from the faithful version beside damaged ones, which are no support', async () => {
      const store = [...fact.cues.damaged!.map((text, i) => ({ id: `d${i}`, text })), { id: 'm', text: faithful[0]! }]
      const [verdict] = await judge.judgeFacts([fact], store)
      expect(verdict).toMatchObject({ label: 'correct', support: [['m']] })
    })

    it('counts every faithful duplicate as an alternative', async () => {
      const [verdict] = await judge.judgeFacts(
        [fact],
        [0, 1].map((i) => ({ id: `m${i}`, text: faithful[0]! })),
      )
      expect(verdict!.support).toEqual([['m0'], ['m1']])
    })
  })
}
