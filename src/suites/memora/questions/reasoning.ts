import type { Life, QuestionCandidate } from './asking.js'
import { goals } from './goals.js'
import { LifeLedger } from './ledger.js'
import { fullWeeks } from './periods.js'
import { sums } from './sums.js'

/** Questions for which many entries have to be put together. What they ask for is worked out twice, by ways that share nothing. */
export function reasoning(life: Life): QuestionCandidate[] {
  const context = { life, ledger: new LifeLedger(life.trace), weeks: fullWeeks(life.trace) }
  return [...sums(context), ...goals(context)].flatMap((candidate) => candidate ?? [])
}
