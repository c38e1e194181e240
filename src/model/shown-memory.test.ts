import { expect, it } from 'vitest'
import { countTokens } from '../base/tokens.js'
import { shownMemory, shownTokens } from './shown-memory.js'

const text = 'I bake bread.'

it.each([
  [{ text }, 'I bake bread.'],
  [{ text, time: '' }, 'I bake bread.'],
  [{ text, time: '2024-03-04' }, '(2024-03-04) I bake bread.'],
  [{ text, time: '2024-03-04T09:00:30Z', status: 'live' as const }, '(2024-03-04 09:00) I bake bread.'],
  [{ text: ` ${text}\n`, status: 'tombstone' as const }, '(no longer holds) I bake bread.'],
])('shows %j as "%s", and counts that', (memory, shown) => {
  expect(shownMemory(memory)).toBe(shown)
  expect(shownTokens(memory)).toBe(countTokens(shown))
})
