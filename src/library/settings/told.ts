import { basename } from 'node:path'
import { depthsOf, type LoadedPlanSuite } from '../../engine/plan.js'
import { type Depth, depthMemories, depthTokens, questionsOf, type Suite } from '../../model/index.js'
import type { ToldChoice, ToldPlan } from './setting.js'

/** Most scenarios that are named one by one. */
const MOST_NAMED = 10

/** Suites, or those of their tasks that were asked for. */
export function taskNames({ request }: ToldPlan): string {
  return request.suites.flatMap(({ name, tasks }) => tasks?.map((task) => `${name}/${task}`) ?? name).join(', ')
}

/** What data is read. Of a folder only its name is told: where it lies is a matter of one machine. */
export function dataWords({ request: { data, view } }: ToldPlan): string {
  return data === null ? 'bundled' : `folder "${basename(data)}", ${view} view`
}

/** Systems as reports call them. */
export function systemNames({ subjects }: ToldPlan): string {
  return [...new Set(subjects.map(({ system }) => system))].join(', ')
}

/** The settings that only one suite has; where one is left to the suite, what that came to. */
export function extraWords({ suites, request: { extra } }: ToldPlan): ToldChoice[] {
  return suites.flatMap(({ suite, scenarios }) =>
    Object.entries(suite.flags).flatMap(([name, { tag }]): ToldChoice[] => {
      const given = extra[name] ?? ''
      if (given === '') return []
      const came = [...new Set(scenarios.flatMap(questionsOf).flatMap(({ tags }) => (tag && tags[tag]) || []))]
      const isOpen = (given === 'auto' || given === 'all') && came.length > 0
      return [[name, isOpen ? came.join(', ') : given]]
    }),
  )
}

/** The scenarios of every suite, by their names where they are few. */
export function scenarioWords({ suites }: ToldPlan): ToldChoice[] {
  const named = ({ suite, scenarios }: LoadedPlanSuite) =>
    scenarios.length > MOST_NAMED
      ? String(scenarios.length)
      : scenarios.map(({ id }) => id.replace(`${suite.name}/`, '')).join(', ')
  return suites.map((loaded) => [`scenarios of ${loaded.suite.name}`, named(loaded)])
}

/** How many memories are retrieved; by task where tasks differ. */
export function kWords(told: ToldPlan): ToldChoice[] {
  const { request, suites } = told
  if (request.ks) return [['k', request.ks === 'paper' ? 'as each paper ran it' : request.ks.join(', ')]]
  return suites.flatMap(({ suite, scenarios }): ToldChoice[] => {
    const asked = new Set(scenarios.flatMap(questionsOf).map(({ task }) => task))
    const tasks = suite.tasks.filter(({ name }) => asked.has(name))
    const depths = tasks.map(({ name }) => depthsIn(told, suite, name, depthMemories).join(', '))
    if (depths.every((text) => text === '')) return []
    if (new Set(depths).size <= 1) return depths.slice(0, 1).map((k): ToldChoice => [`k of ${suite.name}`, k])
    return tasks.map(({ name }, at): ToldChoice => [`k of ${suite.name}/${name}`, depths[at]!])
  })
}

/** How many tokens of context are filled. */
export function budgetWords(told: ToldPlan): ToldChoice[] {
  const budgets = told.suites.flatMap(({ suite }) => depthsIn(told, suite, suite.tasks[0]!.name, depthTokens))
  return [['tokens of context', [...new Set(budgets)].join(', ') || null]]
}

function depthsIn({ request }: ToldPlan, suite: Suite, task: string, of: (depth: Depth) => number | null): number[] {
  return depthsOf(request, suite, task).flatMap((depth) => of(depth) ?? [])
}
