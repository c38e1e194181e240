import type { ReleasedQuestion } from './schema.js'

/** Sessions that a question names as its evidence. */
export function evidenceSessions({ memory_evidence: evidence }: ReleasedQuestion): Set<number> {
  const named = [...JSON.stringify(evidence).matchAll(/"session_id":(\d+)/g)].map(([, id]) => Number(id))
  const { session_history: history } = evidence
  return new Set([...named, ...(Array.isArray(history) ? history.map(Number) : [])])
}
