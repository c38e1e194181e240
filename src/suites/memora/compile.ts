import type { Conversation, Fact, Question, Scenario } from '../../model/index.js'
import { toldAlone } from './alone.js'
import { durationOf, History, type LifeFact } from './questions/index.js'
import type { LifeTrace } from './trace.js'

/** A conversation, and the sentences of the user in it by the part of the operation that they say. */
export interface Spoken extends Conversation {
  session: number
  said: Record<string, readonly string[]>
}

/** What a scenario is made of. */
export interface Story {
  trace: LifeTrace
  /** One for every session, in order. */
  conversations: readonly Spoken[]
  questions: readonly Question[]
  /** Facts that nobody said, but that questions accept. */
  derived: readonly Fact[]
}

/**
 * A life as a scenario: its conversations, everything told in them as facts with their revisions linked, and the questions at its end.
 * A fact whose sentences are not known, or tell other things too, is told in words of its own; its evidence are the sentences.
 */
export function compile({ trace, conversations, questions, derived }: Story): Scenario {
  const bySession = new Map(conversations.map((spoken) => [spoken.session, spoken]))
  const history = new History(trace)
  const told = history.facts.map((fact) => factFrom(fact, bySession.get(fact.session), history))
  return {
    id: `memora/${trace.persona}/${durationOf(trace)}`,
    suite: 'memora',
    timeline: [
      ...conversations.map(({ id, time, turns }) => ({
        type: 'conversation' as const,
        conversation: { id, time, turns },
      })),
      { type: 'probe', probe: { id: 'final', time: `${trace.end}T23:00:00Z`, questions: [...questions] } },
    ],
    facts: [...told, ...derived],
  }
}

function factFrom(fact: LifeFact, spoken: Spoken | undefined, history: History): Fact {
  const { id, said, shared, gist, cues, day, until, replaces, invalidates } = fact
  const known = spoken !== undefined && said.every((part) => (spoken.said[part]?.length ?? 0) > 0)
  const evidence = known ? [...new Set(said.flatMap((part) => spoken.said[part]!))] : []
  return {
    id,
    // The day belongs to it: sums and dates cannot be had without. What else its sentences tell does not.
    text: `${day}: ${known && !shared && toldAlone(fact, evidence, history) ? evidence.join(' ') : gist}`,
    ...(known && { evidence }),
    sources: spoken === undefined ? [] : [spoken.id],
    validFrom: day,
    ...(until !== undefined && { validUntil: until }),
    ...(replaces !== undefined && { replaces }),
    ...(invalidates && { invalidates }),
    cues,
  }
}
