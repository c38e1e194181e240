import type { Scenario } from '../../model/index.js'
import { apply, EMPTY } from './state.js'
import type { SpokenSession } from './talk/talk.js'
import type { LifeState, LifeTrace, Operation } from './trace.js'

/** The part of the memory that operations of each kind touch. */
const PARTS = {
  taste: 'tastes',
  food: 'food',
  steps: 'steps',
  todo: 'todos',
  calendar: 'events',
  document: 'documents',
  goal: 'goals',
} as const satisfies Record<Operation['of'], keyof LifeState>

/**
 * A life as it is written to a file: what every session does, what is said, and the part of the memory it touches before and after it.
 *
 * @example [...recordsOf(trace, conversationsFor(trace, 1))][0]!.after
 */
export function* recordsOf(trace: LifeTrace, talks: readonly SpokenSession[]) {
  let state = EMPTY
  for (const [at, session] of trace.sessions.entries()) {
    const before = state
    state = apply(state, session)
    const { number, day, operation, failed } = session
    const part = operation && PARTS[operation.of]
    const touched = (all: LifeState): Partial<LifeState> => (part ? { [part]: all[part] } : {})
    const head = { session: number, day, operation, ...(failed !== undefined && { failed }) }
    yield { ...head, before: touched(before), after: touched(state), turns: talks[at]!.turns }
  }
}

/** The questions about a life as they are written to a file: each with its gold, its criteria and the facts behind them. */
export function* questionRecordsOf({ timeline, facts }: Scenario) {
  const known = new Map(facts.map(({ id, text, sources }) => [id, { id, text, sessions: sources }]))
  const factsOf = (ids: readonly string[]) => ids.flatMap((id) => known.get(id) ?? [])
  for (const event of timeline) {
    if (event.type !== 'probe') continue
    const { time, questions } = event.probe
    for (const { id, task, text, gold, needs, outdated } of questions)
      yield { question: id, task, time, text, gold, needs: factsOf(needs[0] ?? []), outdated: factsOf(outdated) }
  }
}
