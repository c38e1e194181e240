import { afterEach, describe, expect, it } from 'vitest'
import { blocksOf, itemsOf } from '../../../bench/reading-model.js'
import { Harness, SPEC } from '../../../test/gateway/harness.js'
import { fakeLlm } from '../../../test/judges/fake-llm.js'
import { readerPromptsWith } from '../../../test/judges/own-prompts.js'
import { suites } from '../../builtins.js'
import { type AnswerStyle, type Gold, type Memory, type Question, questionForReader } from '../../model/index.js'
import { chosenLetter } from '../../suites/memfail/letter.js'
import { runReaderConformance } from '../conformance.js'
import { createLlmReader, messagesFor } from './index.js'
import { DEFAULT_READER_PROMPTS, READER_PROMPT_SETS } from './reader-prompts.js'

runReaderConformance({ name: 'llm', newReader: () => createLlmReader(fakeLlm((prompt) => `Read: ${prompt.length}`)) })

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
  messagesFor(questionForReader(asked), memories, NOW, style).at(-1)!.content

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

  it('says when there are none', () => {
    expect(prompt(FREE, 'auto', [])).toMatch(/^There are no memories/)
  })

  it.each<[string, Question, AnswerStyle, RegExp]>([
    ['yes or no first', YES_NO, 'auto', /Begin with Yes or No/],
    ['yes or no first', YES_NO, 'yes-no', /Begin with Yes or No/],
    ['nothing special', YES_NO, 'free', /Answer briefly/],
    ['nothing special', YES_NO, 'choice', /Answer briefly/],
    ['nothing special', FREE, 'yes-no', /Answer briefly/],
    ['a letter as JSON', CHOICE, 'auto', /Options:\nA\. one\nB\. two[\s\S]*single JSON object/],
    ['a letter as JSON', CHOICE, 'choice', /single JSON object/],
    ['an option in words', CHOICE, 'free', /A\. one[\s\S]*Say which option you choose/],
  ])('asks for %s (%#)', (_, asked, style, expected) => {
    expect(prompt(asked, style)).toMatch(expected)
  })

  it('never holds the gold or the ids of memories', () => {
    expect(prompt(question({ kind: 'free', text: 'SECRET' }))).not.toMatch(/SECRET/)
    expect(itemsOf(blocksOf(prompt(FREE))[0]!)).toHaveLength(3)
  })
})

/** What the suites test, in words that would give it away. */
const TESTED: [rule: string, words: RegExp][] = [
  [
    'which of two notes counts',
    /\b(?:later|latest|last|new(?:er|est)?|recent|old(?:er|est)?|supersed\w+|replac\w+|prefer)\b/i,
  ],
  ['that notes contradict each other', /\b(?:contradict\w*|conflict\w*|disagree\w*|inconsisten\w+|differ\w*)\b/i],
  [
    'that things change',
    /\b(?:chang\w+|updat\w+|correct\w*|current\w*|outdated|stale|valid|hold|holds|still|no longer|expire\w*)\b/i,
  ],
  [
    'what follows from a change',
    /\b(?:depend\w*|follows? from|rules?|consequence\w*|deriv\w+|infer\w*|conclu\w+|cascad\w+)\b/i,
  ],
  [
    'that a condition has to be met',
    /\b(?:condition\w*|only if|unless|exclusive\w*|applies|apply|exactly|precise\w*)\b/i,
  ],
  ['to name everything', /\b(?:all|every\w*|each|complete\w*|total|count|sum|add up)\b/i],
  ['to join notes', /\b(?:chain\w*|hops?|combin\w+|connect\w*|link\w*|step by step|together)\b/i],
  ['whom a note is about', /\b(?:person|people|another|somebody else|someone|whose|names?|confus\w+|mix\w*)\b/i],
  [
    'to admit not knowing',
    /\b(?:know\w*|information|guess\w*|unsure|uncertain\w*|unknown|missing|incomplete|admit\w*|abstain\w*|cannot|if you|if the|instead)\b/i,
  ],
  ['to keep things back', /\b(?:forg[eo]t\w*|delet\w+|remov\w+|withh\w+|reveal\w*|secret\w*|private)\b/i],
]

describe('the default prompts', () => {
  const texts = [...DEFAULT_READER_PROMPTS.sections]

  it.each(TESTED)('do not say %s', (_, words) => {
    expect(texts.filter(([, text]) => words.test(text))).toEqual([])
  })

  it('name no suite and no task', () => {
    const names = suites.flatMap(({ name, tasks }) => [name, ...tasks.flatMap((task) => task.name.split('-'))])
    const words = new Set(texts.flatMap(([, text]) => text.toLowerCase().match(/[a-z]+/g) ?? []))
    expect(names.length).toBeGreaterThan(20)
    // Who speaks and how many of a thing are wanted gives nothing away.
    const plain = ['user', 'single']
    expect(names.filter((name) => words.has(name) && !plain.includes(name))).toEqual([])
  })

  it('differ from the careful ones, which say what to do and are there for those who want it', () => {
    const careful = [...readerPromptsWith(READER_PROMPT_SETS[0]).sections.values()].join('\n')
    const said = TESTED.flatMap(([rule, words]) => (words.test(careful) ? [rule] : []))
    expect(said).toEqual(
      expect.arrayContaining(['which of two notes counts', 'whom a note is about', 'to admit not knowing']),
    )
    expect(careful).toMatch(/where two contradict each other, the later one counts\./)
  })

  it('fence memories off as data, and so does everything that may replace them', () => {
    for (const prompts of [DEFAULT_READER_PROMPTS, readerPromptsWith(READER_PROMPT_SETS[0])]) {
      const [system, user] = messagesFor(questionForReader(FREE), MEMORIES, NOW, 'auto', prompts)
      expect(system!.content).toContain('between a line <<memories code>> and the line <<end code>>')
      expect(blocksOf(user!.content).map(({ name }) => name)).toEqual(['memories'])
    }
  })
})

describe('a reader', () => {
  it('answers over HTTP, and says what it took', async () => {
    const harness = await Harness.start({
      rules: [{ when: { text: 'single JSON object' }, reply: '{"answer": "B"}' }],
    })
    running.push(harness)
    const reader = createLlmReader(harness.open().llm(SPEC))
    const reading = await reader.read(questionForReader(CHOICE), MEMORIES, { time: NOW, trial: 0 })
    expect(chosenLetter(reading.answer)).toBe('B')
    expect(reading.prompt).toContain('Odo whittles when it is windy.')
    expect(reading.tokens.input).toBeGreaterThan(100)
  })

  it('asks as the role answer, at temperature 0, in the trial it is told', async () => {
    const llm = fakeLlm(() => 'No.')
    await createLlmReader(llm, { reasoning: 'off' }).read(questionForReader(YES_NO), MEMORIES, { time: NOW, trial: 3 })
    expect(llm.options[0]).toMatchObject({ role: 'answer', trial: 3, label: 'q1' })
    expect(llm.requests[0]).toMatchObject({ temperature: 0, reasoning: 'off' })
  })

  it('has a key of its model, style and prompts', () => {
    const llm = fakeLlm(() => '')
    const keys = [
      createLlmReader(llm),
      createLlmReader(llm, { style: 'free' }),
      createLlmReader(fakeLlm(() => '', 'b:c')),
    ]
    const [careful] = READER_PROMPT_SETS
    keys.push(createLlmReader(llm, { prompts: readerPromptsWith(careful) }))
    expect(new Set(keys.map(({ key }) => key)).size).toBe(4)
    expect(createLlmReader(llm).key).toBe(keys[0]!.key)
  })
})
