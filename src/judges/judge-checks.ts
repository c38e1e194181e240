import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ContractCheck, type ContractResult, checkContract } from '../base/contract-check.js'
import { linkCues, preferenceCues, profileCues, ruleCues } from '../language/derive-cues.js'
import type { Fact, InstrumentContext, Judge, MadeJudge, Memory, OwnJudge, Question } from '../model/index.js'
import { hashEmbedder } from '../systems/hash-embedder.js'

/** What the checks need to know of a judge: how one is made, or its definition, which is made with an embedder for tests. */
export interface JudgeUnderTest {
  name: string
  newJudge?(): MadeJudge | Promise<MadeJudge>
  definition?: OwnJudge
  /** Parts of the context to use in place of the test's own, such as models. */
  context?: Partial<InstrumentContext>
}

/** Makes a fresh judge. */
export type NewJudge = () => Promise<Judge>

export function newJudgeOf({ name, newJudge, definition, context }: JudgeUnderTest): NewJudge {
  return async () => {
    const made = newJudge ? await newJudge() : await definition?.create({ ...judgeTestContext(definition), ...context })
    if (!made) throw new Error(`Expected newJudge or definition of ${name} to make a judge.`)
    return Object.assign(made, { name: made.name ?? name, key: made.key ?? name })
  }
}

/** A minimal context for testing a judge: a hashing embedder, its default options and prompts; asking for a model throws. */
export function judgeTestContext({
  options = {},
  prompts = {},
}: Pick<OwnJudge, 'options' | 'prompts'>): InstrumentContext {
  return {
    embed: hashEmbedder(),
    named: [],
    llm: (model) => {
      throw new Error(`There is no model ${model} in this test: give one in context.llm.`)
    },
    prompts,
    options: Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option.default])),
  }
}

const ESSAY =
  'Odo is a quiet heron-keeper at the old mill. He whittles spoons only when the wind is above 30 km per hour. On Mondays he mends nets.'
const PROFILE =
  'Wilma Kaspar restores pianos in a cellar by the harbour. She tunes by ear and keeps felt in biscuit tins. Every Friday she bakes plum cake for the ferrymen.'

const FACTS: readonly Fact[] = [
  fact('rule', ESSAY, ruleCues('Odo', 'whittles spoons', 'when the wind is above 30 km per hour', ESSAY)),
  fact(
    'preference',
    'I like fencing because it sharpens my reflexes.',
    preferenceCues('fencing', 'I like fencing because it sharpens my reflexes.'),
  ),
  fact('link', 'Long train rides make me write letters.', linkCues('Long train rides make me write letters.')),
  fact('profile', PROFILE, profileCues('Wilma Kaspar', PROFILE)),
]

const UNRELATED: readonly Memory[] = [
  { id: 'u1', text: 'The library on Birch Street closes at noon.' },
  { id: 'u2', text: 'Tea was served in blue cups.' },
  { id: 'u3', text: 'Granite is heavier than pumice.' },
]

const VERBATIM: readonly Memory[] = FACTS.map(({ id, text }) => ({ id: `m-${id}`, text }))
const STORE: readonly Memory[] = [...VERBATIM, ...UNRELATED]

const GOLD = 'She bakes plum cake for the ferrymen.'
const QUESTION: Question = {
  id: 'q',
  task: 'check',
  text: 'What does Wilma Kaspar do every Friday?',
  needs: [['profile']],
  outdated: [],
  gold: { kind: 'free', text: GOLD },
  tags: {},
}
const ITEM = { question: QUESTION, answer: GOLD, facts: FACTS.slice(3), retrieved: VERBATIM, graded: null }

const byQuestion = async (newJudge: NewJudge) => ((await newJudge()).judgeQuestions ? 'It goes by question.' : null)
const unlessOffered = (method: 'judgeAnswers' | 'judgeQuestions') => async (newJudge: NewJudge) =>
  (await newJudge())[method] ? null : `It has no ${method}.`

/**
 * What every judge must do, whatever it is made of: answer for every fact in order, know what stands word for word, find nothing in an
 * empty store, point only at memories that exist, not depend on the order of the store, and grade answers.
 */
