import { resolve } from 'node:path'
import { UserError } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
import { queryIdOf, scenarioIdOf } from '../engine/open-system.js'
import { depthsOf, type LoadedPlanSuite, type RunRequest } from '../engine/plan.js'
import { conversationsOf, depthMemories, questionsOf, type Suite } from '../model/index.js'
import type { ResolvedSystem } from '../systems/registry.js'
import { bringsAnswers, momentIdOf, tracesSystem } from '../systems/traces/index.js'
import { type BroughtTraces, quoted, readTraces, type ScoringSetting } from '../systems/traces/read.js'

const SPEC = /^traces:(.+)$/s

/** What a run knows a file of traces by, in the place of a system. */
export function tracesSpec(file: string): string {
  return `traces:${resolve(file)}`
}

/** The file of traces that stands in the place of a system; null when it is something else. */
export function tracesIn(spec: string): string | null {
  return SPEC.exec(spec)?.[1] ?? null
}

/** Whether a setting of a suite is a path, which means something on one machine only. */
export function isLocalFlag(suites: readonly Suite[], name: string): boolean {
  return suites.some(({ flags }) => flags[name]?.default === '' && flags[name].values.length === 0)
}

/** What finds the questions of a request again, with a hash of all that they depend on. */
export function scoringSetting(request: RunRequest, loaded: readonly LoadedPlanSuite[]): ScoringSetting {
  const { size, seed, view, extra, data } = request
  const all = loaded.map(({ suite }) => suite)
  const names = Object.keys(extra).sort()
  const told = {
    suite: request.suites.flatMap(({ name, tasks }) => tasks?.map((task) => `${name}/${task}`) ?? name),
    size,
    seed,
    view,
    settings: Object.fromEntries(names.flatMap((name) => (isLocalFlag(all, name) ? [] : [[name, extra[name]!]]))),
    local: [
      ...(data === null ? [] : ['data']),
      ...names.filter((name) => isLocalFlag(all, name) && extra[name] !== ''),
    ],
  }
  const read = loaded.map(({ suite: { name, version }, datasetHash }) => ({ name, version, datasetHash }))
  return { hash: fingerprint({ ...told, read }), ...told }
}

/** The deepest k at which a question is asked; 0 where none is. */
export function deepestOf(request: RunRequest, suite: Suite, task: string): number {
  return Math.max(0, ...depthsOf(request, suite, task).map((depth) => depthMemories(depth) ?? 0))
}

/** A file of traces as a system of a run. Refused when it is of another setting, or brings what nobody asked. */
export async function resolveTraces(
  file: string,
  request: RunRequest,
  loaded: readonly LoadedPlanSuite[],
): Promise<ResolvedSystem> {
  const traces = await readTraces(resolve(file))
  const { shown, header, questions, dumps } = traces
  const { hash } = scoringSetting(request, loaded)
  if (header.setting.hash !== hash)
    throw new UserError(
      `${shown} is of another setting (${quoted(header.setting.hash)}) than these questions (${hash}).`,
      'Questions, sizes, seeds and versions must be those of the export. Export again with: memscope data export --for-scoring',
    )
  const depths = new Map<string, number>()
  const moments = new Set<string>()
  for (const { suite, scenarios } of loaded)
    for (const scenario of scenarios) {
      const memory = scenarioIdOf(scenario)
      for (const at of conversationsOf(scenario).keys()) moments.add(momentIdOf(memory, at + 1))
      for (const question of questionsOf(scenario))
        depths.set(queryIdOf(scenario, question), deepestOf(request, suite, question.task))
    }
  refuseUnknown(shown, 'questions', questions, depths)
  refuseUnknown(shown, 'moments', dumps, moments)
  const definition = tracesSystem(traces, remarksOn(traces, depths))
  return { definition, options: {}, label: definition.name, outside: true }
}

function refuseUnknown(
  shown: string,
  what: string,
  brought: ReadonlyMap<string, { line: number }>,
  known: { has(id: string): boolean },
): void {
  const unknown = [...brought].filter(([id]) => !known.has(id))
  const [first] = unknown
  if (!first) return
  const [id, { line }] = first
  throw new UserError(
    `${shown} brings ${unknown.length} ${what} that the export does not have; the first is "${quoted(id)}" in line ${line}.`,
  )
}

/** What a reader of its rows must know. */
function remarksOn(traces: BroughtTraces, depths: ReadonlyMap<string, number>): string[] {
  const { header, questions, dumps } = traces
  const said = ['retrieved', ...(dumps.size > 0 ? ['held'] : []), ...(bringsAnswers(traces) ? ['answered'] : [])]
  const [last, ...others] = said.toReversed()
  const what = [others.toReversed().join(', '), last].filter(Boolean).join(' and ')
  const short = [...questions].filter(([id, { memories }]) => memories.length < depths.get(id)!)
  return [
    `run elsewhere; what it ${what} is self-reported, what that took is not known`,
    ...(header.depth !== 'fixed' && short.length > 0
      ? [`brought fewer memories than were asked for, of ${short.length} of ${questions.size} questions`]
      : []),
    ...(header.time === false ? ['does not go by scenario time'] : []),
  ]
}
