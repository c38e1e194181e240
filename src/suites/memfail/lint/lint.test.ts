import { describe, expect, it } from 'vitest'
import { loadTask } from '../load.js'
import { TASKS } from '../material.js'
import { chainRules } from './chain-rules.js'
import { conditionalRules } from './conditional-rules.js'
import type { ChainRow, PersonaLintRow, PreferencesRow, RuleRow } from './corpus.js'
import { meetsBound, saysNumbersOf } from './entailment.js'
import { lint } from './index.js'
import { personaRules } from './persona-rules.js'
import { preferenceRules } from './preference-rules.js'
import type { LintRule } from './rule.js'

/** Names of the rules that a list of rows breaks. */
const broken = <Row>(rules: readonly LintRule<Row>[], ...rows: Row[]): string[] =>
  rules.filter(({ check }) => check(rows).length > 0).map(({ name }) => name)

describe('the bundled corpora', () => {
  for (const task of TASKS) {
    it(`break no rule: ${task}`, () => {
      expect(lint(task, undefined, loadTask(task, undefined, 'audited')).violations).toEqual([])
    })
  }
})

describe('rules of conditional essays', () => {
  const filler = ['He is tall.', 'He has a cat.', 'He likes tea.', 'He walks to work.', 'He sings a little.']
  const easy = (change: Partial<RuleRow> = {}): RuleRow => ({
    row: '1',
    entity: 'Brisco',
    category: 'person',
    behavior: 'waters the ferns',
    condition: 'when it is above 20 °C',
    conditionType: 'temperature',
    conditionMet: true,
    answer: 'yes',
    question: 'It is 25 °C. Would Brisco water the ferns?',
    essay: `Brisco waters the ferns only when it is above 20 °C. ${filler.join(' ')}`,
    ...change,
  })
  const rules = (change: Partial<RuleRow>) =>
    broken(
      conditionalRules('easy'),
      easy(change),
      easy({
        row: '2',
        entity: 'Other',
        question: 'Other? 25 °C',
        answer: 'no',
        conditionMet: false,
        condition: 'when it rains',
        essay: `Other sings only when it rains. A moat. A hedge. Two pigs. Some rope.`,
      }),
    )

  it('pass a sound row', () => expect(rules({})).toEqual([]))
  it('see a missing connective', () =>
    expect(rules({ essay: `Brisco waters ferns above 20 °C. ${filler.join(' ')}` })).toContain('explicit-connective'))
  it('see a number that is never said', () =>
    expect(rules({ essay: `Brisco waters the ferns only when it is warm. ${filler.join(' ')}` })).toContain(
      'entailment',
    ))
  it('see a label that contradicts the answer', () => expect(rules({ conditionMet: false })).toContain('label'))
  it('see a situation that contradicts the label', () =>
    expect(rules({ question: 'It is 15 °C. Would Brisco water the ferns?' })).toContain('situation'))
  it('see an essay that is too short', () =>
    expect(rules({ essay: 'Brisco waters the ferns only when it is above 20 °C.' })).toContain('sentence-count'))
  it('see a pet with an inner state', () =>
    expect(rules({ category: 'pet', conditionType: 'mood' })).toContain('condition-type'))
  it('see a shared name', () =>
    expect(rules({ entity: 'other', question: 'Other at 25 °C?' })).toContain('unique-name'))
  it('see rule sentences side by side and forbidden words in the hard telling', () => {
    const essay = `He waters the ferns. It gets above 20 °C in June. ${filler.join(' ')} Those days, and no others, are for the ferns. It is dry if not wet.`
    const marked = {
      behavior: 'He waters the ferns.',
      condition: 'It gets above 20 °C in June.',
      link: 'Those days, and no others, are for the ferns.',
    }
    const names = broken(conditionalRules('hard'), easy({ essay, marked }))
    expect(names).toContain('marked-sentences')
    expect(names).toContain('forbidden-connective')
  })
})

describe('numbers', () => {
  it('are found in words, as places in a row, in other units, and as counts', () => {
    expect(saysNumbersOf('for at least 72 hours', 'after three quiet days had passed')).toEqual([])
    expect(saysNumbersOf('on the 10th day', 'that tenth X appears')).toEqual([])
    expect(saysNumbersOf('fewer than three tasks', 'only a task or two')).toEqual([])
    expect(saysNumbersOf('below 30 decibels', 'when it is quiet')).toEqual(['30 decibels'])
  })
  it('decide plain situations only', () => {
    expect(meetsBound('before 10 am', 'It is 9 am.')).toBe(true)
    expect(meetsBound('below 16 °C', 'It is 18 °C.')).toBe(false)
    expect(meetsBound('when it rains', 'It is 9 am.')).toBeNull()
  })
})

