import type { AnswerVerdict, Question } from '../../model/index.js'
export function gradeAnswer(_question: Question, _answer: string): AnswerVerdict {
  return { grade: 'error', reason: 'not yet' }
}
