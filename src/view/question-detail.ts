import { type Blame, blameOf } from '../analysis/attribution.js'
import type { LifeResults, Result } from '../analysis/results.js'
import { groupBy } from '../base/group-by.js'
import {
  type Counterfactual,
  depthKey,
  depthWords,
  type Fact,
  type FactVerdict,
  type Memory,
  momentOf,
  probesByQuestion,
  type Scenario,
} from '../model/index.js'
import { courseSteps, type WayStep, wayOf } from '../report/fact-way.js'
import { clipText, wordList } from '../report/format.js'
import { criterionTraces, shownVerdict, tracedResults, traceQuestion } from '../report/question-traces.js'
import type { CriterionTrace, QuestionTrace } from '../report/report-data.js'

/** Characters of one text that are shown; a page of megabytes would help nobody. */
const MOST_TEXT = 20_000

/** Everything that was kept of one question under one system. */
export interface QuestionDetail {
  trace: QuestionTrace
  task: string
  scenario: string
  time: string
  /** The depth at which it is shown unless another is named, as it is written. */
  shown: string
  asks: AskDetail[]
  facts: FactDetail[]
  /** Every memory that is spoken of, by its id. */
  memories: Record<string, Pick<Memory, 'text' | 'time' | 'status' | 'sources'>>
  counterfactuals: (Counterfactual & { words: string; proven: Blame })[]
}

/** One question at one depth; `criteria`: what became of each, in suites that grade by them. */
export type AskDetail = ReturnType<typeof askDetail> & { criteria: CriterionTrace[] }

/** One fact: what was said, the verdict on it, its way at every depth and its whole story. */
export interface FactDetail {
  id: string
  role: 'needed' | 'outdated' | 'correction'
  /** Where it was said: the sentences, as far as they are known. */
  said: { conversation: string; time: string; sentences: string[] }[]
  verdict: Pick<FactVerdict, 'label' | 'uncertain' | 'reason' | 'quotes' | 'votes' | 'support'>
  /** In the order of `asks`. */
  ways: WayStep[][]
  events: FactEvent[]
  /** What stands before it at every depth where it was looked for: its best rank, or null when it was not found. */
  ranks: { depth: string; words: string; rank: number | null; before: string[] }[]
}

/** Something that happened to a fact. */
export interface FactEvent {
  kind: 'said' | 'superseded' | 'entered' | 'altered' | 'restored' | 'lost' | 'asked' | 'missing'
  moment: string
  time: string
  words: string
  /** The conversation to open for it. */
  conversation?: string
}

/**
 * All that is told of one question.
 *
 * @param kept counterfactuals that were asked of the life
 * @param depth at which its task is shown, as it is written; null where systems have fixed ones
 */
export async function questionDetail(
  life: LifeResults,
  question: string,
  kept: readonly Counterfactual[],
  depth: string | null,
): Promise<QuestionDetail | null> {
  const own = life.results.filter((result) => result.question.id === question)
  if (own.length === 0) return null
  const { scenario, suite } = life.planned
  const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
  const usual = tracedResults(own)
  const trace = await traceQuestion(life, usual, facts, suite.defaultK[0], scenario.id)
  const rest = own.filter((result) => !usual.includes(result))
  const others = rest.length === 0 ? null : await traceQuestion(life, rest, facts, suite.defaultK[0], scenario.id)
  /** The way of a fact at a depth, among depths of the same kind. */
  const wayAt = (id: string, result: Result): WayStep[] => {
    const [within, among] = usual.includes(result) ? [trace, usual] : [others!, rest]
    const fact = within.facts.find((one) => one.id === id)
    return fact ? wayOf(fact, within, among.indexOf(result)) : []
  }
  const memories = await memoriesOf(life, own, trace)
  const probe = probesByQuestion(scenario).get(question)!
  const carriers = (memory: string) =>
    trace.facts.filter(({ evidence }) => evidence.some(({ id }) => id === memory)).map(({ id }) => id)
  return {
    trace,
    task: `${suite.name}/${own[0]!.question.task}`,
    scenario: scenario.id,
    time: probe.time,
    memories,
    shown: depthKey((own.find((one) => depthKey(one.depth) === depth) ?? usual.at(-1)!).depth),
    asks: own.map((result) => ({
      ...askDetail(result, carriers),
      criteria: criterionTraces(result, life.reader !== null, facts),
    })),
    facts: trace.facts.flatMap((fact) => {
      const known = facts.get(fact.id)
      if (!known) return []
      const verdict = shownVerdict(life, own.at(-1)!.witness, fact.id)
      const { label, uncertain, reason, quotes } = fact
      const support = verdict?.support ?? []
      return {
        id: fact.id,
        role: fact.role ?? ('needed' as const),
        said: saidIn(known, scenario),
        verdict: { label, uncertain, reason, quotes, support, ...(verdict?.votes && { votes: verdict.votes }) },
        ways: own.map((result) => wayAt(fact.id, result)),
        events: eventsOf(known, life, own, support),
        ranks: own.map((result) => rankIn(result, support)),
      }
    }),
    counterfactuals: kept
      .filter((one) => one.question === question)
      .map((one) => ({ ...one, words: depthWords(one.depth), proven: blameOf(one) })),
  }
}

