import { UserError } from '../../base/errors.js'
import { wholeNumber } from '../../base/whole-number.js'
import { conversationsOf, questionsOf } from '../../model/index.js'
import { clipText } from '../../report/format.js'
import { shownComparisons } from '../../view/compared.js'
import { conversationDetail, graphDetail, toldIn } from '../../view/moments.js'
import { countEnds, countOutcomes, listFacts, listRows, type RowQuery } from '../../view/select-rows.js'
import { compare, compareRead, requireEnough } from '../compare.js'
import { lintData } from '../data.js'
import { decideRow, readReviewTable } from '../review-tables.js'
import { drawQueue, labelCase, reviewQueues } from './review-queues.js'
import type { ViewedPlace, ViewedRun } from './viewed-run.js'
import type { LentRuns } from './viewed-runs.js'

/** What was asked: words by name. */
export type AskedWords = Readonly<Record<string, string | undefined>>

/** Most lines of a list that are written out at a time. */
const MOST_LINES = 500
const MOST_TEXT = 300

/** What the pages ask for, by name. Everything is what the library says elsewhere too; nothing is worked out in the browser. */
export const ANSWERS: Readonly<Record<string, (asked: AskedWords, runs: LentRuns) => Promise<unknown>>> = {
  runs: (_, runs) => runs.list(),
  state: async (asked, runs) => (await opened(asked, runs)).state(),
  run: async (asked, runs) => (await (await opened(asked, runs)).load()).overview,
  rows: (asked, runs) => fromIndex(asked, runs, (index, query, from, most) => listRows(index, query, from, most)),
  counts: (asked, runs) => fromIndex(asked, runs, countOutcomes),
  facts: (asked, runs) => fromIndex(asked, runs, (index, query, from, most) => listFacts(index, query, from, most)),
  ends: (asked, runs) => fromIndex(asked, runs, countEnds),
  question: async (asked, runs) => {
    const run = await opened(asked, runs)
    const life = await run.life(placeFrom(asked))
    return (life && (await run.question(life, required(asked, 'id')))) ?? nothing('question', asked)
  },
  conversation: async (asked, runs) => {
    const run = await opened(asked, runs)
    const id = required(asked, 'id')
    if (asked.system === undefined) return plainConversation(run, required(asked, 'scenario'), id)
    const life = await run.life(placeFrom(asked))
    return (life && (await conversationDetail(life, id))) ?? nothing('conversation', asked)
  },
  graphs: async (asked, runs) => {
    const run = await opened(asked, runs)
    return { scenarios: [...run.graphs.keys()], systems: (await run.load()).index.contestants }
  },
  graph: async (asked, runs) => {
    const run = await opened(asked, runs)
    const graph = run.graphs.get(required(asked, 'scenario'))
    const life = graph && (await run.life(placeFrom(asked)))
    return life ? graphDetail(life, graph) : nothing('graph', asked)
  },
  scenarios: async (asked, runs) => scenariosOf(await opened(asked, runs)),
  scenario: async (asked, runs) => scenarioOf(await opened(asked, runs), required(asked, 'id')),
  compare: async (asked, runs) => {
    const words = (name: string) => asked[name]?.split('\n').filter(Boolean) ?? []
    const [despite, systems] = [words('despite'), words('systems')]
    const names = words('runs')
    requireEnough(names, systems)
    const opened = await Promise.all(names.map((name) => runs.get(name))).catch(() => null)
    if (!opened) return shownComparisons(await compare({ runs: names, systems, despite, ...runs.home }))
    const read = []
    for (const run of opened) read.push((await run.load()).comparable)
    return shownComparisons(compareRead(read, systems, despite))
  },
  table: async (_, runs) => readReviewTable(runs.table),
  queues: async (asked, runs) => reviewQueues((await opened(asked, runs)).kept),
}

