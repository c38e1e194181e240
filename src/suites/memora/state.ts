import { apply, EMPTY } from './apply.js'
import type { LifeState, LifeTrace } from './trace.js'

export { apply, EMPTY, SINGLE_FIELDS } from './apply.js'
export { type TraceRule, violations } from './violations.js'

/**
 * The state after every session, in order: `replay(trace)[i]` is what holds after `trace.sessions[i]`. Parts that a session leaves alone
 * are shared between states; none of them may be changed.
 */
export function replay(trace: LifeTrace): LifeState[] {
  let state = EMPTY
  return trace.sessions.map((session) => {
    state = apply(state, session)
    return state
  })
}

/** The state after the session of this number; number 0 is before all of them. */
export function stateAfter(trace: LifeTrace, number: number): LifeState {
  let state = EMPTY
  for (const session of trace.sessions) if (session.number <= number) state = apply(state, session)
  return state
}

/** The state when the life ends. */
export function finalState(trace: LifeTrace): LifeState {
  return stateAfter(trace, Number.POSITIVE_INFINITY)
}
