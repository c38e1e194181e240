import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import type { Gold, Question } from '../../model/index.js'
import { gradeAnswer } from './answer.js'
import { longestRun } from './longest-run.js'
import { orderRecoverable } from './order.js'

const text = z.string()
const GoldData = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('verbatim'), text }),
  z.strictObject({ kind: z.literal('list'), items: z.array(text), text }),
  z.strictObject({ kind: z.literal('sequence'), items: z.array(text), text }),
  z.strictObject({
    kind: z.literal('current'),
    value: text,
    forms: z.array(text).default([]),
    old: z.array(text),
    lenient: z.literal(true).optional(),
    text,
  }),
  z.strictObject({ kind: z.literal('unsure'), old: text, forms: z.array(text).default([]), text }),
  z.strictObject({ kind: z.literal('withheld'), value: text, forms: z.array(text).default([]), text }),
])
const groups = readData(
  new URL('../../../test/fixtures/judges/value-cases.json', import.meta.url),
  z.array(
    z.strictObject({ gold: GoldData, cases: z.array(z.tuple([z.enum(['right', 'wrong', 'wrong stale']), text])) }),
  ),
)

const question = (gold: Gold): Question => ({ id: 'q', task: 't', text: '?', needs: [], outdated: [], gold, tags: {} })
const grade = (gold: Gold, answer: string) => gradeAnswer(question(gold), answer)

describe('answers that give values', () => {
  const graded = groups.flatMap(({ gold, cases }) =>
    cases.map(([label, answer]) => {
      const verdict = grade(gold, answer)
      const stale = verdict.grade !== 'error' && verdict.stale ? ' stale' : ''
      return { label, told: `${verdict.grade}${stale}`, answer }
    }),
  )

  it('are graded as labelled', () => {
    expect(graded.length).toBeGreaterThanOrEqual(200)
    expect(graded.filter(({ label, told }) => label !== told)).toEqual([])
  })
})

describe('partial credit', () => {
  const series: Gold = { kind: 'sequence', items: ['Anvil', 'Birch', 'Cedar'], text: '' }

  it('of a series is the longest chain, where the paper stops at an early mention', () => {
    expect(grade(series, 'Cedar, Birch, Anvil')).toMatchObject({ credit: { partial: 1 / 3, greedy: 1 / 3 } })
    expect(grade(series, 'It is Cedar, I am told. In order: Anvil, Birch, Cedar.')).toMatchObject({
      grade: 'right',
      credit: { partial: 1, greedy: 2 / 3 },
    })
    expect(grade(series, 'Cedar and Anvil and Birch')).toMatchObject({ grade: 'wrong', credit: { partial: 2 / 3 } })
  })

  it('of a list is the share of its values', () => {
    const list: Gold = { kind: 'list', items: ['Anvil', 'Birch', 'Cedar'], text: '' }
    expect(grade(list, 'Anvil and Cedar')).toMatchObject({ grade: 'wrong', credit: { partial: 2 / 3 } })
  })

  it('of an exact text is its longest part, quickly found in long answers', () => {
    expect(longestRun('abcdefgh', 'xxcdefyyabc')).toBe(4)
    expect(longestRun('', 'a')).toBe(0)
    const long = 'ab'.repeat(50_000)
    expect(longestRun(`${long}x`, `y${long}`)).toBe(long.length)
    expect(grade({ kind: 'verbatim', text: 'one two three four' }, 'one two three five')).toMatchObject({
      grade: 'wrong',
      credit: { 'longest run': 15 / 18 },
    })
  })
})

describe('the order of a series', () => {
  const values = ['Anvil', 'Birch', 'Cedar']
  const memories = (...texts: string[]) => texts.map((one, i) => ({ id: `m${i}`, text: one }))

  it.each([
    ['dates in the texts', memories('[2023/03/09] Car: Birch', '[2023/03/01] Car: Anvil', '[2023/03/20] Car: Cedar')],
    ['a history', memories('Cars: Anvil -> Birch -> Cedar')],
    ['sentences about two of them', memories('Car changed from Birch to Cedar.', 'Birch (previously Anvil)')],
    ['a transcript', memories('user: I drive an Anvil.\nassistant: Nice.\nuser: Now a Birch.\nuser: Now a Cedar.')],
    [
      'times of the memories',
      values.map((value, i) => ({ id: value, text: `Car: ${value}`, time: `2023-03-0${i + 1}T09:00:00Z` })),
    ],
  ])('can be told from %s', (_, store) => {
    expect(orderRecoverable(store, values)).toMatchObject({ recoverable: true, present: 3 })
  })

  it.each([
    ['loose notes', memories('Car: Cedar', 'Car: Anvil', 'Car: Birch'), 3],
    ['a list', memories('Cars so far: Birch, Anvil, Cedar'), 3],
    ['two of three', memories('Car changed from Anvil to Birch.'), 2],
    ['wrong dates', memories('[2023/03/09] Anvil', '[2023/03/01] Birch', '[2023/03/20] Cedar'), 3],
  ])('cannot be told from %s', (_, store, present) => {
    expect(orderRecoverable(store, values)).toMatchObject({ recoverable: false, present })
  })
})
