import { z } from 'zod'
import { giveWay, mapGivingWay } from '../../base/give-way.js'
import { sentences } from '../../base/text.js'
import { daySpans, isDayNamed } from '../../language/days.js'
import {
  type AnswerCase,
  type AnswerVerdict,
  defineJudge,
  type Embedder,
  type Entailment,
  type Fact,
  type FactVerdict,
  type Judge,
  type Memory,
} from '../../model/index.js'
import { choiceOption, optionTable, readOptions } from '../../systems/options.js'
import { gradeAnswer } from './answer.js'
import { gradeAnswersRead } from './answer-reading.js'
import { gradeCriteriaRead } from './criteria/index.js'
import { isDoubtful, wordRun } from './doubts.js'
import { type Finding, notStored } from './finding.js'
import { classifyFacts, type ReadingModel } from './reading.js'
import { judgeState, mentionedOnlyToForget } from './state/state.js'
import { StoreIndex } from './store/store-index.js'
import { findAltered, findVerbatim, findWhole, sentencesSaid } from './store/verbatim.js'
import { storeSide } from './store-side.js'

/** Bumped whenever a verdict may change. */
const VERSION = '18'

/** What the judge has beside words. */
interface LexicalTools {
  embed?: Embedder
  entail?: Entailment
}

/**
 * The deterministic judge. What stands word for word in the store is settled first and with certainty. The rest is read by the entailment
 * model beside what words say of it, with inflection, synonyms, numbers, negation, exclusivity and direction; a fitted decision weighs both.
 * Without the model words alone decide, and without an embedder nearness goes by shared words.
 *
 * @example await createLexicalJudge({ embed, entail }).judgeFacts(facts, store)
 */
export function createLexicalJudge(tools: LexicalTools = {}): Judge {
  const { embed, entail } = tools
  const model = embed && entail && { embed, entail }
  return {
    name: 'lexical',
    key: `lexical:${VERSION}:${embed?.id ?? 'words'}${model ? `:${model.entail.id}` : ''}`,
    judgeFacts: (facts, store, signal) => judgeFacts(facts, store, model, signal),
    judgeStore: storeSide,
    judgeAnswer: async (question, answer) => (await judgeAnswers([{ question, answer, facts: [] }], model))[0]!,
    judgeAnswers: (items) => judgeAnswers(items, model),
  }
}

const OPTIONS = z.object({
  model: choiceOption(['yes', 'no'], 'yes or no: have the entailment model read what words leave open'),
})

export const lexicalJudge = defineJudge({
  name: 'lexical',
  about: 'deterministic, without a key: recognises facts by their words',
  options: optionTable(OPTIONS),
  create: ({ options, ...tools }) =>
    readOptions(OPTIONS, options).model === 'yes'
      ? createLexicalJudge(tools)
      : { ...createLexicalJudge(), name: 'lexical:model=no' },
})

/** By words alone, or read by the model where they leave it open. */
async function judgeAnswers(items: readonly AnswerCase[], model: ReadingModel | undefined): Promise<AnswerVerdict[]> {
  if (!model) return items.map(({ question, answer }) => gradeAnswer(question, answer))
  const graded = await gradeAnswersRead(items, model.entail)
  return Promise.all(
    items.map(({ question: { gold }, answer }, i) =>
      gold.kind === 'criteria' ? gradeCriteriaRead(gold, answer, model) : graded[i]!,
    ),
  )
}

async function judgeFacts(
  facts: readonly Fact[],
  store: readonly Memory[],
  model: ReadingModel | undefined,
  signal?: AbortSignal,
): Promise<FactVerdict[]> {
  await giveWay()
  const index = new StoreIndex(store)
  const told = new Set(facts.flatMap(({ text, evidence = [] }) => [...evidence, ...sentences(text)]).map(wordRun))
  const settled = await mapGivingWay(facts, (fact) => {
    signal?.throwIfAborted()
    return (
      verbatim(fact, index, told) ?? altered(fact, index) ?? (fact.cues.kind === 'state' && judgeState(fact, index))
    )
  })
  const open = facts.filter((_, i) => !settled[i])
  const found = (await classifyFacts(open, index, sentencesSaid(facts, index), model)).values()
  signal?.throwIfAborted()
  return facts.map((fact, i) => verdict(fact, withDay(fact, settled[i] || found.next().value!, index)))
}

/**
 * What nobody said stands there word for word only where a memory is nothing else; and a value repeated in order to be forgotten is not
 * kept.
 */
function verbatim(fact: Fact, index: StoreIndex, told: ReadonlySet<string>): Finding | undefined {
  const isState = fact.cues.kind === 'state'
  const found = isState && fact.sources.length === 0 ? findWhole(fact, index) : findVerbatim(fact, index)
  if (!found) return undefined
  if (isState && fact.cues.stance !== 'removed') {
    found.support = found.support.filter((set) => set.some((id) => !mentionedOnlyToForget(fact, index.memory(id)!)))
    if (found.support.length === 0) return undefined
    const kept = new Set(found.support.flat())
    found.quotes = found.quotes.filter(({ memory }) => kept.has(memory))
  }
  const [first] = found.support
  const where = first!.length === 1 ? first![0] : `${first!.length} memories`
  const uncertain = isDoubtful(fact, found.quotes, index, told)
  return { label: 'correct', uncertain, reason: `Its own words stand in ${where}.`, ...found }
}

/** Word for word but for its numbers, and from where it was told. */
function altered(fact: Fact, index: StoreIndex): Finding | undefined {
  const found = findAltered(fact, index)
  if (!found) return undefined
  const reason = `Its own words stand in ${found.support[0]!.join(', ')}, but with other numbers.`
  return { label: 'summary_error', uncertain: false, reason, ...found }
}

/**
 * Only what carries the day of a fact beside it keeps it: in its text, or as the time of the memory. Words without their day are not the day;
 * with another one they are a damaged version of it.
 */
function withDay({ cues: { when } }: Fact, finding: Finding, index: StoreIndex): Finding {
  if (when === undefined || finding.label !== 'correct') return finding
  const bears = (id: string) => {
    const { text, time } = index.memory(id)!
    return time?.startsWith(when) === true || isDayNamed(when, daySpans(text))
  }
  const support = finding.support.filter((set) => set.some(bears))
  if (support.length > 0) return { ...finding, support, reason: `${finding.reason} Its day stands there, too.` }
  const other = finding.support.find((set) => set.some((id) => index.memory(id)!.time !== undefined))
  if (other)
    return { ...finding, label: 'summary_error', support: [other], reason: `${other[0]} tells it of another day.` }
  return { ...notStored('It is there, but without its day.', finding.uncertain) }
}

/** Sets and their members in a fixed order, whatever the order of the store. */
function verdict(fact: Fact, { support, ...rest }: Finding): FactVerdict {
  const sets = support.map((set) => [...new Set(set)].sort())
  const seen = new Map(sets.map((set) => [JSON.stringify(set), set]))
  return { fact: fact.id, ...rest, support: [...seen.keys()].sort().map((key) => seen.get(key)!) }
}
