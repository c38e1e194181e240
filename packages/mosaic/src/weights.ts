import type { Note } from './note.js'
import type { QuestionKind } from './question.js'

/** How little counts, for an overview, what tells nothing of its own accord. */
const ASKING = 0.3
/** How much counts, for a question of somebody about themselves, a reply, and what was said of nobody or only asked. */
const REPLY = 0.5
const ELSE = 0.8
/** How much counts, for a question about what was said in reply, that somebody replied, and what else was said. */
const REPLIED = 2
const UNREPLIED = 0.6

/**
 * Multiplies scores by what notes count for a question. What was forgotten comes last, and is never found.
 *
 * @param isSet things of a kind are wanted: what tells counts in full, be it short or said of nobody
 */
export function weigh(scores: Float64Array, notes: readonly Note[], question: QuestionKind, isSet: boolean): void {
  for (let i = 0; i < scores.length; i++) scores[i]! *= weightFor(notes[i]!, question, isSet)
}

function weightFor({ content, weight, isTelling, isOwn }: Note, question: QuestionKind, isSet: boolean): number {
  const isReply = content.role === 'assistant'
  if (question.wantsReply) return weight * (isReply ? REPLIED : UNREPLIED)
  if (isTelling && (isSet || question.wantsTotal)) return 1
  const told = question.wantsSeveral && !isTelling ? ASKING : 1
  const whose = isReply ? REPLY : isTelling && isOwn ? 1 : ELSE
  return weight * told * (question.isOwn ? whose : 1)
}
