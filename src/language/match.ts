import { type Kinship, type Relation, relatedWords } from './relations.js'
import { contentTokens, expressionTokens, type Token, tokenize } from './tokens.js'
import { isWord } from './wordnet.js'

/** How one word of a fact is found in a text. */
export interface WordMatch {
  token: Token
  strength: number
  relation: Relation | 'none'
  /** Where in the text, as a position among its words; -1 when nowhere. */
  at: number
}

/** How far a part of a fact is found in a text. */
export interface Coverage {
  /** Weighted share of the part's content found, 0 to 1. */
  score: number
  /** The same, counting only words that say it as exactly: same, derived, synonymous, more specific. */
  exact: number
  /** The same again over the words that carry most, when there are any. */
  core: number
  matches: WordMatch[]
}

/** Words of at least this weight are core. */
const CORE = 0.5
/** A very general word ("make") stands for a core word only when tied this closely. */
const CLOSE = 0.85
const INVERSE: Partial<Record<Relation, Relation>> = { general: 'specific', specific: 'general' }
const INEXACT: ReadonlySet<WordMatch['relation']> = new Set(['general', 'related', 'none'])

/** How far the content words of `part` are found among the words of `text`. A part without content counts as found. */
export function coverage(part: string, text: string): Coverage {
  const matches = contentTokens(part).map((token) => bestMatch(token, text))
  const core = matches.filter(({ token }) => token.weight >= CORE)
  return {
    score: share(matches, ({ strength }) => strength),
    exact: share(matches, exactness),
    core: share(core.length > 0 ? core : matches, exactness),
    matches,
  }
}

function exactness({ strength, relation }: WordMatch): number {
  return INEXACT.has(relation) ? 0 : strength
}

function share(matches: readonly WordMatch[], value: (match: WordMatch) => number): number {
  let total = 0
  let sum = 0
  for (const match of matches) {
    total += match.token.weight
    sum += match.token.weight * value(match)
  }
  return total === 0 ? 1 : sum / total
}

const MOST = 400_000
const found = new Map<string, Map<string, WordMatch>>()
let held = 0

/** Remembered by text and word: the same sentences are read for many facts and in many passages. */
function bestMatch(token: Token, text: string): WordMatch {
  let known = found.get(text)
  if (!known) {
    known = new Map()
    found.set(text, known)
  }
  let match = known.get(token.text)
  if (!match) {
    match = findMatch(token, text)
    known.set(token.text, match)
    if (++held > MOST) {
      found.clear()
      held = 0
    }
  }
  return match.token === token ? match : { ...match, token }
}

function findMatch(token: Token, text: string): WordMatch {
  const there = tokenize(text)
  let best: WordMatch = { token, strength: 0, relation: 'none', at: -1 }
  for (const list of [there, expressionTokens(text)]) {
    for (const other of list) {
      if (other.weight === 0 && other.text !== token.text) continue
      const kinship = kinshipOf(token, other)
      if (!kinship || (kinship.strength < CLOSE && other.weight < CORE && token.weight >= CORE)) continue
      if (kinship.strength > best.strength) best = { token, ...kinship, at: other.at }
      if (best.strength === 1) return best
    }
  }
  return best.strength >= 0.85 ? best : compoundMatch(token, there, best)
}

/** The strongest tie between a fact's word and a text's word. */
function kinshipOf(wanted: Token, there: Token): Kinship | undefined {
  if (wanted.text === there.text) return { relation: 'same', strength: 1 }
  let best: Kinship | undefined
  for (const { lemma, pos } of wanted.lemmas) {
    const relatives = relatedWords(lemma, pos)
    for (const other of there.lemmas) {
      const forth = relatives.get(other.lemma)
      if (forth && forth.strength > (best?.strength ?? 0)) best = forth
      const back = relatedWords(other.lemma, other.pos).get(lemma)
      if (back && back.strength > (best?.strength ?? 0)) {
        best = { strength: back.strength, relation: INVERSE[back.relation] ?? back.relation }
      }
    }
  }
  if ((best?.strength ?? 0) < 0.8 && sharesStem(wanted.text, there.text)) return { relation: 'derived', strength: 0.85 }
  return best
}

/** Two long words with a long common beginning, such as `handwrite` and `handwritten`, or a word and its clipping. */
export function sharesStem(a: string, b: string): boolean {
  const shared = sharedBeginning(a, b)
  if (shared < 5) return false
  const clipped = a.length < b.length ? a : b
  return shared / Math.max(a.length, b.length) >= 0.6 || (shared === clipped.length && !isWord(clipped))
}

/** How many letters two words begin with alike. */
export function sharedBeginning(a: string, b: string): number {
  let shared = 0
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++
  return shared
}

/** A closed compound (`weightlifting`) is found when its halves are (`lifts weights`), and half found when one is. */
function compoundMatch(token: Token, there: readonly Token[], start: WordMatch): WordMatch {
  let best = start
  for (const halves of compoundHalves(token.text)) {
    const hits = halves.map((half) => {
      let strongest = { strength: 0, at: -1 }
      for (const other of there) {
        if (other.weight === 0) continue
        const kinship = kinshipOf(half, other)
        if (kinship && kinship.strength > strongest.strength && !INEXACT.has(kinship.relation)) {
          strongest = { strength: kinship.strength, at: other.at }
        }
      }
      return strongest
    })
    const strengths = hits.map((half) => half.strength)
    const strength = Math.max(0.92 * Math.min(...strengths), 0.5 * Math.max(...strengths))
    if (strength > best.strength)
      best = { token, strength, relation: 'derived', at: Math.max(...hits.map((half) => half.at)) }
  }
  return best
}

/** No dictionary has a longer word; what is longer is no compound. */
const LONGEST_WORD = 64
const halvesOf = new Map<string, readonly (readonly Token[])[]>()
const PREFIX = /^(over|re|out)(\p{L}{3,})$/u

/** Ways to read a word as two, also as a prefix and a word (`overplan`), which then stands for the whole. */
function compoundHalves(word: string): readonly (readonly Token[])[] {
  let known = halvesOf.get(word)
  if (!known) {
    const ways: (readonly Token[])[] = []
    for (let cut = 3; cut <= word.length - 3 && word.length <= LONGEST_WORD; cut++) {
      const halves = [word.slice(0, cut), word.slice(cut)].map((half) => tokenize(half)[0])
      if (
        halves.every((half) => half !== undefined && half.weight > 0 && half.lemmas.some(({ lemma }) => isWord(lemma)))
      ) {
        ways.push(halves as Token[])
      }
    }
    const rest = isWord(word) ? undefined : PREFIX.exec(word)?.[2]
    if (rest && isWord(rest)) ways.push([tokenize(rest)[0]!])
    known = ways
    halvesOf.set(word, known)
  }
  return known
}
