import { words } from '../../base/text.js'
import type { Fact, Question, Scenario } from '../../model/index.js'
import { durationOf } from './days.js'
import { History, type LifeFact } from './questions/history.js'
import type { SpokenSession } from './talk/talk.js'
import type { LifeTrace } from './trace.js'

/** What a scenario is made of. */
export interface Story {
  trace: LifeTrace
  /** One for every session, in order. */
  conversations: readonly SpokenSession[]
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

function factFrom(fact: LifeFact, spoken: SpokenSession | undefined, history: History): Fact {
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

/**
 * Whether sentences that say a fact name nothing else of its kind that was ever told: another element of its document, another item of its
 * domain, another task or event. What else they name may come to an end before the fact does, and would then stand beside it as if it
 * held. What they withdraw in the same breath they correct, and an item and the one whose place it takes are told by one sentence.
 */
function toldAlone(fact: LifeFact, sentences: readonly string[], history: History): boolean {
  const kind = /^(?:(?:doc|taste):[^:]*:|todo:|event:)/.exec(fact.thing)?.[0]
  if (kind === undefined) return true
  // A document is named with each of its elements.
  const own = fact.cues.parts.flatMap(({ forms }) => forms.map(plain))
  const said = own.reduce((text, name) => text.replaceAll(name, ' | '), plain(sentences.join(' ')))
  const told = history.at(fact.session).filter(({ holds, thing }) => !holds || thing.startsWith('taste:'))
  const together = new Set(told.map(({ thing }) => thing))
  const named = (thing: string) => history.of(thing).some((other) => namesOf(other).some((name) => said.includes(name)))
  return !history.things(kind).some((thing) => thing !== fact.thing && !together.has(thing) && named(thing))
}

const names = new WeakMap<LifeFact, string[]>()

/** What is told of, in all its forms. */
function namesOf(fact: LifeFact): string[] {
  const { parts, core } = fact.cues
  const found = names.get(fact) ?? parts.find(({ role }) => role === core)?.forms.map(plain) ?? []
  names.set(fact, found)
  return found
}

/** Words with spaces around, so that a name is found whole. */
const plain = (text: string): string => ` ${words(text).join(' ')} `
