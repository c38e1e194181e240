import type { AnswerVerdict, Criterion, CriterionAsk, CriterionVerdict, Gold } from '../../../model/index.js'
import { gradeOfCriteria } from '../../criteria.js'
import { decide as decideBy, readCriterionDecision } from '../decision.js'
import type { ReadingModel } from '../reading.js'
import { readAnswer } from './answer-lines.js'
import { asksOf, isPublishedPhrasing, sideOf } from './asks.js'
import type { CriterionFinding } from './finding.js'
import { readCount, readNumbers, readSide } from './numbers/figures.js'
import { isPeriod, readPeriod } from './numbers/periods.js'
import { type CriterionClues, criterionClues, criterionFeatures } from './reading.js'
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

/** From this probability on the model is believed against rules that are not sure. */
const OVERRULES = 0.8

/** The same, where the entailment model reads criteria that rules are not sure of, and those in free words, of which nothing says what they ask for. */
export async function gradeCriteriaRead(
  gold: Extract<Gold, { kind: 'criteria' }>,
  answer: string,
  model: ReadingModel,
): Promise<AnswerVerdict> {
  const ruled = ruledCriteria(gold.criteria, answer)
  const open = gold.criteria.filter((criterion) => ruled.get(criterion)?.uncertain !== false)
  const fitted = readCriterionDecision()
  const read = new Map(
    (answer.trim() === '' ? [] : await criterionClues(open, answer, model)).map((clues) => [
      clues.criterion,
      decideBy(criterionFeatures({ ...clues, ...ruledAs(ruled.get(clues.criterion)) }), fitted),
    ]),
  )
  const verdicts = gold.criteria.map((criterion): CriterionVerdict => {
    const decided = read.get(criterion)
    const word = ruled.get(criterion)
    if (!decided) return word ?? readCriterion(criterion, answer)
    if (word && word.answer !== decided.label && decided.probability < OVERRULES) return word
    const reason = `What comes nearest in it says ${decided.label}, with a probability of ${decided.probability.toFixed(2)}.`
    return { id: criterion.id, answer: decided.label, uncertain: decided.uncertain, reason }
  })
  return gradeOfCriteria(gold.criteria, verdicts)
}

/** What rules make of those criteria that say what they ask for. */
export function ruledCriteria(criteria: readonly Criterion[], answer: string): Map<Criterion, CriterionVerdict> {
  const leftover = new Leftover(criteria)
  const told = criteria.filter(({ asks, text }) => asks !== undefined || isPublishedPhrasing(text))
  return new Map(told.map((criterion) => [criterion, readCriterion(criterion, answer, leftover)]))
}

/** The word of rules as a clue. */
export function ruledAs(verdict: CriterionVerdict | undefined): Pick<CriterionClues, 'ruled'> {
  return verdict?.answer ? { ruled: verdict.answer } : {}
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

/** What a criterion calls something that is to be done, or to come. */
const PENDING = /\b(?:to be done|to-?do|tasks?|events?|ahead|upcoming)\b/i

const DAY = /\b\d{4}-\d\d-\d\d\b/

function decide(asks: CriterionAsk, criterion: Criterion, answer: string, leftover?: Leftover): CriterionFinding {
  const { type, asks: given } = criterion
  const text = readAnswer(answer)
  const [first] = asks.numbers ?? []
  if (first?.unit !== undefined && COUNTED.test(first.unit)) return readCount(first, text, criterion.text)
  if (first) return readNumbers(asks, text, criterion.text)
  const side = asks.status && sideOf(asks.status)
  if (side) return readSide(side, text)
  if (asks.act !== 'mention') return readTaste(asks, text)
  if (isPeriod(asks.forms)) return readPeriod(asks.forms, text)
  return readTelling(asks, text, {
    forgetting: type === 'forgetting',
    literal: given === undefined,
    pending: given ? PENDING.test(criterion.text) : asks.status?.forms.length === 0,
    day: given ? undefined : DAY.exec(criterion.text)?.[0],
    ...(leftover && { leftover }),
  })
}
