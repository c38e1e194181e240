import type { Memory, Query, SystemContext } from '../../model/index.js'
import { cosine, embedOne, memoryOf } from '../parts/index.js'
import { changed } from './mid-term.js'
import { type FiledPage, type Known, type MidTermSession, pageMemory, type State } from './state.js'

/** Least cosine of sessions and pages, and of knowledge. */
const NEAR = 0.1
const KNOWN = 0.01

export interface RetrieveSettings {
  /** Sessions looked into, pages and entries of each list of knowledge found, at most. */
  looked: number
  pages: number
  found: number
}

/**
 * Short-term memory and profile as they are, then pages and knowledge by meaning. Sessions whose pages match have been visited: that
 * is kept, and warms them.
 */
export async function recall(
  query: Query,
  state: State,
  context: SystemContext,
  settings: RetrieveSettings,
): Promise<Memory[]> {
  if (state.short.length + state.sessions.size + state.user.length + state.assistant.length === 0) return []
  const vector = await embedOne(context, query.text)
  const pages = pagesNear(vector, query.time, state, settings)
  const known = [state.user, state.assistant].flatMap((list) => knownNear(vector, list, settings.found))
  const scored = [
    ...pages.map(({ row, score }) => pageMemory(row, state, score)),
    ...known.map(({ row, score }) => memoryOf(row, score)),
  ]
  return [
    ...state.short.toReversed().map((page) => pageMemory(page, state)),
    ...(state.profile ? [memoryOf(state.profile)] : []),
    ...scored.sort((a, b) => b.score! - a.score!),
  ]
}

/** Copies of a page in several sessions take up room among those found, though it is returned once. */
function pagesNear(vector: Float32Array, now: string, state: State, { looked, pages: most }: RetrieveSettings) {
  const near = ranked([...state.sessions.values()], vector, NEAR).slice(0, looked)
  const matches = near.flatMap(({ row: session }) => {
    const pages = session.pages.map(({ id }) => state.pages.get(id)!)
    const found = ranked(pages, vector, NEAR)
    if (found.length > 0) visit(session, now, state)
    return found
  })
  const best = matches.sort((a, b) => b.score - a.score).slice(0, most)
  return [...new Map(best.map((match): [string, { row: FiledPage; score: number }] => [match.row.id, match])).values()]
}

function visit(session: MidTermSession, now: string, state: State): void {
  const { visits, found } = session
  state.sessions.set(session.id, changed(session, { visits: visits + 1, found: found + 1, visited: now }, now))
}

function knownNear(vector: Float32Array, list: readonly Known[], most: number) {
  return ranked(list, vector, KNOWN).slice(0, most)
}

function ranked<R extends { vector: Float32Array }>(rows: readonly R[], vector: Float32Array, least: number) {
  return rows
    .map((row) => ({ row, score: cosine(row.vector, vector) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
}
