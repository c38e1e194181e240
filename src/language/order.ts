import { FUNCTION_WORDS } from './function-words.js'
import { tokenize } from './tokens.js'

/** Words after which a cause stands. */
const BEFORE_CAUSE = new Set('because when whenever after if since while whilst upon thanks due following'.split(' '))
/** Words that bring in a cause right behind the effect ("a headache from noise"), and other things further on. */
const AT_ONCE = new Set('from through during over at as amid every'.split(' '))
/** Fixed expressions that bring in a cause wherever they stand. */
const BRINGING =
  /\b(?:(?:come|came|stem|result|arise|arose|spring|sprang|grow)s? .*\b(?:from|through|with|via|out of)|follows?|on the strength of|in response to|at the (?:sight|sound|smell|thought|mention) of|as a result of|owing to|courtesy of|down to|blame (?:falls|lies|is) (?:on|with)|blamed on|credit(?:s|ed)? (?:goes )?to|attribut(?:es|ed) to|(?:brought|set|sparked|triggered|caused|prompted|inspired|driven|made|kicked|started|evoked|induced|provoked|stirred|awakened|fuelled|fueled) (?:\p{L}+ )?by)\b/u
const PURPOSE = 'to'
/** Words that open a sentence with its scene: "in the loft I …", "with a grin he …". */
const SCENE = new Set(
  'in on at with over under from during by as amid among inside outside near behind before beside feeling being having'.split(
    ' ',
  ),
)

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
  const connected = between.some((word, i) => isConnective(word, between.slice(i + 1)))
  const broughtIn = purpose || (!fronted && (connected || (!causeFirst && bringsIn(between, lead))))
  return causeFirst !== broughtIn
}

/** "A because it makes B" gives A as the cause all the same. */
function isConnective(word: string, [next = '', verb = '']: readonly string[]): boolean {
  if (word === 'once') return next === '' || FUNCTION_WORDS.has(next)
  const takenUp = /^(?:it|this|that)$/.test(next) && /^(?:makes?|helps?|lets?|gives?|keeps?|leaves?|gets?)$/.test(verb)
  return BEFORE_CAUSE.has(word) && !takenUp
}

/** A bare "and" or "is" sets two things beside each other, and lets neither lead to the other. */
function isLoose(between: readonly string[]): boolean {
  const bare = between.filter(
    (word) => !/^(?:an?|the|my|his|her|their|also|always|often|likes?|loves?|enjoys?|has|owns?)$/.test(word),
  )
  return bare.length === 1 && /^(?:and|is|was|are|were)$/.test(bare[0]!)
}

/** "The loft, with a grin", "dreams come from cheese", "letters are prompted by rides". */
function bringsIn(between: readonly string[], lead: ReadonlySet<string>): boolean {
  const [first = ''] = between
  if (AT_ONCE.has(first) || (lead.has(first) && first !== PURPOSE)) return true
  if (BRINGING.test(between.join(' '))) return true
  return between.some((word, i) => word === 'by' && /(?:ed|en|n|t|d)$/.test(between[i - 1] ?? ''))
}

/** Positions that belong to one side alone. */
function apart(mine: readonly number[], other: readonly number[]): number[] {
  return [...new Set(mine)].filter((at) => at >= 0 && !other.includes(at))
}

function middle(positions: readonly number[]): number {
  return positions.reduce((sum, at) => sum + at, 0) / positions.length
}
