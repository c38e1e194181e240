import { plainWords, tokenize } from './tokens.js'

/** How a text joins two things: as asked, the other way round, not at all, or in a way that cannot be told. */
export type Direction = 'forward' | 'backward' | 'unjoined' | 'unclear'

/** Base forms of verbs whose subject causes their object. */
const CAUSE_FIRST = new Set(
  `make cause lead give prompt get inspire motivate push drive bring put leave let help trigger spark encourage evoke produce create turn
  send result induce stir set trigger provoke start reason so therefore then thus relax calm enable allow draw move gets before until`.split(
    /\s+/,
  ),
)
/** Words after which the cause stands. */
const CAUSE_AFTER = new Set(
  'because when whenever after once if since while upon thanks due following through from'.split(' '),
)
const JOINING = new Set('to in on at with for by during as is are comes follows follow'.split(' '))

/** What opens a sentence before its subject sets the scene: "Daydreaming of ice, she hums", "In a toga, he speaks". */
const OPENING = /^(?:\p{Lu}\p{L}+ing|In|With|On|As|At|During|Having|Upon|Over)\b[^,]*(?=,)/u

/**
 * Which of two things a text makes the cause, given where their words stand in it. Connectives between them decide: "A makes B" and
 * "when A, B" are forward, "B because of A" too; "B makes A" is backward. A bare "and" joins nothing.
 */
export function directionOf(text: string, cause: readonly number[], effect: readonly number[]): Direction {
  const [from, to] = [separate(cause, effect), separate(effect, cause)]
  if (from.length === 0 || to.length === 0) return 'unclear'
  const causeFirst = middle(from) < middle(to)
  const [first, second] = causeFirst ? [from, to] : [to, from]
  const tokens = tokenize(text)
  const start = Math.min(...second.filter((at) => at > Math.min(...first)))
  const end = Math.max(...first.filter((at) => at < start))
  const between = tokens.filter(({ at }) => at > end && at < start)
  const before = tokens.filter(({ at }) => at < end && !first.includes(at))
  const order = (subjectCauses: boolean): Direction => (subjectCauses === causeFirst ? 'forward' : 'backward')

  const fronted = before.some(({ text: word }) => CAUSE_AFTER.has(word))
  const passive = between.some(({ text: word }, i) => word === 'by' && i > 0)
  const after = between.some(({ text: word }) => CAUSE_AFTER.has(word))
  const causes = between.some(
    ({ text: word, lemmas }) => CAUSE_FIRST.has(word) || lemmas.some(({ lemma }) => CAUSE_FIRST.has(lemma)),
  )
  const everyTime = between.some(({ text: word }, i) => word === 'every' && between[i + 1]?.text === 'time')
  if (passive) return 'unclear'
  const opening = plainWords(OPENING.exec(text)?.[0] ?? '').length
  if (opening > 0 && end < opening && start >= opening && !after && !causes) return order(true)
  if (causes && !after) return order(true)
  if ((after || everyTime) && !fronted && !causes) return order(false)
  if (fronted && !after) return order(true)
  const purpose = between.findIndex(({ text: word }) => word === 'to')
  if (purpose >= 0 && !after && !causes) return order(true)
  if (causes || after || fronted) return 'unclear'
  return isBareAnd(between.map(({ text: word }) => word)) ? 'unjoined' : 'unclear'
}

function isBareAnd(words: readonly string[]): boolean {
  return words.includes('and') && !words.some((word) => JOINING.has(word))
}

/** Positions that belong to one side alone. */
function separate(mine: readonly number[], other: readonly number[]): number[] {
  return [...new Set(mine)].filter((at) => at >= 0 && !other.includes(at))
}

function middle(positions: readonly number[]): number {
  return positions.reduce((sum, at) => sum + at, 0) / positions.length
}
