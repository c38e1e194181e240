import { describe, expect, it } from 'vitest'
import { plainNumbers } from '../../../../language/numbers.js'
import type { Criterion } from '../../../../model/index.js'
import { judgeCriterion } from '../index.js'
import { measuresIn } from '../numbers/measures.js'

/** The verdict in short: `yes`, `no`, and with a `?` where it is uncertain. */
function verdict(text: string, answer: string, type: Criterion['type'] = 'presence'): string {
  const expected = type === 'presence' ? 'yes' : 'no'
  const { answer: said, uncertain } = judgeCriterion({ id: 'c', text, type, expected, facts: [] }, answer)
  return `${said}${uncertain ? '?' : ''}`
}

describe('numbers', () => {
  it.each([
    ['two hundred forty-six dollars and seven cents', '$246.07'],
    ['ninety-one thousand four hundred and three steps', '91403 steps'],
    ['one point two five million', '1.25million'],
    ['a total of 52 118', 'a total of 52,118'],
    ["3'480.50 dollars", '3,480.50 dollars'],
    ['usd 17.20', '$17.20'],
    ['on june 5 200 people came', 'on june 5 200 people came'],
  ])('%s', (text, plain) => {
    expect(plainNumbers(text)).toBe(plain)
  })

  it('of time, shares and dates come to common terms', () => {
    const values = (text: string) =>
      measuresIn(text, true).found.map(({ kind, value }) => `${kind} ${Math.round(value)}`)
    expect(values('a year and a half')).toEqual(values('18 months'))
    expect(values('the coming fortnight')).toEqual(values('14 days'))
    expect(values('eight out of ten')).toEqual(values('80%'))
    expect(values('by the end of June')).toEqual(values('30 June'))
    expect(values('weeks 4-9')).toEqual(values('6 weeks'))
    expect(values('at 3, 6 and 9-month intervals')).toHaveLength(3)
  })

  const within = 'Does the response indicate that spending is UNDER BUDGET (actual: $40.00 vs budget: $52.00)?'
  it.each([
    ['That leaves you $12 under.', 'yes'],
    ['You have not gone over.', 'yes'],
    ['There is still $12 to play with.', 'yes'],
    ['You went $12 past it.', 'no'],
    ['You are in the red by twelve dollars.', 'no'],
  ])('put somebody on a side: %s', (answer, expected) => {
    expect(verdict(within, answer)).toBe(expected)
  })
})

describe('a longer value', () => {
  const action =
    "Is the email's call_to_action 'Read the enclosed fire plan and attend the drill on Thursday to learn your exit.' appropriately included?"
  it.each([
    ['Please read the fire plan enclosed, and attend the drill on Thursday to learn your exit.', 'yes'],
    ['Please read the enclosed fire plan and send me your comments.', 'no'],
    ['Read the enclosed fire plan and attend the drill on Monday to learn your exit.', 'no'],
  ])('is told with all its thoughts and dates: %s', (answer, expected) => {
    expect(verdict(action, answer).replace('?', '')).toBe(expected)
  })

  const timeline =
    "Is the project's timeline '15 months, split into five phases of three months.' appropriately included?"
  it.each([
    ['A year and a quarter, split into 5 phases of three months', 'yes'],
    ['15 months, split into four phases of three months', 'no'],
    ['15 weeks, split into five phases of three weeks', 'no'],
  ])('keeps its numbers: %s', (answer, expected) => {
    expect(verdict(timeline, answer).replace('?', '')).toBe(expected)
  })

  it('is told behind what is left out or done', () => {
    const text = 'Does the response mention the objectives details: Repair the slipway?'
    expect(verdict(text, 'To avoid delays, we repair the slipway.')).toBe('yes')
    expect(verdict(text, 'Rather than building a new one, we repair the slipway.')).toBe('yes')
    expect(verdict(text, 'We will not repair the slipway.')).toMatch(/^no/)
    const tags = 'Does the response mention the hashtags details: #QuietHarbour, #Slipway?'
    expect(verdict(tags, 'Tags: #quietharbour')).toBe('no')
  })

  it('keeps the due date in its parentheses', () => {
    const items = "Is the meeting's action items 'Mia Sorel to order the signs. (Due: +6 days)' appropriately included?"
    expect(verdict(items, '- Mia Sorel: order the signs (+6 days)')).toBe('yes')
    expect(verdict(items, '- Mia Sorel: order the signs (+16 days)')).toMatch(/^no/)
  })

  it('is not surely told by the opposite, nor of another name', () => {
    const text = (value: string) => `Does the response mention the key points details: ${value}?`
    expect(
      verdict(text('Prices of cork are falling in most markets.'), 'Prices of cork are rising in most markets.'),
    ).not.toBe('yes')
    expect(verdict(text('Keep the depot in Bergen until spring.'), 'We keep the depot in Oslo until spring.')).not.toBe(
      'yes',
    )
  })
})

describe('a person', () => {
  const lead = 'Does the response include the project_lead: Joana Brandt, Head of Purchasing?'
  it.each([
    ['Led by Joana Brandt (Head of Purchasing).', 'yes'],
    ['Joana Brandt, who heads purchasing, is in charge.', 'yes'],
    ['Joana Brandt is in charge.', 'yes?'],
    ['Led by Joana Brandt, Head of Security.', 'no'],
    ['Our security director, Joana Brandt, leads it.', 'no'],
    ['Lead: Johanna Brandt, Head of Purchasing', 'no'],
  ])('has a role: %s', (answer, expected) => {
    expect(verdict(lead, answer)).toBe(expected)
  })

  it('may have its title in letters', () => {
    const text =
      "Is the stakeholders information 'Chief Financial Officer, Ward Managers' correctly included in the proposal?"
    expect(verdict(text, 'Stakeholders: the CFO and the ward managers')).toMatch(/^yes/)
    expect(verdict(text, 'Stakeholders: the CTO and the ward managers')).toMatch(/^no/)
  })
})

describe('a task', () => {
  const task = "Is 'Order birthday cake' listed as a remaining todo item?"
  it.each([
    ['Still open: the birthday cake is to be ordered.', 'yes'],
    ['The birthday cake has been ordered.', 'no'],
    ['Ordering the birthday cake is behind you.', 'no'],
    ['The picnic was called off, which leaves ordering the birthday cake.', 'yes'],
    ['| Order birthday cake | done |', 'no'],
    ['You have not finished ordering the birthday cake.', 'yes'],
    ['Your tasks: call Ann (done), order birthday cake.', 'yes'],
  ])('is open or done: %s', (answer, expected) => {
    expect(verdict(task, answer, 'forgetting').replace('?', '')).toBe(expected)
  })

  it('is not surely another of the same kind', () => {
    const text = "Does the response mention the upcoming event: Grandma's birthday?"
    expect(verdict(text, "Grandma's birthday is next.")).toBe('yes')
    expect(verdict(text, "Grandpa's birthday is next.")).not.toBe('yes')
  })
})
