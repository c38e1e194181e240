import { compareQuantities, type Quantity, quantities, thresholdQuantity } from '../../language/quantities.js'
import type { Fact } from '../../model/index.js'
import { formsOf } from './parts.js'

/** Whether a text bounds the same amounts as a fact: "no more than two" is "fewer than three". Null where the fact has none. */
export function keepsAmounts(fact: Fact, statement: string, text: string): boolean | null {
  const wanted = amountsOf(fact, statement)
  const found = quantities(text)
  if (wanted.length === 0) return null
  return wanted.every((one) => found.some((other) => compareQuantities(one, other) === 'equal'))
}

/** Published conditions name thresholds that their essays never mention: only what the source states counts. */
function amountsOf({ cues, text }: Fact, statement: string): Quantity[] {
  if (cues.threshold) return [thresholdQuantity(cues.threshold)]
  if (cues.kind !== 'rule') return quantities(statement)
  const wanted = quantities(formsOf(cues, 'condition')[0] ?? '')
  const stated = quantities(text)
  return cues.explicit
    ? wanted
    : wanted.filter(({ written: [low] }) => stated.some(({ written }) => written[0] === low))
}
