import type { AnswerCase, AnswerVerdict, Criterion, CriterionVerdict, Question } from '../model/index.js'
import type { AnswerGold, CriteriaCase } from './gold.js'
import { votePattern } from './panel/agreement.js'

type Unlabelled<T> = Omit<T, 'label'> & { label: '' }

/** An answer as `judge eval` reads it, but for the label. */
export type BlindAnswer = Unlabelled<AnswerGold>

/** An answer with one criterion to label; the others are there because judges look at all of them together. */
export type BlindCriterion = Omit<CriteriaCase, 'criteria'> & {
  criteria: Unlabelled<CriteriaCase['criteria'][number]>[]
}

/** What tells kinds of grades apart; null when there is none. */
export function answerStratum(verdict: AnswerVerdict): string | null {
  if (verdict.grade === 'error') return null
  const { grade, uncertain, stale, votes } = verdict
  const said = votes ? [votePattern(votes.map((vote) => vote.grade))] : []
  return [grade, certainty(uncertain), ...(stale ? ['stale'] : []), ...said].join(' · ')
}

/** What tells verdicts on criteria apart: of a panel how many said what, else the verdict itself; null when there is none. */
export function criterionStratum({ answer, uncertain, votes }: CriterionVerdict): string | null {
  if (votes) return votePattern(votes.map((vote) => vote.answer))
  return answer && `${answer} · ${certainty(uncertain)}`
}

/** Makes a case of an answer, with all that a judge is given; no word of the grade. Null for criteria, which are cases of their own. */
export function blindAnswer(id: string, { question, answer, facts, time }: AnswerCase): BlindAnswer | null {
  const { task, text, choices, gold, outdated, tempting = [] } = question
  if (gold.kind === 'criteria') return null
  return {
    id,
    task,
    ...(time !== undefined && { date: time }),
    question: text,
    ...(choices && { choices }),
    answer,
    label: '',
    gold,
    facts: facts.map((fact) => {
      const { damaged: _, ...cues } = fact.cues
      const role = outdated.includes(fact.id) ? 'outdated' : tempting.includes(fact.id) ? 'tempting' : 'needed'
      return {
        id: fact.id,
        role,
        text: fact.text,
        cues,
        ...(fact.evidence && { evidence: fact.evidence }),
        ...(fact.spread !== undefined && { spread: fact.spread }),
        ...(fact.unsupported !== undefined && { unsupported: fact.unsupported }),
      }
    }),
  }
}

/** Makes a case of one criterion of an answer; no word of the verdict. */
export function blindCriterion(
  id: string,
  { task, text, date }: Pick<Question, 'task' | 'text'> & { date?: string },
  answer: string,
  criteria: readonly Criterion[],
  at: number,
): BlindCriterion {
  const asked = ({ id: key, text: question, expected, type, asks }: Criterion) => ({
    id: key,
    question,
    expected,
    type: type === 'presence' ? ('memory_presence' as const) : ('forgetting_absence' as const),
    ...(asks && { asks }),
  })
  const others = criteria.filter((_, i) => i !== at)
  return {
    id,
    task,
    ...(date !== undefined && { date }),
    question: text,
    answer,
    criteria: [{ ...asked(criteria[at]!), label: '' }],
    ...(others.length > 0 && { others: others.map(asked) }),
  }
}

function certainty(uncertain: boolean): string {
  return uncertain ? 'uncertain' : 'certain'
}
