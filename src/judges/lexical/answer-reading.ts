import { fold, sentences } from '../../base/text.js'
import { coverage } from '../../language/match.js'
import { compareQuantities, quantities } from '../../language/quantities.js'
import type { AnswerCase, AnswerVerdict, Entailment, Gold } from '../../model/index.js'
import { besidesIn, gradeAnswer, isExpected, isOverfull, saysBoth, saysNothingIsKnown } from './answer.js'
import { decide, readAnswerDecision } from './decision.js'

/** How answers may be stated that a reader words freely: by these the entailment model is asked. */
const READ: ReadonlySet<Gold['kind']> = new Set(['free', 'list', 'date', 'yes-no', 'abstain'])

/** All that the decision on an answer in free words rests on. */
export interface AnswerClues {
  item: AnswerCase
  /** What words alone make of it. */
  ruled: AnswerVerdict
  /** What the entailment model makes of the expected answer beside the given one, and of the given one beside what was said. */
  logits: { held: ArrayLike<number>; borne: ArrayLike<number> }
}

/**
 * Grades answers. What words settle stays; the rest is read by the entailment model, in both directions: whether the answer holds what was
 * expected, and whether what was said bears the answer.
 */
export async function gradeAnswersRead(items: readonly AnswerCase[], entail: Entailment): Promise<AnswerVerdict[]> {
  const ruled = items.map(({ question, answer }) => gradeAnswer(question, answer))
  const open = items.flatMap((item, i) => (isOpen(item, ruled[i]!) ? [{ item, ruled: ruled[i]! }] : []))
  const clues = await answerClues(open, entail)
  const fitted = readAnswerDecision()
  const read = new Map(clues.map((clue) => [clue.item, decide(answerFeatures(clue), fitted)]))
  return items.map((item, i) => {
    const decided = read.get(item)
    if (!decided) return ruled[i]!
    if (isForeign(item))
      return {
        grade: 'wrong',
        uncertain: false,
        reason: 'It has nothing of what was said or asked, and denies nothing.',
      }
    const { label: grade, probability, uncertain } = decided
    const credit = 'credit' in ruled[i]! ? ruled[i]!.credit : undefined
    const reason = `Beside the expected answer it reads as ${grade}, with a probability of ${probability.toFixed(2)}.`
    return { grade, uncertain, reason, ...(credit && { credit }) }
  })
}

const DENIES = /\b(?:no|not|never|none|nobody|nothing|neither|nor|without|unknown|unclear|unsure)\b|n['’]t\b/

/** No word of the answer is in the gold, the facts or the question, and it says neither no nor that nothing is known. */
function isForeign({ question, answer, facts }: AnswerCase): boolean {
  const known = [question.text, question.gold.text, ...facts.map(({ text }) => text)].join(' ')
  return !DENIES.test(fold(answer)) && coverage(answer, known).core === 0 && question.gold.kind !== 'date'
}

function isOpen({ question, answer }: AnswerCase, ruled: AnswerVerdict): boolean {
  if (isExpected(question.gold, answer)) return false
  return READ.has(question.gold.kind) && answer.trim() !== '' && !isSettled(question.gold, answer, ruled)
}

/** A plain yes or no, both at once, the very day, all items of a list that may have others, or far more than these: words are enough. */
function isSettled(gold: Gold, answer: string, ruled: AnswerVerdict): boolean {
  if (saysBoth(answer) && (gold.kind === 'yes-no' || gold.kind === 'abstain')) return true
  if (gold.kind === 'list' && isOverfull(gold.items, besidesIn(gold.items, answer))) return true
  if (ruled.grade === 'error' || ruled.uncertain) return false
  return gold.kind === 'yes-no' || (gold.kind === 'date' && ruled.grade === 'right') || isOpenList(gold)
}

function isOpenList(gold: Gold): boolean {
  return gold.kind === 'list' && !gold.closed
}

/** Reads answers beside the expected ones, and beside the facts that they ought to rest on. */
export async function answerClues(
  open: readonly Omit<AnswerClues, 'logits'>[],
  entail: Entailment,
): Promise<AnswerClues[]> {
  const pairs = open.flatMap(({ item: { question, answer, facts } }) => [
    { fact: `${question.text} ${question.gold.text}`, memories: answer },
    {
      fact: `${question.text} ${answer}`,
      memories: [question.gold.text, ...facts.map(({ text }) => text)].join(' | '),
    },
  ])
  const logits = await entail.read(pairs)
  return open.map((clue, i) => ({ ...clue, logits: { held: logits[2 * i]!, borne: logits[2 * i + 1]! } }))
}

const HEADS = ['entailed', 'neutral', 'contradicted', 'correct', 'damaged', 'absent'] as const
const HEDGED =
  /\b(?:or|either|maybe|perhaps|possibly|might|may|could|not sure|unsure|unclear|i think|i believe|probably)\b/

/** Every number that is weighed, by name. */
export function answerFeatures({ item: { question, answer }, ruled, logits }: AnswerClues): Record<string, number> {
  const { gold } = question
  const [wanted, given] = [quantities(gold.text), quantities(answer)]
  const agrees = wanted.map((one) =>
    given.some((other) => ['equal', 'unbound'].includes(compareQuantities(one, other) ?? '')),
  )
  const refuses = sentences(answer).some((line) => saysNothingIsKnown(line))
  const named = (of: string, by: ArrayLike<number>, scale = 1) =>
    Object.fromEntries(HEADS.map((name, i) => [`${of}: ${name}`, scale * by[i]!]))
  const sureness = ruled.grade === 'error' ? 0 : ruled.uncertain ? 1 : 2
  return {
    ...named('held', logits.held),
    ...named('borne', logits.borne),
    [`ruled ${ruled.grade}`]: sureness,
    [`${gold.kind}`]: 1,
    [`${gold.kind}: ruled ${ruled.grade}`]: sureness,
    ...(gold.kind === 'abstain' && named('abstain: held', logits.held)),
    words: coverage(gold.text, answer).core,
    'words borne': coverage(answer, gold.text).core,
    'numbers kept': Number(wanted.length > 0 && agrees.every(Boolean)),
    'numbers lost': Number(agrees.some((one) => !one)),
    hedged: Number(HEDGED.test(fold(answer))),
    refuses: Number(refuses),
    'abstain: refuses': Number(refuses && gold.kind === 'abstain'),
  }
}
