import { FUNCTION_WORDS } from './function-words.js'
import { tokenize } from './tokens.js'

/** Words after which a cause stands. */
const BEFORE_CAUSE = new Set('because when whenever after if since while whilst upon thanks due following'.split(' '))
/** Words that bring in a cause right behind the effect ("a headache from noise"), and other things further on. */
const AT_ONCE = new Set('from through during over at as amid every'.split(' '))
const COMING = new Set('come comes came stem stems result results arise arises follow follows'.split(' '))
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
  if (isLoose(between)) return false
  const purpose = !causeFirst && lead.has(PURPOSE) && between.at(-1) === PURPOSE
  const opening = words.slice(0, Math.min(...first))
  const fronted = opening.some((word) => BEFORE_CAUSE.has(word)) || SCENE.has(opening[0] ?? '')
  const connected = between.some((word, i) => BEFORE_CAUSE.has(word) || (word === 'once' && FUNCTION_WORDS.has(between[i + 1] ?? 'a')))
  const broughtIn = purpose || (!fronted && (connected || (!causeFirst && bringsIn(between, lead))))
  return causeFirst !== broughtIn
}

/** A bare "and" or "is" sets two things beside each other, and lets neither lead to the other. */
function isLoose(between: readonly string[]): boolean {
  const bare = between.filter((word) => !/^(?:an?|the|my|his|her|their|also|always|often)$/.test(word))
  return bare.length === 1 && /^(?:and|is|was|are|were)$/.test(bare[0]!)
}

/** "The loft, with a grin", "dreams come from cheese", "letters are prompted by rides". */
function bringsIn(between: readonly string[], lead: ReadonlySet<string>): boolean {
  const [first = '', second = ''] = between
  if (AT_ONCE.has(first) || (lead.has(first) && first !== PURPOSE)) return true
  if (COMING.has(first) && (second === 'from' || first.startsWith('follow'))) return true
  return between.some((word, i) => word === 'by' && /(?:ed|en|n|t|d)$/.test(between[i - 1] ?? ''))
}

/** Positions that belong to one side alone. */
function apart(mine: readonly number[], other: readonly number[]): number[] {
  return [...new Set(mine)].filter((at) => at >= 0 && !other.includes(at))
}

function middle(positions: readonly number[]): number {
  return positions.reduce((sum, at) => sum + at, 0) / positions.length
}
