import { tokenize } from './tokens.js'

/** Words after which a cause stands. */
const BEFORE_CAUSE = new Set('because when whenever after once if since while whilst upon thanks due following'.split(' '))
/** Words that can bring in a cause, but often bring in other things. */
const MAYBE_BEFORE_CAUSE = new Set('from through during by every over given as at'.split(' '))
const PURPOSE = 'to'
/** Words that open a sentence with its scene: "in the loft I …", "with a grin he …". */
const SCENE = new Set('in on at with over under from during by as amid among inside outside near behind before beside feeling being having'.split(' '))

/**
 * Whether a text has one thing lead to the other, given where their words stand. What comes first causes what comes after ("A makes B", "in A,
 * B"), unless the second is what a word like "when" or "because" brings in ("B because of A"). `lead` holds prepositions
 * that bring in the cause in the source itself ("to", "with").
 */
export function leadsTo(
  text: string,
  cause: readonly number[],
  effect: readonly number[],
  lead: ReadonlySet<string>,
): boolean {
  const [from, to] = [apart(cause, effect), apart(effect, cause)]
  if (from.length === 0 || to.length === 0) return true
  const causeFirst = middle(from) < middle(to)
  const [first, second] = causeFirst ? [from, to] : [to, from]
  const start = Math.min(...second.filter((at) => at > Math.min(...first)))
  const end = Math.max(...first.filter((at) => at < start))
  const words = tokenize(text).map((token) => token.text)
  const between = words.slice(end + 1, start)
  const bringsCause = (word: string) =>
    BEFORE_CAUSE.has(word) || (!causeFirst && word !== PURPOSE && (MAYBE_BEFORE_CAUSE.has(word) || lead.has(word)))
  const purpose = !causeFirst && lead.has(PURPOSE) && between.at(-1) === PURPOSE
  const opening = words.slice(0, Math.min(...first))
  const fronted = opening.some((word) => BEFORE_CAUSE.has(word)) || SCENE.has(opening[0] ?? '')
  const broughtIn = purpose || (!fronted && between.some(bringsCause))
  return causeFirst !== broughtIn
}

/** Positions that belong to one side alone. */
function apart(mine: readonly number[], other: readonly number[]): number[] {
  return [...new Set(mine)].filter((at) => at >= 0 && !other.includes(at))
}

function middle(positions: readonly number[]): number {
  return positions.reduce((sum, at) => sum + at, 0) / positions.length
}
