import { sentences } from '../../base/text.js'

/** Things that stand side by side in a question: what is between them, or which of them is more so or came first. */
const SIDES = [
  /\bbetween (.{8,}?),? and (.{8,}?)(?:[,?]|$)/i,
  /\b(?:first|last|earlier|later|sooner|before|after|more|most|less|[a-z]{3,}er)\b[^,:?]*[,:] (.{4,}?),? or (.{4,}?)(?:[,?]|$)/i,
]

/**
 * The two things that a question is about, where it sets them side by side: each is looked for by itself, or the one that more is said of takes
 * all places.
 *
 * @example sidesOf('How long was it between the first draft and the last review?') // ['the first draft', 'the last review']
 */
export function sidesOf(question: string): string[] {
  // What is told before it asks nothing.
  const asked = sentences(question).at(-1) ?? ''
  for (const pattern of SIDES) {
    const found = pattern.exec(asked)
    if (found) return found.slice(1)
  }
  return []
}
