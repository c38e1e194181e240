import type { Released } from './published/released.js'
import type { AskedQuestion } from './published/schema.js'
import { worldOf } from './skeleton.js'
import { entityWords, explain, lastKnown, type Solution, type SolvedState, solve } from './solver.js'

/** An answer in comparable form: values that must be named, doubt about an old value, or a value that must not be named. */
export type SkeletonGold =
  | { kind: 'values'; values: string[] }
  | { kind: 'unsure'; old: string }
  | { kind: 'withheld'; value: string }

/** A question whose released gold is not what follows from what was said. */
export interface Difference {
  episode: string
  task: AskedQuestion['task_type']
  entity: string
  released: SkeletonGold
  solved: SkeletonGold
  why: string
}

/** The gold of the release. */
function releasedGold(question: AskedQuestion): SkeletonGold {
  const values = question.entity.flatMap((id) => question.entity_values[id] ?? [])
  if (question.task_type === 'Abs') return { kind: 'unsure', old: values[0]! }
  if (question.task_type === 'Del') return { kind: 'withheld', value: values[0]! }
  return { kind: 'values', values }
}

/** The gold that follows from what was said. */
function solvedGold({ skeleton }: Released, { states }: Solution, question: AskedQuestion): SkeletonGold {
  if (question.task_type === 'Tr') {
    return { kind: 'values', values: question.entity.flatMap((id) => skeleton.entities[id]?.history ?? []) }
  }
  const found = question.entity.map((id) => stateOf(states, id))
  const [first] = found
  if (first!.kind === 'unknown') return { kind: 'unsure', old: first!.previously ?? '' }
  if (first!.kind === 'deleted') return { kind: 'withheld', value: first!.previously ?? '' }
  return { kind: 'values', values: found.map((state) => lastKnown(state) ?? '') }
}

/**
 * Where the release and the solver differ, each with its reason. An old value is part of the gold of Absence and Deletion, so it is
 * compared too.
 */
export function differences(released: Released): Difference[] {
  const solution = solve(worldOf(released))
  return released.after.flatMap((question) => {
    const gold = releasedGold(question)
    const solved = solvedGold(released, solution, question)
    if (JSON.stringify(gold) === JSON.stringify(solved)) return []
    const entity = question.entity[0]!
    const why = reasonOf(gold, solved, entity, stateOf(solution.states, entity))
    const { episode_id: episode } = released.skeleton
    return [{ episode, task: question.task_type, entity, released: gold, solved, why }]
  })
}

function reasonOf(released: SkeletonGold, solved: SkeletonGold, entity: string, state: SolvedState): string {
  return `The release expects ${inWords(released)} for ${entityWords(entity)}, but it is ${inWords(solved)}. ${explain(state.why)}`
}

function inWords(gold: SkeletonGold): string {
  if (gold.kind === 'values') return gold.values.map((value) => `"${value}"`).join(', ')
  return gold.kind === 'unsure' ? `doubt about "${gold.old}"` : `silence about "${gold.value}"`
}

function stateOf(states: ReadonlyMap<string, SolvedState>, id: string): SolvedState {
  const state = states.get(id)
  if (!state) throw new Error(`Expected every asked entity in the episode, ${id} is missing`)
  return state
}
