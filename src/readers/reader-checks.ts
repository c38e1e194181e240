import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ContractCheck, type ContractResult, checkContract } from '../base/contract-check.js'
import { judgeTestContext } from '../judges/judge-checks.js'
import type { MadeReader, Memory, OwnReader, Reader, ReaderContext, ReaderQuestion, Reading } from '../model/index.js'

/** What the checks need to know of a reader: how one is made, or its definition, which is made with a context for tests. */
export interface ReaderUnderTest {
  name: string
  newReader?(): MadeReader | Promise<MadeReader>
  definition?: OwnReader
  /** Parts of the context to use in place of the test's own, such as models. */
  context?: Partial<ReaderContext>
}

/** Makes a fresh reader. */
export type NewReader = () => Promise<Reader>

/** Makes readers of a definition to be checked. */
export function newReaderOf({ name, newReader, definition, context }: ReaderUnderTest): NewReader {
  return async () => {
    const usual = { style: 'auto', reasoning: 'default' } as const
    const made = newReader
      ? await newReader()
      : await definition?.create({ ...judgeTestContext(definition), ...usual, ...context })
    if (!made) throw new Error(`Expected newReader or definition of ${name} to make a reader.`)
    return Object.assign(made, { name: made.name ?? name, key: made.key ?? name })
  }
}

const MEMORIES: readonly Memory[] = [
  { id: 'a', text: 'Wilma Kaspar bakes plum cake every Friday.', time: '2026-03-06T09:00:00.000Z' },
  { id: 'b', text: 'The library on Birch Street closes at noon.', status: 'invalidated' },
]
const FREE: ReaderQuestion = { id: 'free', text: 'What does Wilma bake on Fridays?', form: 'free' }
const YES_NO: ReaderQuestion = { id: 'yes-no', text: 'Does Wilma bake?', form: 'yes-no' }
const CHOICE: ReaderQuestion = {
  id: 'choice',
  text: 'What does Wilma bake?',
  choices: [
    { letter: 'A', text: 'Plum cake' },
    { letter: 'B', text: 'Rye bread' },
  ],
  form: 'choice',
}
const ABOUT = { time: '2026-03-07T09:00:00.000Z', trial: 0 }

/**
 * What every reader must do, whatever it is made of: answer in words with what it took, also where nothing was retrieved, leave alone what
 * it is given, and go by nothing but what is asked. Readers are not told what is right.
 */
export const readerChecks = {
  kinds: {
    title: 'answers every kind of question in words, and says what it took',
    async run(newReader) {
      const reader = await newReader()
      for (const asked of [FREE, YES_NO, CHOICE]) requireReading(await reader.read(asked, MEMORIES, ABOUT), asked.id)
    },
  },
  empty: {
    title: 'answers where nothing was retrieved, and where no time is known',
    async run(newReader) {
      const reader = await newReader()
      requireReading(await reader.read(FREE, [], ABOUT), 'free')
      requireReading(await reader.read(FREE, MEMORIES, { ...ABOUT, time: '' }), 'free')
    },
  },
  untouched: {
    title: 'leaves the question and the memories as they were',
    async run(newReader) {
      const [asked, memories] = [structuredClone(CHOICE), structuredClone([...MEMORIES])]
      await (await newReader()).read(asked, memories, ABOUT)
      deepEqual({ asked, memories }, { asked: CHOICE, memories: [...MEMORIES] })
    },
  },
  blind: {
    title: 'goes by what is asked, and not by the id of a question',
    async run(newReader) {
      const reader = await newReader()
      const other = { ...FREE, id: 'other' }
      deepEqual(partsOf(await reader.read(other, MEMORIES, ABOUT)), partsOf(await reader.read(FREE, MEMORIES, ABOUT)))
    },
  },
  again: {
    title: 'says the same when asked again, by itself or beside other questions',
    async run(newReader) {
      const reader = await newReader()
      const read = (asked: ReaderQuestion) => reader.read(asked, MEMORIES, ABOUT)
      const alone = [await read(FREE), await read(YES_NO)]
      const together = await Promise.all([FREE, YES_NO].map(read))
      deepEqual(together.map(partsOf), alone.map(partsOf))
    },
  },
  identity: {
    title: 'has a name and a key',
    async run(newReader) {
      const { name, key } = await newReader()
      ok(name !== '' && key !== '', `Expected a name and a key, got "${name}" and "${key}".`)
    },
  },
} satisfies Record<string, ContractCheck<NewReader>>

/** Checks a reader without a test runner, as `memscope check` does. */
export function checkReader(reader: ReaderUnderTest): Promise<ContractResult[]> {
  return checkContract(readerChecks, newReaderOf(reader))
}

function partsOf({ answer, prompt }: Reading): Pick<Reading, 'answer' | 'prompt'> {
  return { answer, prompt }
}

function requireReading(reading: Reading, id: string): void {
  const { answer, prompt, tokens, cost } = reading
  equal(typeof answer, 'string', `Expected the answer to ${id} to be a text.`)
  equal(typeof prompt, 'string', `Expected the prompt of ${id} to be a text.`)
  ok(tokens?.input >= 0 && tokens.output >= 0, `Expected the tokens of ${id} to be numbers from 0 up.`)
  ok(cost === null || cost >= 0, `Expected the cost of ${id} to be USD, or null where no price is known.`)
}