/** What the pages have done: checking data, deciding about rows of it, drawing cases, labelling them. */
export const ACTIONS: Readonly<Record<string, (given: Record<string, unknown>, runs: LentRuns) => Promise<unknown>>> = {
  lint: async (given, runs) => {
    const { leftOut, plan } = (await runs.get(word(given, 'run'))).kept.workshop
    const { request, suites } = plan
    const suite = suites.find((one) => one.suite.name === given.suite)
    if (!suite) throw new UserError(`There is no suite "${word(given, 'suite')}" in this run.`)
    const unread = leftOut.find((one) => one.suite === given.suite)
    if (unread) throw new UserError(unread.words, 'Its rules are code as well.')
    const { name, file } = request.suites.find((one) => one.name === given.suite)!
    const data = request.data === null ? {} : { data: request.data }
    const names: string[] = []
    const onCorpus = (corpus: { name: string }) => names.push(corpus.name)
    const checked = await lintData({ suite: file ?? name, seed: request.seed, ...data, ...runs.home, onCorpus })
    return { ...checked, corpora: checked.corpora.map((report, at) => ({ ...report, name: names[at] })) }
  },
  decide: async (given, runs) => decideRow(runs.table, given),
  draw: async (given, runs) => drawQueue((await runs.get(word(given, 'run'))).kept, word(given, 'kind'), given.n),
  label: async (given, runs) => labelCase((await runs.get(word(given, 'run'))).kept, given),
}

async function opened(asked: AskedWords, runs: LentRuns): Promise<ViewedRun> {
  return runs.get(required(asked, 'run'))
}

async function fromIndex<T>(
  asked: AskedWords,
  runs: LentRuns,
  find: (index: Parameters<typeof countEnds>[0], query: RowQuery, from: number, most: number) => T,
): Promise<T> {
  const { index } = await (await opened(asked, runs)).load()
  const { task, system, outcome, depth, search, end } = asked
  const given = Object.entries({ task, system, outcome, depth, search, end }).filter(([, value]) => value)
  const from = wholeNumber('from', Number(asked.from ?? 0), 0)
  const most = wholeNumber('most', Number(asked.most ?? 100), 1, MOST_LINES)
  return find(index, Object.fromEntries(given) as RowQuery, from, most)
}

function required(asked: AskedWords, name: string): string {
  const value = asked[name]
  if (value === undefined || value === '') throw new UserError(`The word "${name}" is missing.`)
  return value
}

/** A word of what a page sends. Nothing else is made into one: an object may bring its own way to become a text. */
function word(given: Record<string, unknown>, name: string): string {
  const value = given[name]
  if (typeof value !== 'string') throw new UserError(`Expected "${name}" to be a text.`)
  return value
}

function placeFrom(asked: AskedWords): ViewedPlace {
  const [trial, time] = [Number(asked.trial ?? 0), Number(asked.time ?? 0)]
  return { scenario: required(asked, 'scenario'), system: required(asked, 'system'), trial, time }
}

function nothing(what: string, { id, scenario, system }: AskedWords): never {
  throw new UserError(`There is no such ${what} in this run: ${[scenario, id, system].filter(Boolean).join(', ')}.`)
}

function scenariosOf({ kept: { workshop } }: ViewedRun) {
  return workshop.plan.suites.map(({ suite, scenarios, audit }) => ({
    suite: suite.name,
    about: suite.about,
    canLint: suite.data?.lint !== undefined,
    audit,
    scenarios: scenarios.map((scenario) => ({
      id: scenario.id,
      conversations: conversationsOf(scenario).length,
      facts: scenario.facts.length,
      questions: questionsOf(scenario).length,
    })),
  }))
}

function scenarioOf(run: ViewedRun, id: string) {
  const scenario = run.kept.workshop.plan.suites.flatMap(({ scenarios }) => scenarios).find((one) => one.id === id)
  if (!scenario) return nothing('scenario', { id })
  return {
    id,
    timeline: scenario.timeline.map((event) =>
      event.type === 'conversation'
        ? {
            ...place(event.conversation),
            text: clipText(event.conversation.turns[0]?.text ?? '', MOST_TEXT),
            turns: event.conversation.turns.length,
          }
        : {
            ...place(event.probe),
            questions: event.probe.questions.map(({ id, task, text, gold, needs, flags = [] }) => ({
              id,
              task,
              text: clipText(text, MOST_TEXT),
              gold: clipText(gold.text, MOST_TEXT),
              needs,
              flags,
            })),
          },
    ),
    facts: scenario.facts.map(({ id, text, sources, replaces, unsupported }) => ({
      id,
      text: clipText(text, MOST_TEXT),
      sources,
      replaces,
      unsupported,
    })),
  }
}

function place({ id, time }: { id: string; time: string }) {
  return { id, time }
}

function plainConversation(run: ViewedRun, scenario: string, id: string) {
  const found = run.kept.workshop.plan.suites.flatMap(({ scenarios }) => scenarios).find((one) => one.id === scenario)
  const conversation = found && conversationsOf(found).find((one) => one.id === id)
  if (!found || !conversation) return nothing('conversation', { scenario, id })
  return { ...conversation, told: toldIn(found, id), store: null }
}
