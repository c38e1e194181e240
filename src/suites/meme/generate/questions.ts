import type { Random } from '../../../base/random.js'
import { type AfterTask, BEFORE, type EpisodeQuestion, type Statement } from '../episode.js'
import { explain, factsOf, type SolvedState } from '../solver.js'
import { solutionOf } from '../world.js'
import type { EpisodePlan } from './plan.js'

/** Which state of an entity a task asks for. An episode in which it comes out otherwise is thrown away. */
const EXPECTED: Record<AfterTask, SolvedState['kind'] | null> = {
  cascade: 'value',
  'conditioned-cascade': 'value',
  absence: 'unknown',
  'implicit-absence': 'unknown',
  'control-unchanged': 'unchanged',
  'control-hypothetical': 'unchanged',
  'control-revoked': 'unchanged',
  deletion: 'deleted',
  'exact-recall': null,
  aggregation: null,
  tracking: null,
}

/** All questions of an episode, with the gold that the solver finds; null when a task would not be what it is called. */
export function questionsFor(
  plan: EpisodePlan,
  statements: readonly Statement[],
  random: Random,
): EpisodeQuestion[] | null {
  const { graph, tracking, triple } = plan
  const { states } = solutionOf(statements)
  const said = new Map(statements.map((statement) => [statement.id, statement]))
  const worded = new Map<string, string>()
  const wording = (entity: string) => {
    const known = worded.get(entity) ?? random.pick(graph.entity(entity).questions)
    worded.set(entity, known)
    return known
  }
  const first = (entity: string) => [`dep:${entity}`, `value:${entity}`, `exact:${entity}`].find((id) => said.has(id))!
  const before = (entity: string): EpisodeQuestion => ({
    id: `before/${entity}`,
    task: BEFORE,
    probe: 'before',
    entities: [entity],
    text: wording(entity),
    values: [said.get(first(entity))!.value],
    old: [],
    needs: [first(entity)],
    why: 'It was said and nothing has changed yet.',
  })
  const after = (task: AfterTask, entity: string, hop?: number): EpisodeQuestion | null => {
    const state = states.get(entity)
    if (state?.kind !== EXPECTED[task]) return null
    const start = said.get(first(entity))!.value
    const value = state.kind === 'value' ? state.value : start
    const changed = state.kind === 'value' || state.kind === 'unknown' || state.kind === 'deleted'
    return {
      ...before(entity),
      id: `${task}/${entity}`,
      task,
      probe: 'after',
      values: [value],
      old: state.kind === 'value' ? [start] : [],
      needs: changed ? factsOf(state.why) : [first(entity)],
      why: explain(state.why),
      pair: `before/${entity}`,
      ...(hop !== undefined && { hop }),
    }
  }
  const asked = [...plan.asks.map((ask) => after(ask.task, ask.entity, ask.hop)), after('deletion', plan.deleted)]
  const single = asked.filter((question) => question !== null)
  if (single.length < asked.length) return null
  const exact: EpisodeQuestion = {
    ...before(plan.exact),
    id: `exact-recall/${plan.exact}`,
    task: 'exact-recall',
    probe: 'after',
    pair: `before/${plan.exact}`,
    why: 'It was given to be kept word for word.',
  }
  const series = tracking.values.map((_, i) => `track:${tracking.entity}:${i + 1}`)
  const many = (task: AfterTask, entities: string[], text: string, values: string[], needs: string[], why: string) => ({
    id: `${task}/${entities[0]}`,
    task,
    probe: 'after' as const,
    entities,
    text,
    values,
    old: [],
    needs,
    why,
  })
  return [
    ...[plan.exact, ...single.map(({ entities }) => entities[0]!)].map(before),
    exact,
    many(
      'aggregation',
      [...triple.entities],
      random.pick(triple.questions),
      triple.entities.map((entity) => plan.before.get(entity)!),
      triple.entities.map((entity) => `value:${entity}`),
      'Each was said by itself.',
    ),
    many(
      'tracking',
      [tracking.entity],
      random.pick(graph.entity(tracking.entity).tracking!),
      tracking.values,
      series,
      'Each took the place of the one before.',
    ),
    ...single,
  ]
}
