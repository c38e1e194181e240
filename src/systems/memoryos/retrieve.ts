import { cosine } from '../../base/cosine.js'
import type { Memory, Query } from '../../model/index.js'
import { embedOne, memoryOf } from '../parts/index.js'
import { FIXED } from './fixed.js'
import { updateSession } from './mid-term.js'
import { pageMemory } from './state.js'
import type { MemoryosParts } from './store.js'

/** Short-term memory and profile as they are, then pages and knowledge by meaning. Sessions whose pages match have been visited, and are warmer. */
export async function recall(query: Query, { state, context, settings }: MemoryosParts): Promise<Memory[]> {
  if (state.short.length + state.sessions.size + state.user.length + state.assistant.length === 0) return []
  const vector = await embedOne(context, query.text)
  const near = ranked([...state.sessions.values()], vector, FIXED.near).slice(0, settings.looked)
  const matches = near.flatMap(({ row: session }) => {
    const pages = session.pages.map(({ id }) => state.pages.get(id)!)
    const matching = ranked(pages, vector, FIXED.near)
    if (matching.length > 0) {
      const visit = { visits: session.visits + 1, found: session.found + 1, visited: query.time }
      state.sessions.set(session.id, updateSession(session, visit, query.time))
    }
    return matching
  })
  // Copies of a page in several sessions take up room among those found, though it is returned once.
  const best = matches.sort((a, b) => b.score - a.score).slice(0, settings.pages)
  const pages = [...new Map(best.map((match) => [match.row.id, match] as const)).values()]
  const known = [state.user, state.assistant].flatMap((list) =>
    ranked(list, vector, FIXED.known).slice(0, settings.found),
  )
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

function ranked<R extends { vector: Float32Array }>(rows: readonly R[], vector: Float32Array, least: number) {
  return rows
    .map((row) => ({ row, score: cosine(row.vector, vector) }))
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
}
