import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../../../../test/base/cpu-time.js'
import type { Criterion, CriterionAsk } from '../../../model/index.js'
import { asksOf, findingsOf, gradeCriteria, judgeCriterion } from './index.js'

const criterion = (text: string, asks?: CriterionAsk, type: Criterion['type'] = 'presence'): Criterion => ({
  id: 'c',
  text,
  type,
  expected: type === 'presence' ? 'yes' : 'no',
  facts: [],
  ...(asks && { asks }),
})

/** The verdict in short: `yes`, `no`, and with a `?` where it is uncertain. */
function verdict(text: string, answer: string, type: Criterion['type'] = 'presence', asks?: CriterionAsk): string {
  const read = judgeCriterion(criterion(text, asks, type), answer)
  return `${read.answer}${read.uncertain ? '?' : ''}`
}

const likes = (item: string) => `Does the response reflect or align with the user's preference for ${item}?`
const avoids = (item: string) => `Does the response avoid recommending ${item} (which the user dislikes)?`

describe('published phrasings', () => {
  it.each<[string, CriterionAsk]>([
    [likes('Kind of Blue'), { act: 'recommend', forms: ['Kind of Blue'] }],
    [avoids('Wes Anderson'), { act: 'avoid', forms: ['Wes Anderson'] }],
    ['Does the response mention the task: Water the ferns?', { act: 'mention', forms: ['Water the ferns'] }],
    [
      'Does the response mention the budget details: 45000?',
      { act: 'mention', forms: [], numbers: [{ value: 45000, unit: '$' }] },
    ],
    [
      'Does the response mention the actual step count (7,010 steps) compared to the goal (8,000 steps)?',
      {
        act: 'mention',
        forms: [],
        numbers: [
          { value: 7010, unit: 'steps' },
          { value: 8000, unit: 'steps' },
        ],
      },
    ],
    [
      'Does the answer mention that you met your snack budget in 2 months?',
      { act: 'mention', forms: [], numbers: [{ value: 2, unit: 'months' }] },
    ],
    [
      "Is the meeting's attendees 'Ann Lee, Head of Sales, Dr. Bo Kim (CTO)' appropriately included?",
      { act: 'mention', forms: [], parts: ['Ann Lee (Head of Sales)', 'Dr. Bo Kim (CTO)'] },
    ],
    [
      'Does the response mention the objectives details: Halve waiting times., Train 12 nurses (ward A, B).?',
      { act: 'mention', forms: [], parts: ['Halve waiting times', 'Train 12 nurses (ward A, B)'] },
    ],
  ])('%s', (text, asks) => {
    expect(asksOf(text)).toEqual(asks)
  })

  it('take only a bare amount for a budget', () => {
    const text =
      'Does the response include the deleted key decisions: Set a budget for two audits in the next 6 months.?'
    expect(asksOf(text)).toMatchObject({ forms: ['Set a budget for two audits in the next 6 months'] })
    expect(asksOf("Is the deleted project budget '25000' included?").numbers).toEqual([{ value: 25000, unit: '$' }])
  })

  it('know a deleted item from one that is only mentioned', () => {
    expect(asksOf("Is 'Oil the gate' listed as a remaining todo item?").status?.contrary).toContain('done')
    expect(asksOf('Does the response mention the deleted task: Oil the gate?').status).toBeUndefined()
  })
})

describe('tastes', () => {
  it.each([
    ['Put on *Kind of Blue* tonight.', 'Kind of Blue', 'yes'],
    ['You could revisit anything by Miyazaki.', 'Hayao Miyazaki', 'yes?'],
    ['A week in Ghent would suit you.', 'South America', 'no?'],
    ['*Technique* (1989) is still fresh.', '1980s', 'yes?'],
    ['Some records from the eighties would do.', '1980s', 'yes'],
    ['I left out Kind of Blue, for you have gone off it.', 'Kind of Blue', 'no'],
    ['No ragtime this time, but some Satie.', 'ragtime', 'no'],
    ['You asked me not to suggest ragtime.', 'ragtime', 'no'],
    ['You used to enjoy westerns, but I have dropped those.', 'westerns', 'no'],
    ['A good sci-fi pick is *Arrival*.', 'science fiction', 'yes'],
    ['It is becoming popular: *Educated*.', 'Becoming', 'no?'],
    ['Tell me what you like and I can suggest something.', 'ragtime', 'no'],
    ['*The Queen Is Dead* is a good start.', 'Queen', 'no?'],
    ['A hard-rock evening: *Back in Black*.', 'post-rock', 'no?'],
    ['I gave opera and ballet a wide berth; here is *Blue Train*.', 'ballet', 'no'],
    ['Calypso stays off the menu, and so does ska, as neither did much for you.', 'calypso', 'no'],
    ['Cooking shows were once your thing. Not any more.', 'cooking shows', 'no'],
    ['As for Kafka: you have had enough of him.', 'Franz Kafka', 'no'],
    ['No shelf is complete without Kafka.', 'Franz Kafka', 'yes?'],
    ['You have finished *Dubliners*, so *Ulysses* is the step after it.', 'Dubliners', 'yes'],
    ['Read *Quorl and the Vesper Tax*.', 'James Joyce', 'no?'],
    ['Instead of opera, play Kind of Blue.', 'Kind of Blue', 'yes?'],
    ['I skipped opera and went with Kind of Blue.', 'Kind of Blue', 'yes?'],
    ['Rather than opera, why not Kind of Blue?', 'Kind of Blue', 'yes'],
    ['Never skip Kind of Blue.', 'Kind of Blue', 'yes'],
    ['You dislike opera, which leaves Kind of Blue.', 'Kind of Blue', 'yes?'],
  ])('%s', (answer, item, expected) => {
    expect(verdict(likes(item), answer)).toBe(expected)
  })

  it('are avoided by silence and by being ruled out, not by being put forward', () => {
    expect(verdict(avoids('Wes Anderson'), 'How about something by Wes Anderson?')).toBe('no')
    expect(verdict(avoids('Wes Anderson'), 'I steered clear of Wes Anderson. Try *Heat*.')).toBe('yes')
    expect(verdict(avoids('Wes Anderson'), 'Try *Heat*.')).toBe('yes?')
  })
})

