import { kin } from '../../../language/relations.js'
import { contentTokens, type Token } from '../../../language/tokens.js'
import { isWord } from '../../../language/wordnet.js'
import type { AnswerText, Spot } from './answer-lines.js'

/** How far something longer than a name is told in an answer. */
export interface Gist {
  /** Weighted share of its words found near each other, 0 to 1. */
  share: number
  /** The same, counting only the very words and their inflections. */
  same: number
  /** The line with most of it; -1 when nowhere. */
  line: number
  /** A number it has is missing there. */
  numberLost: boolean
}

/** Verbs of plans and lists: nearly every item has one, so they single out little. */
const COMMON = new Set(
  'plan prepare update review schedule research write organize create develop discuss discussion analysis analyze provide include ensure key current project team strategic information potential identify identification establish evaluation focus across next new upcoming detailed comprehensive specific'.split(
    ' ',
  ),
)
const WEIGHT = 0.5
/** Lines this far apart may tell one thing together. */
const REACH = 1

interface Found {
  strength: number
  same: boolean
}

/** The best place in an answer to find the words of a part. */
export function gistOf(part: string, text: AnswerText): Gist {
  const tokens = contentTokens(part)
  if (tokens.length === 0) return { share: 0, same: 0, line: -1, numberLost: false }
  const rows = tokens.map((token) => spotsOf(token, text))
  const weights = tokens.map(weightOf)
  const total = weights.reduce((sum, one) => sum + one, 0)
  let best: Gist = { share: 0, same: 0, line: -1, numberLost: false }
  for (let line = 0; line < text.lines.length; line++) {
    let [share, same, lost] = [0, 0, false]
    rows.forEach((row, i) => {
      const here = row.get(line)
      const near = here ?? strongest(row, line)
      if (near) {
        share += weights[i]! * near.strength * (here ? 1 : 0.7)
        if (near.same) same += weights[i]! * (here ? 1 : 0.7)
      } else if (/^\d/.test(tokens[i]!.text)) lost = true
    })
    if (share / total > best.share) best = { share: share / total, same: same / total, line, numberLost: lost }
  }
  return best
}

function strongest(row: ReadonlyMap<number, Found>, line: number): Found | undefined {
  let best: Found | undefined
  for (let other = line - REACH; other <= line + REACH; other++) {
    const found = row.get(other)
    if (found && found.strength > (best?.strength ?? 0)) best = found
  }
  return best
}

function weightOf({ text, weight, lemmas }: Token): number {
  if (/^\d/.test(text)) return 1
  const common = COMMON.has(text) || lemmas.some(({ lemma }) => COMMON.has(lemma))
  return Math.max(0.3, weight) * (common ? WEIGHT : 1)
}

/** Lines in which a word, or one that can stand for it, is found. */
function spotsOf(token: Token, text: AnswerText): Map<number, Found> {
  const found = new Map<number, Found>()
  const add = (spots: readonly Spot[], strength: number, same: boolean) => {
    for (const { line } of spots) if ((found.get(line)?.strength ?? 0) < strength) found.set(line, { strength, same })
  }
  for (const { lemma } of [{ lemma: token.text }, ...token.lemmas]) {
    const spots = text.words.get(lemma)
    if (spots) add(spots, 1, true)
  }
  for (const { lemma, pos } of token.lemmas) {
    if (pos === '') continue
    const relatives = kin(lemma, pos)
    for (const [word, spots] of text.words) {
      const tie = relatives.get(word)
      if (!tie || tie.relation === 'same') continue
      const strength = tie.relation === 'related' || tie.relation === 'general' ? 0.6 * tie.strength : tie.strength
      if (strength >= 0.2) add(spots, strength, tie.relation === 'derived')
    }
  }
  if (found.size === 0 && token.text.length >= 5) {
    for (const [word, spots] of text.words) if (sharesStem(token.text, word)) add(spots, 0.8, true)
  }
  return found
}

/** Long words with a long common beginning, or a word and its clipping: `capex` is not, `telecom` and `telecommunications` are. */
function sharesStem(a: string, b: string): boolean {
  if (b.length < 5 || a[0] !== b[0] || a[4] !== b[4]) return false
  let shared = 0
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++
  const shorter = Math.min(a.length, b.length)
  return (
    shared >= 5 &&
    (shared / Math.max(a.length, b.length) >= 0.6 || (shared === shorter && !isWord(a.length < b.length ? a : b)))
  )
}
