import { sharedBeginning, sharesStem } from '../../../../language/match.js'
import { relatedWords } from '../../../../language/relations.js'
import { contentTokens, type Token, wordsOf } from '../../../../language/tokens.js'
import { isWord } from '../../../../language/wordnet.js'
import type { AnswerText, Spot } from '../answer-lines.js'
import { givesMeasure, type Measure, measuresIn } from '../numbers/measures.js'

/** How far something longer than a name is told in an answer. */
export interface Gist {
  /** Midway between the share of its words that are there and the share that is there or stood for by others, 0 to 1. */
  score: number
  /** Weighted share of its words found near each other, also by words that can stand for them. */
  share: number
  /** The line with most of it; -1 when nowhere. */
  line: number
  /** How many of its numbers, durations and dates are not there, nor near. */
  gaps: number
  /** Which words of the line say it, by their places. */
  at: readonly number[]
  /** How many words it has. */
  size: number
}

/** Verbs of plans and lists: nearly every item has one, so they single out little. */
const COMMON = new Set(
  'plan prepare update review schedule research write organize create develop discuss discussion analysis analyze provide include ensure key current project team strategic information potential identify identification establish evaluation focus across next new upcoming detailed comprehensive specific'.split(
    ' ',
  ),
)
const WEIGHT = 0.5
/** What each further line with a word takes from its weight, and what is left at least. */
const SPREADING = 0.4
const COMMONEST = 0.3
/** Lines this far apart may tell one thing together. */
const REACH = 1
/** What a word counts in a neighbouring line, and in a neighbouring element of a list. */
const BESIDE = 0.7
const NEXT_BULLET = 0.3
/** A value with so many numbers may be told step by step. */
const STEPS = 3

interface Found {
  strength: number
  same: boolean
  at: number
}

const scored = new WeakMap<AnswerText, Map<string, readonly Gist[]>>()

/** How much of an expected text each line of an answer says, with its neighbours, in order; empty if the text has no words to look for. */
export function matchesByLine(expected: string, answer: AnswerText): readonly Gist[] {
  let known = scored.get(answer)
  if (!known) {
    known = new Map()
    scored.set(answer, known)
  }
  let found = known.get(expected)
  if (!found) {
    found = scoreLines(expected, answer)
    known.set(expected, found)
  }
  return found
}

/** How much of an expected text the answer says, at the line where most of it stands; score 0 and line -1 if nowhere. */
export function bestMatchInAnswer(expected: string, answer: AnswerText): Gist {
  let best: Gist = { score: 0, share: 0, line: -1, gaps: 0, at: [], size: 0 }
  for (const one of matchesByLine(expected, answer)) if (one.score > best.score) best = one
  return best
}

function scoreLines(part: string, text: AnswerText): Gist[] {
  const { found: measures, rest } = measuresIn(part, false)
  const tokens = contentTokens(rest)
  if (tokens.length + measures.length === 0) return []
  const rows = [...tokens.map((token) => spotsOf(token, text)), ...measures.map((one) => measureSpots(one, text))]
  const weights = [...tokens.map((token, i) => weightOf(token) * rarity(rows[i]!)), ...measures.map(() => 1)]
  const total = weights.reduce((sum, one) => sum + one, 0)
  return text.lines.map(({ bullet }, line) => {
    const beside = bullet ? NEXT_BULLET : BESIDE
    let [share, same] = [0, 0]
    let gaps = 0
    const at: number[] = []
    rows.forEach((row, i) => {
      const here = row.get(line)
      const near = here ?? strongest(row, line)
      if (here && here.at >= 0) at.push(here.at)
      if (near) {
        share += weights[i]! * near.strength * (here ? 1 : beside)
        if (near.same) same += weights[i]! * near.strength * (here ? 1 : beside)
      }
      const measure = measures[i - tokens.length]
      if (measure && !here && (bullet ? !inList(row, text, line, measures.length) : !near)) gaps++
    })
    return { score: (share + same) / 2 / total, share: share / total, line, gaps, at, size: tokens.length }
  })
}

/** Whether a list tells a measure in another of its elements: a schedule of several steps has one in each. */
function inList(row: ReadonlyMap<number, Found>, text: AnswerText, line: number, measures: number): boolean {
  if (measures < STEPS) return false
  const { heading } = text.lines[line]!
  return heading !== '' && [...row.keys()].some((other) => text.lines[other]!.heading === heading)
}

/** Lines that give a measure. */
function measureSpots(wanted: Measure, text: AnswerText): Map<number, Found> {
  const found = new Map<number, Found>()
  text.lines.forEach(({ plain, heading }, line) => {
    if (givesMeasure(measuresIn(`${heading} | ${plain}`, true).found, wanted))
      found.set(line, { strength: 1, same: true, at: -1 })
  })
  return found
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
  const common = COMMON.has(text) || lemmas.some(({ lemma }) => COMMON.has(lemma))
  return Math.max(0.3, weight) * (common ? WEIGHT : 1)
}

/** A word that line after line has is the subject of the answer, and tells its lines apart no more. */
function rarity(row: ReadonlyMap<number, Found>): number {
  let lines = 0
  for (const { same } of row.values()) if (same) lines++
  return lines < 2 ? 1 : Math.max(COMMONEST, 1 / (1 + SPREADING * (lines - 1)))
}

/** Lines in which a word, or one that can stand for it, is found. */
function spotsOf(token: Token, text: AnswerText): Map<number, Found> {
  const found = new Map<number, Found>()
  const add = (spots: readonly Spot[], strength: number, same: boolean) => {
    for (const { line, at } of spots) {
      if ((found.get(line)?.strength ?? 0) < strength) found.set(line, { strength, same, at })
    }
  }
  for (const word of wordsOf(token)) {
    const spots = text.words.get(word)
    if (spots) add(spots, 1, true)
  }
  for (const { lemma, pos } of token.lemmas) {
    if (pos === '') continue
    const relatives = relatedWords(lemma, pos)
    for (const [word, spots] of text.words) {
      const tie = relatives.get(word)
      if (!tie || tie.relation === 'same') continue
      const strength = tie.relation === 'related' || tie.relation === 'general' ? 0.6 * tie.strength : tie.strength
      if (strength >= 0.2) add(spots, strength, tie.relation === 'derived')
    }
  }
  if (found.size === 0 && token.text.length >= 5) {
    for (const [word, spots] of text.words) if (sharesLongStem(token.text, word)) add(spots, 0.8, true)
  }
  return found
}

/** {@link sharesStem} for a word of many: two words that are both known must share more. `capex` is not, `telecom` and `telecommunications` are. */
function sharesLongStem(a: string, b: string): boolean {
  if (a[0] !== b[0] || a[4] !== b[4]) return false
  return sharesStem(a, b) && (sharedBeginning(a, b) >= 7 || !isWord(a) || !isWord(b))
}
