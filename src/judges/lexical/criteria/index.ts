import { MONTHS } from '../../../base/calendar.js'
import type { AnswerVerdict, Criterion, CriterionAsk, CriterionVerdict, Gold } from '../../../model/index.js'
import { gradeOfCriteria } from '../../criteria.js'
import { decide, readCriterionDecisions } from '../decision.js'
import type { ReadingModel } from '../reading.js'
import { readAnswer } from './answer-lines.js'
import { asksOf, isPublishedPhrasing, sideOf } from './asks.js'
import type { CriterionFinding, RuledFinding } from './finding.js'
import { judgeNumberCriterion, judgeSideCriterion } from './numbers/figures.js'
import { criterionClues, criterionFeatures } from './reading.js'
import { judgeTasteCriterion } from './taste/taste.js'
import { Leftover } from './telling/leftover.js'
import { judgeValueCriterion } from './telling/telling.js'

export { asksOf } from './asks.js'

/**
 * Grades an answer criterion by criterion. Right when all are met; the suite makes its score of the single verdicts.
 */
export function gradeCriteria({ criteria }: Extract<Gold, { kind: 'criteria' }>, answer: string): AnswerVerdict {
  const leftover = new Leftover(criteria)
  return gradeOfCriteria(
    criteria,
    criteria.map((criterion) => judgeCriterion(criterion, answer, leftover)),
  )
}

/** From this probability on the model is believed against rules. */
const OVERRULES = 0.7
/** Rules are sure of these too easily, by answers of writers they were not developed on: one word for another turns what is told round. */
const READ_ANYWAY: ReadonlySet<RuledFinding['kind']> = new Set(['telling'])

/** Whether what rules found stands, so that nothing need be read. */
export function isSettled({ sure, kind }: RuledFinding): boolean {
  return sure && !READ_ANYWAY.has(kind)
}

/** The same, where the entailment model reads what rules do not settle, and criteria in free words, of which nothing says what they ask for. */
export async function gradeCriteriaRead(
  gold: Extract<Gold, { kind: 'criteria' }>,
  answer: string,
  model: ReadingModel,
): Promise<AnswerVerdict> {
  if (answer.trim() === '') return gradeCriteria(gold, answer)
  const { asked, free } = readCriterionDecisions()
  const findings = findingsOf(gold.criteria, answer)
  const open = gold.criteria.filter((criterion) => {
    const finding = findings.get(criterion)
    return finding === undefined || !isSettled(finding)
  })
  const clues = new Map((await criterionClues(open, answer, model)).map((one) => [one.criterion, one]))
  const verdicts = gold.criteria.map((criterion): CriterionVerdict => {
    const finding = findings.get(criterion)
    const read = clues.get(criterion)
    if (!read) return verdictOf(criterion, finding!)
    const { label, probability, uncertain } = decide(criterionFeatures({ ...read, finding }), finding ? asked : free)
    const agrees = finding === undefined || finding.yes === (label === 'yes')
    if (finding && (agrees || probability < OVERRULES))
      return { ...verdictOf(criterion, finding), uncertain: !agrees || uncertain }
    const reason = `What comes nearest in it says ${label}, with a probability of ${probability.toFixed(2)}.`
    return { id: criterion.id, answer: label, uncertain, reason }
  })
  return gradeOfCriteria(gold.criteria, verdicts)
}

/** What rules find of those criteria that say what they ask for, but for counts of weeks and the week that stands out: the model reads these alone. */
export function findingsOf(criteria: readonly Criterion[], answer: string): Map<Criterion, RuledFinding> {
  const leftover = new Leftover(criteria)
  const told = criteria.filter(
    ({ asks, text }) => (asks !== undefined || isPublishedPhrasing(text)) && !isOfPeriods(asks ?? asksOf(text)),
  )
  return new Map(told.map((criterion) => [criterion, findCriterion(criterion, answer, leftover)]))
}

/**
 * What a criterion asks, answered by the words of the answer: items by their names or what stands for them, polarity, numbers with the
 * rounding that is said, sides of a goal, and longer values by their gist. Certain where names and numbers decide; where only
 * likeness or knowledge of the world could tell, the likelier is answered and called uncertain.
 *
 * @param leftover what the other criteria of the question leave unexplained of the answer, where they are known
 */
export function judgeCriterion(criterion: Criterion, answer: string, leftover?: Leftover): CriterionVerdict {
  return verdictOf(criterion, findCriterion(criterion, answer, leftover))
}

function verdictOf({ id }: Criterion, { yes, sure, reason }: CriterionFinding): CriterionVerdict {
  return { id, answer: yes ? 'yes' : 'no', uncertain: !sure, reason }
}

const COUNTED = /^(?:weeks|months|days|times)$/

/** Whether it asks in how many weeks or months something was so, or in which. */
function isOfPeriods({ forms, numbers: [first] = [] }: CriterionAsk): boolean {
  if (first) return first.unit !== undefined && COUNTED.test(first.unit)
  return forms.some((form) => /^(?:week|month) \d+$/i.test(form) || MONTHS.includes(form))
}

/** What a criterion calls something that is to be done, or to come. */
const PENDING = /\b(?:to be done|to-?do|tasks?|events?|ahead|upcoming)\b/i

const DAY = /\b\d{4}-\d\d-\d\d\b/

function findCriterion(criterion: Criterion, answer: string, leftover?: Leftover): RuledFinding {
  const { type, text: question, asks: given } = criterion
  const asks = given ?? asksOf(question)
  const text = readAnswer(answer)
  if (isOfPeriods(asks)) {
    const { yes, reason } = asks.numbers?.[0]
      ? judgeNumberCriterion(asks, text)
      : judgeValueCriterion(asks, text, { forgetting: false, literal: true, pending: false })
    return { kind: 'telling', yes, sure: false, reason }
  }
  if (asks.numbers?.[0]) return { kind: 'number', ...judgeNumberCriterion(asks, text) }
  const side = asks.status && sideOf(asks.status)
  if (side) return { kind: 'side', ...judgeSideCriterion(side, text) }
  if (asks.act !== 'mention') return { kind: asks.act, ...judgeTasteCriterion(asks, text) }
  const pending = given ? PENDING.test(question) : asks.status?.forms.length === 0
  const found = judgeValueCriterion(asks, text, {
    forgetting: type === 'forgetting',
    literal: given === undefined,
    pending,
    day: given ? undefined : DAY.exec(question)?.[0],
    ...(leftover && { leftover }),
  })
  return { kind: pending ? 'pending' : 'telling', ...found }
}
