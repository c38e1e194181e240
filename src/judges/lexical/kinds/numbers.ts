import { fold } from '../../../base/text.js'
import { numbersInDigits } from '../../../language/numbers.js'
import { compareQuantities, type Quantity, quantities, thresholdQuantity } from '../../../language/quantities.js'
import type { Fact } from '../../../model/index.js'
import { formsOf } from './finding.js'

/** What became of the numbers a fact needs: `unbound` when one is there, but not on which side of it. */
export type NumberState = 'none' | 'equal' | 'different' | 'unbound' | 'missing'

/**
 * The quantities a rule cannot do without. For derived cues only those the source states: published conditions name thresholds that
 * their essays never mention.
 */
export function wantedQuantities(fact: Fact): Quantity[] {
  if (fact.cues.threshold) return [thresholdQuantity(fact.cues.threshold)]
  const [condition = ''] = formsOf(fact.cues, 'condition')
  const wanted = quantities(condition)
  if (fact.cues.explicit || wanted.length === 0) return wanted
  const stated = quantities(fact.text)
  return wanted.filter((one) =>
    stated.some((other) => compareQuantities(one, other) === 'equal' || sameNumber(one, other)),
  )
}

/** What became of the wanted quantities in a text; the worst of them counts. */
export function numberState(wanted: readonly Quantity[], text: string): NumberState {
  if (wanted.length === 0) return 'none'
  const found = quantities(text)
  const states = wanted.map((one): NumberState => {
    const answers = found.map((other) => compareQuantities(one, other))
    if (answers.includes('equal')) return 'equal'
    if (answers.includes('unbound')) return 'unbound'
    return answers.includes('different') ? 'different' : 'missing'
  })
  for (const worst of ['different', 'missing', 'unbound'] as const) if (states.includes(worst)) return worst
  return 'equal'
}

/** A condition without its numbers, units, comparisons and mentions of a scale: what it is that is measured. */
export function withoutNumbers(text: string): string {
  return numbersInDigits(fold(text))
    .replace(
      /\b(?:on|in) a (?:scale of \d+ (?:to|-) \d+|\d+(?:-\d+|-point| point)? ?(?:self-rated )?scale)|\bout of \d+\b|\b\d+-point\b|\bself-(?:rated|reported)\b/g,
      ' ',
    )
    .replace(/(?<=\d)\s?(?:a\.?m\.?|p\.?m\.?|°\s?[cf]|%|percent|degrees)/g, ' ')
    .replace(/\d+(?:[.:/]\d+)*/g, ' ')
    .replace(
      /\b(?:less|fewer|more|lower|higher|least|most|below|above|under|over|exceeds?|drops?|falls?|rises?|level|exactly|about)\b/g,
      ' ',
    )
}

function sameNumber(a: Quantity, b: Quantity): boolean {
  return a.written[0] === b.written[0] && a.written[1] === b.written[1]
}
