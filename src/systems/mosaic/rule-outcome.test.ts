import { expect, it } from 'vitest'
import { noteOf } from './note.js'
import { ruleOutcome } from './rule-outcome.js'

it.each([
  ['If I move to Leeds, my gym will be the Mill. Okay?', 'my gym will be the Mill'],
  ['One more thing: once I move to Leeds, then I row at Dock 9!', 'I row at Dock 9'],
  ['My gym will be the Mill as soon as I move to Leeds.', 'My gym will be the Mill'],
  ['It rains. In case Ada leads our team, she signs off our plans.', 'she signs off our plans'],
  ['My gym is the Mill.', null],
  ['What if I move to Leeds, will my gym be the Mill?', null],
])('the outcome of the rule in «%s»', (text, outcome) => {
  expect(ruleOutcome(noteOf({ id: 'a', text }))).toBe(outcome)
})

it('is that which was given with a note', () => {
  const cues = { leans: [], isNews: false, isForget: false, about: 'gym', value: 'the Mill' }
  expect(ruleOutcome(noteOf({ id: 'a', text: 'Leeds means the Mill.' }, cues))).toBe('gym: the Mill')
  expect(ruleOutcome(noteOf({ id: 'a', text: 'Leeds means the Mill.' }, { ...cues, value: '' }))).toBeNull()
})