describe('figures', () => {
  const total = 'Does the response mention the total food spending amount of $131.47?'
  it.each([
    ['That comes to $131.47.', 'yes'],
    ['131.47 dollars in all.', 'yes'],
    ['You spent about $131.', 'yes?'],
    ['You spent $131.', 'no?'],
    ['You spent $137.14.', 'no'],
    ['I have no record of that.', 'no'],
  ])('%s', (answer, expected) => {
    expect(verdict(total, answer)).toBe(expected)
  })

  it('are read in words, thousands and millions', () => {
    const goal = 'Does the response mention the daily_steps goal of 12000 steps?'
    expect(verdict(goal, 'You are aiming for twelve thousand a day.')).toBe('yes')
    expect(verdict(goal, 'Your goal is 12k steps.')).toBe('yes')
    expect(verdict('Does the response mention the budget details: 1250000?', 'It costs $1.25 million.')).toBe('yes')
    expect(verdict('Does the response mention the budget details: 1250000?', 'It costs $1.5M.')).toBe('no')
  })

  const over = 'Does the answer say that spending is OVER BUDGET (actual: $64.00 vs budget: $50.00)?'
  const within = 'Does the answer say that spending is UNDER BUDGET (actual: $40.00 vs budget: $50.00)?'
  const missed = 'Does the answer say that the step goal was NOT MET (actual: 7,000 steps vs goal: 8,000 steps)?'
  it.each([
    [over, 'No, you are $14 past your limit.', 'yes'],
    [over, 'You have overspent.', 'yes'],
    [over, 'Yes, with ten dollars to spare.', 'no'],
    [within, 'Yes, there is still $10 left.', 'yes'],
    [within, 'I cannot tell, that depends on what you bought.', 'no'],
    [over, "I don't know what you bought, but you are over budget.", 'yes?'],
    [within, 'You are nowhere near your limit.', 'no?'],
    [missed, 'Not quite: you averaged 7,000 and fell short of your target.', 'yes'],
    [missed, 'You beat your target on average.', 'no'],
  ])('%s / %s', (text, answer, expected) => {
    expect(verdict(text, answer)).toBe(expected)
  })

  it.each<[string, string, string]>([
    ['Does the answer mention that you met your snack budget in 3 weeks?', 'In three of the four weeks.', 'yes?'],
    ['Does the answer mention that you met your snack budget in 3 weeks?', 'Not once, I am afraid.', 'no?'],
    ['Does the answer mention that the 2nd week had the most steps?', 'Your best was week 2.', 'yes?'],
  ])('of weeks are left to the model: %s / %s', (text, answer, byWords) => {
    expect(findingsOf([criterion(text)], answer).size).toBe(0)
    expect(verdict(text, answer)).toBe(byWords)
  })
})

