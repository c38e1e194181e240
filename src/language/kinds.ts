import { lemmas } from './morphology.js'
import { follow, PARTS_OF_SPEECH, synsets } from './wordnet.js'

/** Senses beyond these are too rare to put two words side by side. */
const SENSES = 5
/** What a sense is a kind of, what it is similar to, and its opposite. */
const KINDS = new Set(['@', '&', '!'])

/**
 * Whether two different words name things of one kind, so that one may stand in the place of the other: `weekly` and `monthly`, `day` and
 * `night`. Words for the same thing are not.
 */
export function areOfOneKind(one: string, other: string): boolean {
  const [a, b] = [sensesOf(one), sensesOf(other)]
  if (a.some(({ id }) => b.some((sense) => sense.id === id))) return false
  const kindsOf = (senses: typeof a) =>
    new Set(senses.flatMap(({ pointers }) => pointers.flatMap((p) => (KINDS.has(p.symbol) ? [follow(p).id] : []))))
  const [left, right] = [kindsOf(a), kindsOf(b)]
  return [...left].some((id) => right.has(id)) || a.some(({ id }) => right.has(id)) || b.some(({ id }) => left.has(id))
}

function sensesOf(word: string) {
  return lemmas(word).flatMap(({ lemma }) => PARTS_OF_SPEECH.flatMap((pos) => synsets(lemma, pos).slice(0, SENSES)))
}
