import { isNegated } from '../../../language/markers.js'
import { coverage } from '../../../language/match.js'
import type { Fact } from '../../../model/index.js'
import type { Passage } from '../store/view.js'
import { inPassages, type KindJudge, notStored, short } from './finding.js'
import { isDamagedCopy, names, ofRelative } from './guards.js'
import { numberState, wantedQuantities } from './numbers.js'
import { bestPassages } from './select.js'

const WIDTH = { memories: 16, span: 3, keep: 8 }
const FOUND = 0.75

/** Anything else: every part must be found, bound together in one passage. */
export const statement: KindJudge = {
  select(fact, index) {
    const texts = [fact.text, ...fact.cues.parts.flatMap((part) => part.forms)]
    return { passages: bestPassages(index, texts, WIDTH, (passage) => share(fact, passage)), phrases: [fact.text] }
  },

  decide(fact, { passages }, reading) {
    const whole = passages.filter((passage) => isWhole(fact, passage))
    const faithful = whole.filter((passage) => !isTurned(fact, passage))
    if (faithful.length > 0)
      return inPassages('correct', faithful, `All its parts are together in ${faithful[0]!.memory}.`, false)
    if (whole[0])
      return inPassages('summary_error', [whole[0]], `Its parts are in ${whole[0].memory}, but changed.`, false)
    const best = passages[0]
    if (best && share(fact, best) >= 0.5 && reading.similarity(fact.text, best.text) >= 0.5) {
      return inPassages('summary_error', [best], `${best.memory} keeps only part of ${short(fact.text)}.`, true)
    }
    return notStored(`Nothing in the store says ${short(fact.text)}.`, best !== undefined && share(fact, best) > 0.3)
  },
}

function isWhole(fact: Fact, passage: Passage): boolean {
  return fact.cues.parts.every((part) => partScore(part, passage) >= FOUND)
}

function isTurned(fact: Fact, passage: Passage): boolean {
  const number = numberState(wantedQuantities(fact), passage.text)
  const polarity = isNegated(passage.text) !== (fact.cues.negated === true || isNegated(fact.text))
  return (
    isDamagedCopy(fact, passage) ||
    ofRelative(fact, passage) ||
    (passage.span === 1 && polarity) ||
    (number !== 'none' && number !== 'equal')
  )
}

function share(fact: Fact, passage: Passage): number {
  const scores = fact.cues.parts.map((part) => partScore(part, passage))
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** Who it is about may be named anywhere in the memory; the rest must be in the passage. */
function partScore({ role, forms }: Fact['cues']['parts'][number], passage: Passage): number {
  if (role === 'who') return names(passage.context, forms) === undefined ? 0 : 1
  return Math.max(...forms.map((form) => coverage(form, passage.text).exact))
}
