import { sentences } from '../../../../base/text.js'
import { opposes } from '../../../../language/opposites.js'
import { contentTokens } from '../../../../language/tokens.js'
import type { AnswerText } from '../answer-lines.js'
import { type Gist, matchesByLine } from './gist.js'

/** Where a new thought begins inside of a sentence. */
const BREAK =
  /;\s+|,?\s+(?:and|so that|so as to|in order to|while|which|aiming (?:for|to)|focus(?:ed|ing) on|driven by|due to|through|thanks to|such that|followed by|leading to|resulting in|but|whereas|to (?=[a-z]{4,}))\s*|,\s+(?=(?:with|including|ensuring|enabling|leveraging|presenting|incorporating|emphasizing|ensuring|aiming|using|based|\w{4,}ing) )|\.\s+(?=\p{Lu})/gu
/** Fewer words that say something make no thought of their own. */
const LEAST = 2

/**
 * The thoughts that a longer value is made of, each of which has to be told.
 *
 * @example clausesOf('Read the memo and join the call on Friday to name owners.') // ['Read the memo', 'join the call on Friday', 'name owners']
 */
function clausesOf(value: string, least = LEAST): string[] {
  const found: string[] = []
  for (const sentence of sentences(value)) {
    const own: string[] = []
    for (const piece of sentence.replace(/\([^)]*\)/g, ' ').split(BREAK)) {
      if (!piece || contentTokens(piece).length === 0) continue
      const last = own.at(-1)
      if (last !== undefined && weightOf(piece) < least) own[own.length - 1] = `${last} ${piece.trim()}`
      else own.push(piece.trim())
    }
    found.push(...own)
  }
  return found
}

function weightOf(piece: string): number {
  return contentTokens(piece).filter(({ weight }) => weight >= 0.5).length
}

/** The thoughts of a value may be spread over lines so far apart. */
const SPREAD = 2

/** So much of a thought in a line makes an opposite in it speak against it. */
const PLAIN = 0.6

/** The thought of a value that is told least. */
export interface Least {
  score: number
  /** The same over what is too short for a thought of its own, which may be left out or said otherwise. */
  small: number
  /** Some thought is told with the opposite in the place of a word. */
  contrary: boolean
}

/** How well the thought of a value is told that is told least, around the line that tells most of it. */
export function leastTold(value: string, text: AnswerText, line: number): Least {
  const clauses = clausesOf(value)
  const least: Least = { score: 1, small: 1, contrary: false }
  for (const clause of clauses) {
    const near = matchesByLine(clause, text).filter((one) => Math.abs(one.line - line) <= SPREAD)
    const best = near.reduce<Gist | undefined>((top, one) => (top && top.score >= one.score ? top : one), undefined)
    if (clauses.length > 1) least.score = Math.min(least.score, best?.score ?? 0)
    if (best && best.score >= PLAIN && opposes(text.lines[best.line]!.plain, clause)) least.contrary = true
  }
  for (const clause of clausesOf(value, 1).filter((one) => !clauses.includes(one))) {
    const scores = matchesByLine(clause, text).filter((one) => Math.abs(one.line - line) <= SPREAD)
    least.small = Math.min(
      least.small,
      scores.reduce((best, one) => Math.max(best, one.score), 0),
    )
  }
  return least
}
