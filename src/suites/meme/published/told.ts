import { fold } from '../../../base/text.js'
import type { Session, Statement } from '../episode.js'
import type { WrittenEpisode } from '../generate/index.js'
import { entityWords } from '../solver.js'
import type { Released, ReleasedFact } from './released.js'
import type { ReleasedSession } from './schema.js'
import { statementsOf } from './statements.js'

const DAY = 86_400_000

/** The sessions of an episode as published, and where in them each fact is said. */
export function publishedSessions(released: Released): WrittenEpisode {
  const { sessions: given, before, after } = released.told!
  const names = given.map(({ session_id }) => session_id)
  const isUnique = new Set(names).size === names.length && !names.includes(undefined)
  const sessions = given.map(
    ({ session_id, timestamp, conversation, type, gold_facts = [] }, i): Session => ({
      id: isUnique ? session_id! : `s${String(i + 1).padStart(2, '0')}`,
      time: timestamp,
      turns: conversation.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, text: content }])),
      evidence: type === 'evidence' || gold_facts.length > 0,
    }),
  )
  const storedBefore = placeOfProbe(released)
  const bare = statementsOf(released)
  return {
    sessions,
    storedBefore,
    times: {
      before: before.timestamp ?? sessions[storedBefore - 1]!.time,
      after: after.timestamp ?? dayAfter(sessions.at(-1)!.time),
    },
    statements: released.facts.map((fact, i) => {
      const number = fact.session!
      return { ...bare[i]!, session: sessions[number]!.id, ...wordsOf(fact, given[number]!) }
    }),
  }
}

/**
 * How many sessions are stored before the first questions. A number may count sessions or be the index of the last one; which it is shows
 * in where the change stands, for nothing comes between the questions and the change, and else in where the last questions stand.
 */
function placeOfProbe({ told, facts }: Released): number {
  const { sessions, before, after, misfit } = told!
  const position = before.position_after_session
  const change = facts.find(({ kind }) => kind === 'change')!.session!
  const field = 'before_questions.position_after_session'
  let stored = change
  if (typeof position === 'string') {
    stored = sessions.findIndex(({ session_id }) => session_id === position) + 1
    if (stored === 0) throw misfit(field, `there is no session "${position}"`)
  } else if (position !== undefined && position !== change && position + 1 !== change) {
    stored = after.position_after_session === sessions.length - 1 ? position + 1 : position
  }
  if (stored < 1 || stored > change)
    throw misfit(field, `expected a place after the first session and before the change, got ${position ?? 'none'}`)
  return stored
}

/** The words that say a fact: the seed where it stands verbatim, else what the user said in its turn. */
function wordsOf(
  { entity, value, seed, restated, conveyed, conveyed_in_turn }: ReleasedFact,
  { conversation }: ReleasedSession,
): Pick<Statement, 'text' | 'evidence' | 'unsupported'> {
  const turns = conversation.filter(({ role }) => role === 'user').map(({ content }) => content)
  const verbatim = [seed, restated].find((text) => text !== undefined && turns.some((turn) => turn.includes(text)))
  if (verbatim !== undefined) return { text: verbatim }
  const text = restated ?? seed
  if (conveyed === false) return { text, unsupported: `The release says that ${entityWords(entity)} was not conveyed.` }
  const places = [conveyed_in_turn ?? []].flat()
  // The number is an index into the conversation or among the user's turns; the turn that has the value is meant.
  const near = places.flatMap((place) => [
    ...(conversation[place]?.role === 'user' ? [conversation[place].content] : []),
    ...[turns[place], turns[place - 1]].filter((turn) => turn !== undefined),
  ])
  const turn = [...near, ...turns].find((each) => fold(each).includes(fold(value))) ?? near[0]
  if (turn !== undefined) return { text, evidence: [turn] }
  return { text, unsupported: `No turn of its session says that ${entityWords(entity)} is "${value}".` }
}

function dayAfter(time: string): string {
  return `${new Date(Date.parse(time) + DAY).toISOString().slice(0, 19)}Z`
}