describe('rules of the other tasks', () => {
  const preferences = (change: Partial<PreferencesRow> = {}): PreferencesRow => ({
    row: '1',
    category: 'teas',
    question: 'What shall I pour for the guests?',
    preferences: [
      { name: 'sencha', fact: 'I love sencha at dawn.', forms: ['sencha'] },
      { name: 'rooibos', fact: 'Rooibos calms me.', forms: ['rooibos'] },
    ],
    ...change,
  })
  it('see preferences that collide, are nobody’s, name a sibling or stand in the question', () => {
    expect(broken(preferenceRules, preferences())).toEqual([])
    expect(
      broken(preferenceRules, preferences(), preferences({ row: '2', question: 'Something else entirely, please?' })),
    ).toEqual(['preference-collision'])
    const impersonal = [
      { name: 'sencha', fact: 'Sencha beats rooibos.', forms: ['sencha'] },
      { name: 'rooibos', fact: 'Rooibos calms me.', forms: ['rooibos'] },
    ]
    expect(broken(preferenceRules, preferences({ preferences: impersonal }))).toEqual(['first-person', 'sibling-named'])
    expect(broken(preferenceRules, preferences({ question: 'Shall I pour sencha?' }))).toEqual([
      'question-names-preference',
    ])
  })

  const essay = (name: string) =>
    Array.from({ length: 10 }, (_, i) => `${name} owns thing ${i} of ${name.length}.`).join(' ')
  const persona = (change: Partial<PersonaLintRow> = {}): PersonaLintRow => ({
    row: '1',
    entity: 'Ada Quist',
    essay: essay('Ada Quist'),
    details: [],
    questions: [
      { row: '1.1', text: 'What does Ada Quist own?', misleading: false, distractor: null },
      { row: '1.2', text: 'What does Bo Rask own?', misleading: true, distractor: 'Bo Rask' },
    ],
    ...change,
  })
  it('see strangers who are known, and questions that name the wrong person', () => {
    expect(broken(personaRules, persona())).toEqual([])
    expect(
      broken(
        personaRules,
        persona(),
        persona({ row: '2', entity: 'Bo Rask', essay: essay('Bo Rask').replaceAll('owns', 'sold'), questions: [] }),
      ),
    ).toContain('distractor-absent')
    const both = [
      { row: '1.1', text: 'Does Ada know what Bo Rask owns?', misleading: true, distractor: 'Bo Rask' },
      { row: '1.2', text: 'Ada Quist?', misleading: false, distractor: null },
    ]
    expect(broken(personaRules, persona({ questions: both }))).toEqual(['misleading-names-entity'])
  })

  const chain = (change: Partial<ChainRow> = {}): ChainRow => ({
    row: 'a',
    hops: 1,
    anchors: ['late trains', 'cold soup', 'the harbour'],
    facts: ['Late trains leave me with cold soup.', 'Cold soup drives me to the harbour.'],
    question: 'Where do late trains take me?',
    answer: 'the harbour',
    choices: ['the harbour', 'the mill', 'the fair', 'the yard', 'the dam'],
    ...change,
  })
  it('see anchors that are missing or shared, and options that give the answer away', () => {
    const names = (change: Partial<ChainRow>) =>
      broken(
        chainRules.filter(({ name }) => name !== 'balance'),
        chain(change),
      )
    expect(names({})).toEqual(['options-even'])
    expect(names({ facts: ['Late trains leave me with soup.', 'Cold soup drives me to the harbour.'] })).toContain(
      'anchor-in-facts',
    )
    expect(names({ question: 'Where does cold soup take me after late trains?' })).toContain('anchor-in-question')
    expect(names({ answer: 'the mill' })).toContain('answer')
    expect(
      broken(
        chainRules,
        chain(),
        chain({ row: 'b', facts: ['Late trains ruin my cold soup.', 'With cold soup I go to the harbour.'] }),
      ),
    ).toContain('anchor-shared')
  })
})
