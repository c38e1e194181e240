import { afterEach, describe, expect, it } from 'vitest'
import { Harness, SPEC } from '../../gateway/testing/harness.js'
import { fakeLlm } from '../../judges/llm/testing/fake-llm.js'
import { blocksOf, itemsOf } from '../../judges/llm/testing/reading-model.js'
import type { Gold, Memory, Question } from '../../model/index.js'
import { chosenLetter } from '../../suites/memfail/letter.js'
import { type AnswerStyle, createReader, messagesFor } from './index.js'

const question = (gold: Gold, choices?: Question['choices']): Question => ({
  id: 'q1',
  task: 't',
  text: 'Does Odo whittle today?',
  needs: [],
  outdated: [],
  gold,
  tags: {},
  ...(choices && { choices }),
})
const YES_NO = question({ kind: 'yes-no', answer: 'no', text: 'No.' })
const FREE = question({ kind: 'free', text: 'At dusk.' })
const CHOICE = question({ kind: 'choice', letter: 'B', text: 'two' }, [
  { letter: 'A', text: 'one' },
  { letter: 'B', text: 'two' },
])
const MEMORIES: Memory[] = [
  { id: 'a', text: 'Odo whittles when it is windy.', time: '2026-01-05T09:30:00.000Z' },
  { id: 'b', text: 'Odo sold his knife.', status: 'invalidated' },
  { id: 'c', text: 'Tea is at five.' },
]
const NOW = '2026-02-01T12:00:00.000Z'
const prompt = (asked: Question, style: AnswerStyle = 'auto', memories = MEMORIES) =>
  messagesFor(asked, memories, NOW, style).at(-1)!.content

const running: Harness[] = []
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

describe('what a reader is sent', () => {
  it('has the memories numbered, with their times and standing, and the time of the question', () => {
    const [block] = blocksOf(prompt(FREE))
    expect(block!.body.split('\n')).toEqual([
      '[1] (2026-01-05 09:30) Odo whittles when it is windy.',
      '[2] (no longer holds) Odo sold his knife.',
      '[3] Tea is at five.',
    ])
    expect(prompt(FREE)).toContain('It is now 2026-02-01 12:00.')
    expect(prompt(FREE)).toContain('Question: Does Odo whittle today?')
  })

  it('says when there are none, and tells the reader to admit not knowing', () => {
    expect(prompt(FREE, 'auto', [])).toMatch(/^There are no memories/)
    expect(messagesFor(FREE, [], NOW, 'auto')[0]!.content).toMatch(/say plainly that you have no information/)
  })

  it.each<[string, Question, AnswerStyle, RegExp]>([
    ['yes or no first', YES_NO, 'auto', /Begin with Yes or No/],
    ['yes or no first', YES_NO, 'yes-no', /Begin with Yes or No/],
    ['nothing special', YES_NO, 'free', /Answer briefly/],
    ['nothing special', YES_NO, 'choice', /Answer briefly/],
    ['nothing special', FREE, 'yes-no', /Answer briefly/],
    ['a letter as JSON', CHOICE, 'auto', /Options:\nA\. one\nB\. two[\s\S]*single JSON object/],
    ['a letter as JSON', CHOICE, 'choice', /single JSON object/],
    ['an option in words', CHOICE, 'free', /A\. one[\s\S]*Say which option is right/],
  ])('asks for %s (%#)', (_, asked, style, expected) => {
    expect(prompt(asked, style)).toMatch(expected)
  })

  it('never holds the gold or the ids of memories', () => {
    expect(prompt(question({ kind: 'free', text: 'SECRET' }))).not.toMatch(/SECRET/)
    expect(itemsOf(blocksOf(prompt(FREE))[0]!)).toHaveLength(3)
  })
})

describe('a reader', () => {
  it('answers over HTTP, and says what it took', async () => {
    const harness = await Harness.start({
      rules: [{ when: { text: 'single JSON object' }, reply: '{"answer": "B"}' }],
    })
    running.push(harness)
    const reader = createReader(harness.open().llm(SPEC))
    const reading = await reader.read(CHOICE, MEMORIES, { time: NOW, trial: 0 })
    expect(chosenLetter(reading.answer)).toBe('B')
    expect(reading.prompt).toContain('Odo whittles when it is windy.')
    expect(reading.tokens.input).toBeGreaterThan(100)
  })

  it('asks as the role answer, at temperature 0, in the trial it is told', async () => {
    const llm = fakeLlm(() => 'No.')
    await createReader(llm, { reasoning: 'off' }).read(YES_NO, MEMORIES, { time: NOW, trial: 3 })
    expect(llm.options[0]).toMatchObject({ role: 'answer', trial: 3, label: 'q1' })
    expect(llm.requests[0]).toMatchObject({ temperature: 0, reasoning: 'off' })
  })

  it('has a key of its model, style and prompts', () => {
    const llm = fakeLlm(() => '')
    const keys = [createReader(llm), createReader(llm, { style: 'free' }), createReader(fakeLlm(() => '', 'b:c'))]
    expect(new Set(keys.map(({ key }) => key)).size).toBe(3)
    expect(createReader(llm).key).toBe(keys[0]!.key)
  })
})
