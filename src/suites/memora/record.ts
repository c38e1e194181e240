import type { Gold, Scenario } from '../../model/index.js'
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

/** One session as it is written to a file: what it does, what is said, and the memory before and after it. */
export interface SessionRecord {
  session: number
  day: string
  operation: Operation | null
  failed?: string
  /** Only the part that the session touches; all others stay as they were. */
  before: Partial<LifeState>
  after: Partial<LifeState>
  turns: SpokenSession['turns']
}

/**
 * A life, session by session, with the state of memory around each.
 *
 * @example [...recordsOf(trace, conversationsFor(trace, 1))][0]!.after
 */
export function* recordsOf(trace: LifeTrace, talks: readonly SpokenSession[]): Generator<SessionRecord> {
  let state = EMPTY
  for (const [at, session] of trace.sessions.entries()) {
    const before = state
    state = apply(state, session)
    const { number, day, operation, failed } = session
    const part = operation && PARTS[operation.of]
    yield {
      session: number,
      day,
      operation,
      ...(failed !== undefined && { failed }),
      before: part ? { [part]: before[part] } : {},
      after: part ? { [part]: state[part] } : {},
      turns: talks[at]!.turns,
    }
  }
}

/** A question as it is written to a file: what a right answer is, and all that it rests on. */
export interface QuestionRecord {
  question: string
  task: string
  /** When it is asked. */
  time: string
  text: string
  gold: Gold
  /** What has to be known, with the sessions in which it was said. */
  needs: QuestionFact[]
  /** What no longer holds. */
  outdated: QuestionFact[]
}

interface QuestionFact {
  id: string
  text: string
  sessions: string[]
}

/** The questions about a life, each with its gold, its criteria and the facts behind them. */
export function* questionRecordsOf({ timeline, facts }: Scenario): Generator<QuestionRecord> {
  const known = new Map(facts.map(({ id, text, sources }) => [id, { id, text, sessions: sources }]))
  const factsOf = (ids: readonly string[]) => ids.flatMap((id) => known.get(id) ?? [])
  for (const event of timeline) {
    if (event.type !== 'probe') continue
    const { time, questions } = event.probe
    for (const { id, task, text, gold, needs, outdated } of questions)
      yield { question: id, task, time, text, gold, needs: factsOf(needs[0] ?? []), outdated: factsOf(outdated) }
  }
}
