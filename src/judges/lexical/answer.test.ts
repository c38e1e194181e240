import { describe, expect, it } from 'vitest'
import type { Gold, Question } from '../../model/index.js'
import { gradeAnswer, readYesNo } from './answer.js'
import { gradeAnswersRead } from './answer-reading.js'

function grade(gold: Gold, answer: string, choices?: Question['choices']) {
  const question: Question = {
    id: 'q',
    task: 't',
    text: '?',
    needs: [],
    outdated: [],
    gold,
    tags: {},
    ...(choices ? { choices } : {}),
  }
  return gradeAnswer(question, answer)
}

describe('yes and no', () => {
  it.each([
    ['Yes, she would.', 'yes'],
    ['No, it is only 9 °C outside.', 'no'],
    ['Yes — the condition is met.', 'yes'],
    ['**No**. He only does so at home.', 'no'],
    ['It is unlikely that he barks there.', 'no'],
    ['She would not paint today.', 'no'],
    ["Based on what I know, he wouldn't.", 'no'],
    ['Given the rain, she would likely wear the cloak.', 'yes'],
    ['The answer is no.', 'no'],
    ['Probably not, since it is noon.', 'no'],
  ])('reads "%s" as %s', (answer, said) => {
    expect(readYesNo(answer)).toBe(said)
  })

  it('does not take "No information" for a no', () => {
    expect(readYesNo('No information is available about Pip.')).toBeUndefined()
    expect(grade({ kind: 'yes-no', answer: 'no', text: 'No' }, "I don't know.")).toMatchObject({ grade: 'error' })
  })

  it('grades a clear answer with certainty', () => {
    expect(grade({ kind: 'yes-no', answer: 'yes', text: 'Yes' }, 'Yes.')).toMatchObject({
      grade: 'right',
      uncertain: false,
    })
    expect(grade({ kind: 'yes-no', answer: 'yes', text: 'Yes' }, 'No.')).toMatchObject({
      grade: 'wrong',
      uncertain: false,
    })
  })
})

describe('two stances in one answer', () => {
  const abstain: Gold = { kind: 'abstain', about: 'Pip', text: 'Nothing is known of Pip.' }

  it.each(['Yes. No. Nothing is known of it.', 'No. Yes.', 'Yes, she would. No, she would not.'])(
    'are wrong whatever is asked: "%s"',
    async (answer) => {
      for (const gold of [
        { kind: 'yes-no', answer: 'yes', text: 'Yes' },
        { kind: 'yes-no', answer: 'no', text: 'No' },
        abstain,
      ] as const)
        expect(grade(gold, answer)).toMatchObject({ grade: 'wrong', uncertain: false })
    },
  )

  it('are not seen in one that says why', () => {
    const no: Gold = { kind: 'yes-no', answer: 'no', text: 'No' }
    expect(grade(no, 'No, she paints at dawn. No other time suits her.')).toMatchObject({ grade: 'right' })
    expect(grade(abstain, "No information. Yesterday's notes are about others.")).toMatchObject({ grade: 'right' })
  })
})

describe('lists', () => {
  const gold: Gold = { kind: 'list', items: ['rooftop terrace', 'garden patio'], text: 'rooftop terrace, garden patio' }

  it('needs every item', () => {
    expect(grade(gold, 'You could book a rooftop terrace or a garden patio.')).toMatchObject({ grade: 'right' })
    expect(grade(gold, 'You could book a rooftop terrace.')).toMatchObject({ grade: 'wrong' })
  })

  it('takes inflected and synonymous names', () => {
    const hobbies: Gold = { kind: 'list', items: ['weightlifting', 'museums'], text: '' }
    expect(grade(hobbies, 'Lift some weights, then visit a museum.')).toMatchObject({ grade: 'right' })
  })

  it.each([
    'It could be any of these: a cellar, a rooftop terrace, a boathouse or a garden patio.',
    '- cellar\n- rooftop terrace\n- boathouse\n- garden patio\n- barn',
    'cellar | rooftop terrace | boathouse | garden patio',
  ])('is not met by naming everything: "%s"', (answer) => {
    expect(grade(gold, answer)).toMatchObject({ grade: 'wrong', uncertain: false })
  })

  it.each([
    'A rooftop terrace and a garden patio, as you told me on Monday, are what you liked.',
    'You liked two places: the rooftop terrace, and the garden patio.',
    '1. Rooftop terrace\n2. Garden patio',
  ])('is met by an answer with words around the items: "%s"', (answer) => {
    expect(grade(gold, answer)).toMatchObject({ grade: 'right' })
  })

  it('leaves one word besides uncertain', () => {
    const three: Gold = { kind: 'list', items: ['chess', 'rowing', 'pottery'], text: '' }
    expect(grade(three, 'Chess, rowing, pottery, gladly.')).toMatchObject({ grade: 'right', uncertain: true })
  })

  it('does not count an item that is only turned down', () => {
    expect(grade(gold, 'A rooftop terrace suits you. I would not suggest a garden patio.')).toMatchObject({
      grade: 'wrong',
    })
  })
})