export const judgeChecks = {
  order: {
    title: 'gives every fact exactly one verdict, in order',
    unless: byQuestion,
    async run(newJudge) {
      const verdicts = await (await newJudge()).judgeFacts(FACTS, STORE)
      deepEqual(
        verdicts.map((verdict) => verdict.fact),
        FACTS.map(({ id }) => id),
      )
    },
  },
  verbatim: {
    title: 'finds what stands word for word, and where',
    unless: byQuestion,
    async run(newJudge) {
      for (const { fact: id, label, support } of await (await newJudge()).judgeFacts(FACTS, STORE)) {
        equal(label, 'correct', `Expected the fact ${id}, which stands word for word, to be correct, got ${label}.`)
        const isFound = support.some((set) => set.length === 1 && set[0] === `m-${id}`)
        ok(isFound, `Expected the support of ${id} to hold ["m-${id}"], got ${JSON.stringify(support)}.`)
      }
    },
  },
  empty: {
    title: 'finds nothing in an empty store',
    unless: byQuestion,
    async run(newJudge) {
      for (const { fact: id, label, support, quotes } of await (await newJudge()).judgeFacts(FACTS, []))
        deepEqual({ label, support, quotes }, { label: 'not_stored', support: [], quotes: [] }, saidOf(id, label))
    },
  },
  unrelated: {
    title: 'finds nothing among unrelated memories',
    unless: byQuestion,
    async run(newJudge) {
      for (const { fact: id, label } of await (await newJudge()).judgeFacts(FACTS, UNRELATED))
        equal(label, 'not_stored', saidOf(id, label))
    },
  },
  pointing: {
    title: 'points only at memories that exist',
    unless: byQuestion,
    async run(newJudge) {
      const ids = new Set(STORE.map(({ id }) => id))
      for (const { fact: id, support, quotes } of await (await newJudge()).judgeFacts(FACTS, STORE))
        for (const memory of [...support.flat(), ...quotes.map((quote) => quote.memory)])
          ok(ids.has(memory), `The verdict on ${id} points at "${memory}", which the store does not hold.`)
    },
  },
  anyOrder: {
    title: 'does not depend on the order of the store',
    unless: byQuestion,
    async run(newJudge) {
      const judge = await newJudge()
      deepEqual(await judge.judgeFacts(FACTS, [...STORE].reverse()), await judge.judgeFacts(FACTS, STORE))
    },
  },
  again: {
    title: 'says the same when asked again',
    unless: byQuestion,
    async run(newJudge) {
      const [first, second] = [await newJudge(), await newJudge()]
      deepEqual(await second.judgeFacts(FACTS, STORE), await first.judgeFacts(FACTS, STORE))
    },
  },
  none: {
    title: 'judges no facts without complaint',
    unless: byQuestion,
    async run(newJudge) {
      deepEqual(await (await newJudge()).judgeFacts([], UNRELATED), [])
    },
  },
  answer: {
    title: 'grades an answer in the words of the gold as right, and says why',
    async run(newJudge) {
      const { grade, reason } = await (await newJudge()).judgeAnswer(QUESTION, GOLD)
      equal(grade, 'right', `Expected the grade right, got ${grade} (${reason}).`)
      equal(typeof reason, 'string', 'Expected a reason in words.')
    },
  },
  silence: {
    title: 'does not take silence for an answer',
    unless: byQuestion,
    async run(newJudge) {
      const { grade } = await (await newJudge()).judgeAnswer(QUESTION, '')
      ok(grade !== 'right', 'Expected an empty answer not to be right.')
    },
  },
  answers: {
    title: 'grades many answers at once, in their order',
    unless: unlessOffered('judgeAnswers'),
    async run(newJudge) {
      const items = [ITEM, { ...ITEM, answer: 'Granite is heavier than pumice.' }, ITEM]
      const verdicts = await (await newJudge()).judgeAnswers!(items)
      equal(verdicts.length, items.length, `Expected ${items.length} verdicts, got ${verdicts.length}.`)
      equal(verdicts[0]!.grade, verdicts[2]!.grade, 'Expected the same answer to get the same grade.')
    },
  },
  questions: {
    title: 'gives every question one verdict, with the stages of its facts in order',
    unless: unlessOffered('judgeQuestions'),
    async run(newJudge) {
      const verdicts = await (await newJudge()).judgeQuestions!(STORE, [ITEM, { ...ITEM, facts: [] }])
      deepEqual(
        verdicts.map(({ stages }) => stages.map((stage) => stage.fact)),
        [['profile'], []],
      )
      for (const { stored, faithful, retrieved } of verdicts.flatMap(({ stages }) => stages))
        ok((stored || faithful === null) && (faithful || retrieved === null), 'Expected null behind a failed stage.')
    },
  },
  identity: {
    title: 'has a name, and a key that holds it',
    async run(newJudge) {
      const { name, key } = await newJudge()
      ok(name !== '', 'Expected a name.')
      ok(key.includes(name.split(':')[0]!), `Expected the key "${key}" to hold the name "${name.split(':')[0]}".`)
    },
  },
} satisfies Record<string, ContractCheck<NewJudge>>

/** Checks a judge without a test runner, as `memscope check` does. */
export function checkJudge(judge: JudgeUnderTest): Promise<ContractResult[]> {
  return checkContract(judgeChecks, newJudgeOf(judge))
}

function saidOf(id: string, label: string): string {
  return `Expected the fact ${id}, of which nothing is there, to be not_stored without support, got ${label}.`
}

function fact(id: string, text: string, cues: Fact['cues']): Fact {
  return { id, text, sources: [id], cues }
}
