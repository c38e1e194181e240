import type { AnswerVerdict, Criterion, CriterionAsk, CriterionVerdict, Gold } from '../../../model/index.js'
import { gradeOfCriteria } from '../../criteria.js'
import { readAnswer } from './answer-lines.js'
import { asksOf, sideOf } from './asks.js'
import type { CriterionFinding } from './finding.js'
import { readCount, readNumbers, readSide } from './numbers/figures.js'
import { isPeriod, readPeriod } from './numbers/periods.js'
import { readTaste } from './taste/taste.js'
import { Leftover } from './telling/leftover.js'
import { readTelling } from './telling/telling.js'

export { asksOf } from './asks.js'

/**
 * Grades an answer criterion by criterion. Right when all are met; the suite makes its score of the single verdicts.
 */
export function gradeCriteria({ criteria }: Extract<Gold, { kind: 'criteria' }>, answer: string): AnswerVerdict {
  const leftover = new Leftover(criteria)
  return gradeOfCriteria(
    criteria,
    criteria.map((criterion) => readCriterion(criterion, answer, leftover)),
  )
}

/**
 * What a criterion asks, answered by the words of the answer: items by their names or what stands for them, polarity, numbers with the
 * rounding that is said, sides of a goal, periods, and longer values by their gist. Certain where names and numbers decide; where only
 * likeness or knowledge of the world could tell, the likelier is answered and called uncertain.
 *
 * @param leftover what the other criteria of the question leave unexplained of the answer, where they are known
 */
export function readCriterion(criterion: Criterion, answer: string, leftover?: Leftover): CriterionVerdict {
  const { id, text } = criterion
  const { yes, sure, reason } = decide(criterion.asks ?? asksOf(text), criterion, answer, leftover)
  return { id, answer: yes ? 'yes' : 'no', uncertain: !sure, reason }
}

const COUNTED = /^(?:weeks|months|days|times)$/

const DAY = /\b\d{4}-\d\d-\d\d\b/

function decide(asks: CriterionAsk, criterion: Criterion, answer: string, leftover?: Leftover): CriterionFinding {
  const { type, asks: given } = criterion
  const text = readAnswer(answer)
  const [first] = asks.numbers ?? []
  if (first?.unit !== undefined && COUNTED.test(first.unit)) return readCount(first, text)
  if (first) return readNumbers(asks, text)
  const side = asks.status && sideOf(asks.status)
  if (side) return readSide(side, text)
  if (asks.act !== 'mention') return readTaste(asks, text)
  if (isPeriod(asks.forms)) return readPeriod(asks.forms, text)
  return readTelling(asks, text, {
    forgetting: type === 'forgetting',
    literal: given === undefined,
    day: given ? undefined : DAY.exec(criterion.text)?.[0],
    ...(leftover && { leftover }),
  })
}