describe('abstaining', () => {
  const gold: Gold = { kind: 'abstain', about: 'Omar Reyes', text: "I don't have information about Omar Reyes." }

  it.each([
    "I don't have any information about Omar Reyes.",
    'Nothing is known of Omar Reyes; the memories do not mention him.',
  ])('accepts "%s"', (answer) => expect(grade(gold, answer)).toMatchObject({ grade: 'right' }))

  it('rejects a made-up answer, with or without a disclaimer', () => {
    expect(grade(gold, 'Omar Reyes would love a telescope.')).toMatchObject({ grade: 'wrong' })
    expect(grade(gold, 'I have no record of that. Omar Reyes collects stamps and bakes on Sundays.')).toMatchObject({
      grade: 'wrong',
    })
  })
})

describe('choices and free answers', () => {
  const choices = [
    { letter: 'A', text: 'bake cookies' },
    { letter: 'B', text: 'call my mom' },
  ]

  it('falls back on the text of the options', () => {
    const gold: Gold = { kind: 'choice', letter: 'B', text: 'call my mom' }
    expect(grade(gold, 'You end up calling your mom.', choices)).toMatchObject({ grade: 'right' })
    expect(grade(gold, 'You bake cookies.', choices)).toMatchObject({ grade: 'wrong' })
    expect(grade(gold, 'Hard to tell.', choices)).toMatchObject({ grade: 'error' })
  })

  it('grades free answers by content and number', () => {
    const gold: Gold = { kind: 'free', text: 'The rent is 950 euros' }
    expect(grade(gold, 'The rent is 950 euros.')).toMatchObject({ grade: 'right', uncertain: false })
    expect(grade(gold, 'The rent is 850 euros.')).toMatchObject({ grade: 'wrong' })
    expect(grade(gold, '   ')).toMatchObject({ grade: 'error' })
  })
})

describe('an order of events', () => {
  const gold: Gold = {
    kind: 'sequence',
    items: ['Planning the greenhouse frame', 'Raising the budget', 'Late delivery of glass panes'],
    free: true,
    text: '',
  }

  it('may be told in other words, which is never certain', () => {
    const told =
      'You spoke of: 1) the plan for the frame of your greenhouse, 2) a budget you raised, 3) glass that came late.'
    expect(grade(gold, told)).toMatchObject({ grade: 'right', uncertain: true, credit: { partial: 1 } })
    expect(grade(gold, 'First you raised the budget. Then you planned the frame of the greenhouse.')).toMatchObject({
      grade: 'wrong',
      uncertain: true,
      credit: { partial: 1 / 3 },
    })
  })

  it('is certain where it stands there word for word, or where nothing is told', () => {
    expect(grade(gold, gold.items.join('\n'))).toMatchObject({ grade: 'right', uncertain: false })
    expect(grade(gold, 'I do not know.')).toMatchObject({ grade: 'wrong', uncertain: false })
    expect(grade(gold, 'Something about a fence.')).toMatchObject({ grade: 'wrong', uncertain: true })
  })
})

describe('the expected answer itself', () => {
  it.each<Gold>([
    { kind: 'free', text: 'She never painted 3 of them, but sold two.' },
    { kind: 'list', items: ['tea', 'oat cakes'], closed: true, text: 'tea, and oat cakes' },
    { kind: 'date', from: '2023-05-07', to: '2023-05-07', text: '7 May 2023' },
    { kind: 'yes-no', answer: 'no', text: 'Likely no' },
    { kind: 'abstain', about: 'Pip', text: 'Nobody spoke of a fence.' },
  ])('is right for sure, whatever it says ($kind)', async (gold) => {
    const answer = `${gold.text.toUpperCase()}.`
    expect(grade(gold, answer)).toMatchObject({ grade: 'right', uncertain: false })
    const question = { id: 'q', task: 't', text: '?', needs: [], outdated: [], gold, tags: {} }
    const unread = { id: 'none', read: async (pairs: readonly unknown[]) => pairs.map(() => expect.fail('read')) }
    const [read] = await gradeAnswersRead([{ question, answer, facts: [] }], unread)
    expect(read).toMatchObject({ grade: 'right', uncertain: false })
  })
})
