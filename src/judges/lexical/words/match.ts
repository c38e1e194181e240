import { contentTokens, expressionTokens, type Token, tokenize } from './tokens.js'
import { type Kinship, kin, type Relation } from './relations.js'
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
  matches: WordMatch[]
}

const INVERSE: Partial<Record<Relation, Relation>> = { general: 'specific', specific: 'general' }
const NONE: Kinship = { relation: 'related', strength: 0 }

/** How far the content words of `part` are found among the words of `text`. A part without content counts as found. */
export function coverage(part: string, text: string): Coverage {
  const wanted = contentTokens(part)
  const there = tokenize(text)
  const expressions = expressionTokens(text)
  const matches = wanted.map((token) => bestMatch(token, there, expressions))
  const total = matches.reduce((sum, match) => sum + match.token.weight, 0)
  if (total === 0) return { score: 1, exact: 1, matches }
  const sum = (value: (match: WordMatch) => number) =>
    matches.reduce((held, match) => held + match.token.weight * value(match), 0) / total
  return {
    score: sum((match) => match.strength),
    exact: sum((match) => (match.relation === 'general' || match.relation === 'related' ? 0 : match.strength)),
    matches,
  }
}

function bestMatch(token: Token, there: readonly Token[], expressions: readonly Token[]): WordMatch {
  let best: WordMatch = { token, strength: 0, relation: 'none', at: -1 }
  for (const other of there) {
    if (other.weight === 0 && other.text !== token.text) continue
    const kinship = kinshipOf(token, other)
    if (kinship.strength > best.strength) best = { token, ...kinship, at: other.at }
    if (best.strength === 1) return best
  }
  for (const other of expressions) {
    const kinship = kinshipOf(token, other)
    if (kinship.strength > best.strength) best = { token, ...kinship, at: other.at }
  }
  return best.strength >= 0.85 ? best : compoundMatch(token, there, best)
}

const pairs = new Map<string, Kinship>()

/** The strongest tie between a fact's word and a text's word. */
export function kinshipOf(wanted: Token, there: Token): Kinship {
  if (wanted.text === there.text) return { relation: 'same', strength: 1 }
  const key = `${wanted.text}|${there.text}`
  let best = pairs.get(key)
  if (best) return best
  best = NONE
  for (const { lemma, pos } of wanted.lemmas) {
    const relatives = kin(lemma, pos)
    for (const other of there.lemmas) {
      const kinship = relatives.get(other.lemma)
      if (kinship && kinship.strength > best.strength) best = kinship
      const back = kin(other.lemma, other.pos).get(lemma)
      if (back && back.strength > best.strength) best = { strength: back.strength, relation: INVERSE[back.relation] ?? back.relation }
    }
  }
  if (best.strength < 0.8 && sharesStem(wanted.text, there.text)) best = { relation: 'derived', strength: 0.85 }
  if (pairs.size > 500_000) pairs.clear()
  pairs.set(key, best)
  return best
}

/** Two long words with a long common beginning, such as `handwrite` and `handwritten`. */
function sharesStem(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length)
  let shared = 0
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++
  return shared >= 5 && shared / longer >= 0.6
}

/** A closed compound (`weightlifting`) is found when its halves are (`lifts weights`). */
function compoundMatch(token: Token, there: readonly Token[], best: WordMatch): WordMatch {
  for (let cut = 3; cut <= token.text.length - 3; cut++) {
    const halves = [token.text.slice(0, cut), token.text.slice(cut)]
    if (!halves.every((half) => isWord(half) || tokenize(half)[0]!.lemmas[0]!.lemma !== half)) continue
    const found = halves.map((half) => {
      const [wanted] = tokenize(half)
      let strongest = { strength: 0, at: -1 }
      for (const other of there) {
        if (other.weight === 0) continue
        const { strength, relation } = kinshipOf({ ...wanted!, weight: 1 }, other)
        if (strength > strongest.strength && relation !== 'general' && relation !== 'related') strongest = { strength, at: other.at }
      }
      return strongest
    })
    const strength = 0.92 * Math.min(...found.map((half) => half.strength))
    if (strength > best.strength) best = { token, strength, relation: 'derived', at: found[0]!.at }
  }
  return best
}