function askDetail(result: Result, carriers: (memory: string) => string[]) {
  const { depth, witness, answer, grade, assessment } = result
  return {
    depth: depthKey(depth),
    words: depthWords(depth),
    outcome: assessment.outcome,
    contextTokens: witness.contextTokens,
    ms: witness.ms,
    // Best first.
    retrieved: witness.retrieved.map((id, at) => {
      return { id, score: witness.scores[at] ?? null, tokens: witness.sizes[at] ?? null, carries: carriers(id) }
    }),
    prompt: answer ? clipText(answer.prompt, MOST_TEXT) : null,
    answer: answer?.answer == null ? null : clipText(answer.answer, MOST_TEXT),
    verdict: grade,
    error: assessment.error ?? null,
  }
}

async function memoriesOf(
  life: LifeResults,
  own: readonly Result[],
  trace: QuestionTrace,
): Promise<QuestionDetail['memories']> {
  const found: QuestionDetail['memories'] = {}
  const add = ({ id, text, time, status, sources }: Memory) => {
    found[id] ??= {
      text: clipText(text, MOST_TEXT),
      ...(time !== undefined && { time }),
      ...(status !== undefined && { status }),
      ...(sources && { sources }),
    }
  }
  for (const { witness } of own) for (const memory of await life.retrievedFor(witness)) add(memory)
  const held = await life.memoriesAt(own[0]!.witness.probe)
  for (const { evidence } of trace.facts)
    for (const { id } of evidence) {
      const memory = held.get(id)
      if (memory) add(memory)
    }
  return found
}

/** The conversations that say a fact, with the sentences in them that do. */
function saidIn({ sources, evidence, text }: Fact, { timeline }: Scenario): FactDetail['said'] {
  return timeline.flatMap((event) => {
    if (event.type !== 'conversation' || !sources.includes(event.conversation.id)) return []
    const { id, time, turns } = event.conversation
    const all = turns.map((turn) => turn.text).join('\n')
    const stated = (evidence ?? [text]).filter((sentence) => all.includes(sentence))
    return [{ conversation: id, time, sentences: stated }]
  })
}

/** Where a fact stands at one depth: the rank of the first memory that carries it, and the memories before. */
function rankIn({ depth, witness }: Result, support: readonly (readonly string[])[]): FactDetail['ranks'][number] {
  const carrying = new Set(support.flat())
  const at = witness.retrieved.findIndex((id) => carrying.has(id))
  const before = at < 0 ? witness.retrieved : witness.retrieved.slice(0, at)
  return { depth: depthKey(depth), words: depthWords(depth), rank: at < 0 ? null : at + 1, before: [...before] }
}

/** The story of a fact in the order of the scenario. */
function eventsOf(
  fact: Fact,
  life: LifeResults,
  own: readonly Result[],
  support: readonly (readonly string[])[],
): FactEvent[] {
  const { scenario } = life.planned
  const places = new Map(scenario.timeline.map((event, at) => [momentOf(event), at]))
  const timeOf = new Map(
    scenario.timeline.map((event) => [
      momentOf(event),
      event.type === 'probe' ? event.probe.time : event.conversation.time,
    ]),
  )
  const events: (FactEvent & { at: number })[] = []
  const add = (
    moment: string,
    kind: FactEvent['kind'],
    words: string,
    more: { conversation?: string; late?: number } = {},
  ) => {
    const { late = 0, ...rest } = more
    events.push({ kind, moment, time: timeOf.get(moment) ?? '', words, ...rest, at: (places.get(moment) ?? -1) + late })
  }
  for (const id of fact.sources) add(`after ${id}`, 'said', `said in ${id}`, { conversation: id })
  for (const other of scenario.facts) {
    const replaces = other.replaces === fact.id
    if (!replaces && !other.invalidates?.includes(fact.id)) continue
    for (const id of other.sources) {
      const verb = replaces ? 'replaced' : 'no longer to be relied on'
      add(`after ${id}`, 'superseded', `${verb}: ${clipText(other.text, 300)}`, { conversation: id, late: 0.1 })
    }
  }
  const course = life.course.of(fact.id)
  const steps = courseSteps(course.map(({ label }) => label))
  for (const { verb, at } of steps) {
    const { moment } = course[at]!
    const kind = verb === 'entered damaged' ? 'altered' : verb
    const conversation = moment.startsWith('after ') ? { conversation: moment.slice(6) } : {}
    add(moment, kind, `${verb}${moment.startsWith('after ') ? ` ${moment}` : ` by ${moment}`}`, {
      ...conversation,
      late: 0.2,
    })
  }
  const { probe } = own[0]!.witness
  if (steps.length === 0 && course.length > 0) add(probe, 'missing', 'never entered the store', { late: 0.3 })
  add(probe, 'asked', askedWords(own, support), { late: 0.5 })
  // What came after the question has no part in it.
  const end = (places.get(probe) ?? 0) + 1
  return events
    .filter(({ at }) => at < end)
    .sort((a, b) => a.at - b.at)
    .map(({ at: _, ...event }) => event)
}

/** At which ranks a fact was found, depth by depth, and whether it was used. */
function askedWords(own: readonly Result[], support: readonly (readonly string[])[]): string {
  const alike = groupBy(own, (result) => {
    const { rank } = rankIn(result, support)
    const { answer } = result.assessment
    const used = answer === null || rank === null ? '' : answer ? ', used' : ', answer wrong'
    return `${rank === null ? 'not found' : `rank ${rank}`}${used}`
  })
  const words = [...alike].map(
    ([what, results]) => `${what} at ${wordList(results.map(({ depth }) => depthWords(depth)))}`,
  )
  return `asked: ${words.join('; ')}`
}
