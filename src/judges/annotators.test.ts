import { describe, expect, it } from 'vitest'
import { cohen, kappaInterval } from '../base/intervals.js'
import { compareAnnotators } from './annotators.js'

type Label = 'yes' | 'no' | ''

function criterion(i: number, label: Label, change: { answer?: string; type?: string } = {}): string {
  const { answer = `Answer ${i}`, type = i % 2 === 0 ? 'memory_presence' : 'forgetting_absence' } = change
  const criteria = [{ id: 'c', question: `Does it say ${i}?`, expected: 'yes', type, label }]
  return JSON.stringify({
    id: `case-${i}`,
    task: i < 10 ? 'remembering' : 'reasoning',
    question: 'What?',
    answer,
    criteria,
  })
}

const file = (name: string, lines: string[]) => ({ name, text: lines.join('\n') })
const compare = (a: Label[], b: Label[]) =>
  compareAnnotators(
    file(
      'a.jsonl',
      a.map((label, i) => criterion(i, label)),
    ),
    file(
      'b.jsonl',
      b.map((label, i) => criterion(i, label)),
    ),
  )

/** Twenty yes and fifteen no in common, five and ten apart: the textbook table, with kappa 0.4. */
const TABLE: [Label, Label, number][] = [
  ['yes', 'yes', 20],
  ['yes', 'no', 5],
  ['no', 'yes', 10],
  ['no', 'no', 15],
]
const pairs = TABLE.flatMap(([a, b, n]) => Array.from({ length: n }, (): [string, string] => [a, b]))

describe('two annotators', () => {
  it('are compared over what both labelled, with what only one did counted', () => {
    const [a, b] = [pairs.map(([label]) => label as Label), pairs.map(([, label]) => label as Label)]
    const { criteria, ...rest } = compare([...a, 'yes', '', '', 'no'], [...b, '', 'no', '', ''])
    expect(rest).toEqual({})
    expect(criteria).toMatchObject({ n: 50, agreement: 0.7, only: { first: 2, second: 1 }, unlabelled: 1 })
    expect(criteria!.kappa).toBeCloseTo(0.4)
    expect(criteria!.confusion).toEqual({ yes: { yes: 20, no: 5 }, no: { yes: 10, no: 15 } })
    expect(Object.values(criteria!.byTask).map(({ n }) => n)).toEqual([40, 10])
    expect(Object.entries(criteria!.byKind).map(([kind, { n }]) => [kind, n])).toEqual([
      ['forgetting_absence', 25],
      ['memory_presence', 25],
    ])
  })

  it('may have labelled cases of several kinds in one file, in any order', () => {
    const answer = (label: string) =>
      JSON.stringify({
        id: 'x',
        task: 't',
        question: 'Q',
        answer: 'A',
        label,
        gold: { kind: 'free', text: 'A' },
        facts: [],
      })
    const fact = (label: string) =>
      JSON.stringify({
        id: 'x',
        dataset: 'd',
        style: 's',
        memories: ['m'],
        source: ['m'],
        facts: [{ id: 'f1', label, text: 'm' }],
      })
    const found = compareAnnotators(
      file('a', [answer('right'), fact('correct'), criterion(0, 'yes')]),
      file('b', [criterion(0, 'no'), fact('correct'), answer('right')]),
    )
    expect(Object.entries(found).map(([kind, { agreement }]) => [kind, agreement])).toEqual([
      ['facts', 1],
      ['answers', 1],
      ['criteria', 0],
    ])
  })

  it.each([
    ['other cases of the same name', [criterion(0, 'yes', { answer: 'Another' })], /a:1 and b:1 have one name/],
    ['nothing in common', [criterion(7, 'yes')], /a and b have no case in common/],
    [
      'a label that is none',
      [criterion(0, 'yes').replace('"yes"}', '"perhaps"}')],
      /b:1: the criterion c has the label "perhaps"/,
    ],
    ['a case twice', [criterion(0, 'yes'), criterion(0, 'yes')], /b:2: the criterion c is there twice/],
    ['no cases at all', ['{"id": "x"}'], /b:1 is no case to be labelled/],
  ])('are refused with %s', (_, lines, message) => {
    expect(() => compareAnnotators(file('a', [criterion(0, 'yes')]), file('b', lines))).toThrow(message)
  })
})

describe('the interval of kappa', () => {
  it('is as wide as leaving out one item at a time says', () => {
    const many = Array.from({ length: 8 }, () => pairs).flat()
    const [low, high] = kappaInterval(many)!
    const without = many.map((_, i) => cohen(many.filter((__, j) => j !== i)).kappa!)
    const mean = without.reduce((sum, one) => sum + one, 0) / many.length
    const jackknife = without.reduce((sum, one) => sum + (one - mean) ** 2, 0) * ((many.length - 1) / many.length)
    expect((high - low) / 2 / 1.96).toBeCloseTo(Math.sqrt(jackknife), 3)
    expect((high + low) / 2).toBeCloseTo(0.4)
  })

  it('is null without a kappa, and never leaves its bounds', () => {
    expect(kappaInterval([])).toBeNull()
    expect(kappaInterval([['yes', 'yes']])).toBeNull()
    expect(
      kappaInterval([
        ['yes', 'no'],
        ['no', 'yes'],
        ['no', 'no'],
      ])![0],
    ).toBeGreaterThanOrEqual(-1)
  })
})
