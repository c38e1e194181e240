import { basename } from 'node:path'
import { depthsOf, type LoadedPlanSuite, type Plan, type RunRequest } from '../engine/plan.js'
import type { Depth, Suite } from '../model/index.js'
import {
  answerTrial,
  depthMemories,
  depthTokens,
  questionsOf,
  readerKey,
  readReader,
  withFirstTrial,
} from '../model/index.js'

/** Which prompts readers and judges were given; null where they have none. */
export type PromptWords = Record<'reader' | 'judge', string | null>

/** Most scenarios that are named one by one. */
const MOST_NAMED = 10

/** Everything that was asked for, in words. Of a folder only its name is told: where it lies is a matter of one machine. */
export function choicesOf(
  { request, suites, subjects }: Pick<Plan, 'request' | 'suites' | 'subjects'>,
  prompts: PromptWords,
): { label: string; value: string }[] {
  const asked = request.readers.map(readReader)
  const readers = [...new Set(asked.map((reader) => readerKey(withFirstTrial(reader))))]
  const isRead = asked.some((reader) => reader !== null)
  const times = 1 + Math.max(0, ...asked.map(answerTrial))
  const { facts, answers } = request.judge
  const isOneJudge = facts === answers
  const models = [...new Set(subjects.flatMap(({ model }) => model ?? []))]
  const words: [label: string, value: string | null][] = [
    ['suites', request.suites.flatMap(({ name, tasks }) => tasks?.map((task) => `${name}/${task}`) ?? name).join(', ')],
    ['data', request.data === null ? 'bundled' : `folder "${basename(request.data)}", ${request.view} view`],
    ['size', String(request.size)],
    ['seed', String(request.seed)],
    ...suites.flatMap((loaded) => extraWords(loaded, request)),
    ...suites.map((loaded): [string, string] => [`scenarios of ${loaded.suite.name}`, scenarioWords(loaded)]),
    ['systems', [...new Set(subjects.map(({ system }) => system))].join(', ')],
    ['models inside systems', models.join(', ') || null],
    ['test taker', request.taker ?? null],
    ...depthWords(request, suites),
    ['lost conversations', request.strict ? 'end their life' : null],
    ['questions a task', request.limit === null ? 'all' : `the first ${request.limit}`],
    ['trials', String(request.trials)],
    ['readers', readers.join(', ')],
    ['answer trials', isRead ? String(times) : null],
    ['answer style', isRead ? request.answerStyle : null],
    ['reasoning', isRead ? request.reasoning : null],
    ['reader prompt', isRead ? prompts.reader : null],
    ['judge', isOneJudge ? facts : null],
    ['judge of facts', isOneJudge ? null : facts],
    ['judge of answers', isOneJudge ? null : answers],
    ['judge prompt', prompts.judge],
    ['judge trials', request.judgeTrials > 1 ? String(request.judgeTrials) : null],
    ['embedder', [request.embedder, ...vectorWords(request)].join(', ')],
    ['vectors of rehearsed memories', request.byWords ? 'by words' : null],
    ['timeline', request.timeline ? 'kept after every conversation' : null],
  ]
  return words.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

function vectorWords({ vectors = {} }: RunRequest): string[] {
  return Object.entries(vectors).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
}

/** The settings that only one suite has; where one is left to the suite, what that came to. */
function extraWords({ suite, scenarios }: LoadedPlanSuite, { extra }: RunRequest): [string, string][] {
  return Object.entries(suite.flags).flatMap(([name, { tag }]): [string, string][] => {
    const given = extra[name] ?? ''
    if (given === '') return []
    const came = [...new Set(scenarios.flatMap(questionsOf).flatMap(({ tags }) => (tag && tags[tag]) || []))]
    const isOpen = (given === 'auto' || given === 'all') && came.length > 0
    return [[name, isOpen ? came.join(', ') : given]]
  })
}

function scenarioWords({ suite, scenarios }: LoadedPlanSuite): string {
  if (scenarios.length > MOST_NAMED) return String(scenarios.length)
  return scenarios.map(({ id }) => id.replace(`${suite.name}/`, '')).join(', ')
}

/** How many memories, and how many tokens, are retrieved; by task where tasks differ. */
function depthWords(request: RunRequest, suites: readonly LoadedPlanSuite[]): [string, string][] {
  const told = (suite: Suite, task: string, of: (depth: Depth) => number | null) =>
    depthsOf(request, suite, task).flatMap((depth) => of(depth) ?? [])
  const budgets = [...new Set(suites.flatMap(({ suite }) => told(suite, suite.tasks[0]!.name, depthTokens)))]
  const tokens: [string, string][] = budgets.length > 0 ? [['tokens of context', budgets.join(', ')]] : []
  if (request.ks) return [['k', request.ks === 'paper' ? 'as each paper ran it' : request.ks.join(', ')], ...tokens]
  const ks = suites.flatMap(({ suite, scenarios }) => {
    const asked = new Set(scenarios.flatMap(questionsOf).map(({ task }) => task))
    const tasks = suite.tasks.filter(({ name }) => asked.has(name))
    const depths = tasks.map(({ name }) => told(suite, name, depthMemories).join(', '))
    if (depths.every((text) => text === '')) return []
    if (new Set(depths).size <= 1) return depths.slice(0, 1).map((k): [string, string] => [`k of ${suite.name}`, k])
    return tasks.map(({ name }, at): [string, string] => [`k of ${suite.name}/${name}`, depths[at]!])
  })
  return [...ks, ...tokens]
}
