import { cosine } from '../../base/cosine.js'
import { hoursBetween } from '../parts/index.js'
import { FIXED } from './fixed.js'
import type { FiledPage, MidTermSession, State } from './state.js'
import type { MemoryosParts } from './store.js'

/** A theme under which a page is filed. */
type Theme = Pick<MidTermSession, 'summary' | 'keywords' | 'vector'>

/** Visits, pages taken in, and how recent the last visit is. */
function heatOf({ visits, length, visited }: Omit<MidTermSession, 'heat'>, now: string): number {
  return visits + length + Math.exp(-hoursBetween(visited, now) / FIXED.cooling)
}

/** A copy of a session with changes, and its heat reckoned again. */
export function updateSession(session: MidTermSession, change: Partial<MidTermSession>, now: string): MidTermSession {
  const next = { ...session, ...change }
  return { ...next, heat: heatOf(next, now) }
}

/** Adds a page to the most similar session or to a new one; evicts a session when there are too many. */
export function filePage(page: FiledPage, theme: Theme, { state, nextId, settings }: MemoryosParts): void {
  const { time, source } = page
  const entry = { id: page.id, analysed: false }
  const best = mostLike(theme, state)
  if (best && best.score >= settings.join) {
    const { session } = best
    const pages = [...session.pages, entry]
    state.sessions.set(session.id, updateSession(session, { pages, length: session.length + 1, visited: time }, time))
  } else {
    const counts = { visits: 0, length: 1, found: 0 }
    const fresh = { id: nextId.session(), ...theme, pages: [entry], ...counts, visited: time, time, source }
    state.sessions.set(fresh.id, { ...fresh, heat: heatOf(fresh, time) })
  }
  state.pages.set(page.id, page)
  if (settings.sessions > 0 && state.sessions.size > settings.sessions) evict(state)
}

/** Cosine of the summaries plus the share of keywords in common. */
function mostLike({ vector, keywords }: Theme, { sessions }: State): { session: MidTermSession; score: number } | null {
  let best: { session: MidTermSession; score: number } | null = null
  for (const session of sessions.values()) {
    const score = cosine(vector, session.vector) + shared(keywords, session.keywords)
    if (!best || score > best.score) best = { session, score }
  }
  return best
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return both === 0 ? 0 : both / (a.size + b.size - both)
}

/** The session that was found least often goes, the oldest of several, with all pages that are in no other. */
function evict(state: State): void {
  let least: MidTermSession | null = null
  for (const session of state.sessions.values()) if (!least || session.found < least.found) least = session
  if (!least) return
  state.sessions.delete(least.id)
  const elsewhere = new Set([...state.sessions.values()].flatMap(({ pages }) => pages.map(({ id }) => id)))
  for (const { id } of least.pages) if (!elsewhere.has(id)) state.pages.delete(id)
}

/** The session that was hottest when it last changed, the oldest of several. */
export function hottest({ sessions }: State): MidTermSession | null {
  let best: MidTermSession | null = null
  for (const session of sessions.values()) if (!best || session.heat > best.heat) best = session
  return best
}