describe('things told', () => {
  it('may be told in other words', () => {
    const text = 'Does the response mention the task: Schedule car inspection?'
    expect(verdict(text, '- Book the car inspection\n- Call Ann')).toBe('yes')
    expect(verdict(text, '- Wash the car\n- Call Ann')).not.toBe('yes')
    expect(verdict(text, '- Order ink\n- Call Ann')).toBe('no')
  })

  it('hold only when they are not said to be done, moved or taken out', () => {
    const text = "Is 'Order printer ink' listed as a remaining todo item?"
    expect(verdict(text, 'Still open: order printer ink.', 'forgetting')).toBe('yes')
    expect(verdict(text, '- [x] Order printer ink\n- [ ] Call Ann', 'forgetting')).toMatch(/^no/)
    expect(verdict(text, 'Completed:\n- Order printer ink\n\nOpen:\n- Call Ann', 'forgetting')).toMatch(/^no/)
    expect(verdict(text, 'You have already ticked off order printer ink.', 'forgetting')).toMatch(/^no/)
    expect(
      verdict(
        'Does the response mention the deleted task: Order printer ink?',
        'You dropped order printer ink.',
        'forgetting',
      ),
    ).toBe('yes?')
  })

  it('are dated where a date is asked for', () => {
    const asks: CriterionAsk = {
      act: 'mention',
      forms: ['Chess night'],
      status: { forms: ['12 June', 'June 12', 'June 12th'], contrary: ['19 June', 'June 19'] },
    }
    expect(verdict('', 'Chess night is on June 12.', 'presence', asks)).toBe('yes')
    expect(verdict('', '**June 12**\n- Chess night', 'presence', asks)).toBe('yes')
    expect(verdict('', 'Chess night is on June 20.', 'presence', asks)).toBe('no')
    expect(verdict('', 'Chess night was moved from June 12 to June 19.', 'presence', asks)).toBe('no')
  })

  it('must all be there, with their own numbers', () => {
    const text =
      'Does the response mention the objectives details: Cut paper use by 30% within 6 months., Train 12 ward nurses in triage.?'
    expect(verdict(text, '- cut paper use 30% within six months\n- train twelve ward nurses in triage')).toBe('yes')
    expect(verdict(text, '- cut paper use 40% within six months\n- train twelve ward nurses in triage')).toMatch(/^no/)
    expect(verdict(text, '- cut paper use 30% within six months')).toBe('no')
  })
})

describe('an answer without end', () => {
  const asked = [
    likes('Kind of Blue'),
    avoids('James Joyce'),
    'Does the response mention the total food spending amount of $131.47?',
    'Does the answer mention that you met your snack budget in 3 weeks?',
    'Does the answer say that spending is OVER BUDGET (actual: $64.00 vs budget: $50.00)?',
    "Is 'Order birthday cake' listed as a remaining todo item?",
    "Is the project's timeline '15 months, split into five phases' appropriately included?",
  ]
  const endless = (part: string) => part.repeat(Math.ceil(20_000 / part.length))
  it.each([
    `no ${endless('word word, and ')}: Kind of Blue`,
    `# ${endless(' ')}x`,
    endless('Kind of Blue, order birthday cake, '),
    endless('"Ulysses" '),
    endless('one hundred and '),
    endless('15 months five phases '),
    endless('not a\n'),
  ])('is read all the same: %.24j', async (answer) => {
    const spent = await cpuMsOf(() => {
      for (const text of asked) verdict(text, answer)
    })
    expect(spent).toBeLessThan(5_000)
  })
})

it('is about its own day, where a published text gives one', () => {
  const text = "Is the event 'Chess night' on 2025-06-12 correctly mentioned?"
  expect(verdict(text, 'Chess night is on June 12.')).toBe('yes')
  expect(verdict(text, 'Chess night is ahead.')).toBe('yes')
  expect(verdict(text, 'Chess night is on June 13.')).toBe('no?')
})

it('takes a line for the value that fits it best', () => {
  const tasks = ['Send revised contract to client', 'Update client database']
  const criteria = tasks.map((task) => criterion(`Does the response mention the task: ${task}?`))
  const graded = gradeCriteria(
    { kind: 'criteria', criteria, text: '' },
    'You are to send the client the revised contract.',
  )
  expect(graded).toMatchObject({ criteria: [{ answer: 'yes' }, { answer: 'no' }] })
})

it('grades an answer as right when all criteria are met', () => {
  const criteria = [
    criterion(likes('Kind of Blue')),
    criterion("Is 'Queen' listed as a remaining todo item?", undefined, 'forgetting'),
  ]
  expect(gradeCriteria({ kind: 'criteria', criteria, text: '' }, 'Play *Kind of Blue*.')).toMatchObject({
    grade: 'right',
  })
  expect(gradeCriteria({ kind: 'criteria', criteria, text: '' }, '')).toMatchObject({
    grade: 'wrong',
    criteria: [
      { answer: 'no', uncertain: false },
      { answer: 'no', uncertain: false },
    ],
  })
})

describe('an event with its day', () => {
  const asks: CriterionAsk = {
    act: 'mention',
    forms: ['Choir rehearsal'],
    status: { forms: ['23 June', 'June 23'], contrary: [] },
  }
  it.each<[string, string]>([
    ['Choir rehearsal.\nYour choir rehearsal is on June 23.', 'yes'],
    ['June 23: choir rehearsal', 'yes'],
    ['Choir rehearsal.\nYour choir rehearsal is on June 24.', 'no'],
  ])('%j: %s', (answer, expected) => expect(verdict('On which day?', answer, 'presence', asks)).toBe(expected))
})
