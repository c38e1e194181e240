import type { Plan } from '../engine/plan.js'
import { placeKey, type Question, type ScoredQuestion, type Suite, scoreName } from '../model/index.js'
import type { PlannedCell } from '../report/index.js'

/** Scores that the harness gives to every cell. */
const COMMON = ['ceiling', 'success']

/** The cells that a plan will have, guessers included, so that gates can be matched before anything is run. */
export function plannedCells({ lives }: Plan): PlannedCell[] {
  const cells = new Map<string, PlannedCell>()
  const asked = new Map<string, { suite: Suite; task: string; questions: Question[] }>()
  for (const { suite, asks } of lives) {
    for (const { question } of asks) {
      const key = `${suite.name}/${question.task}`
      const known = asked.get(key) ?? { suite, task: question.task, questions: [] }
      known.questions.push(question)
      asked.set(key, known)
    }
  }
  const scores = new Map([...asked].map(([key, { suite, questions }]) => [key, scoresOf(suite, questions)]))
  for (const { suite, key, readers, asks } of lives) {
    for (const { question, depths } of asks) {
      for (const depth of depths) {
        const place = { suite: suite.name, task: question.task, subject: key.subject, depth }
        if (cells.has(placeKey(place))) continue
        const own = scores.get(`${suite.name}/${question.task}`)!
        cells.set(placeKey(place), { ...place, answered: readers.length > 0, scores: own })
      }
    }
  }
  const guessed = [...asked.values()].flatMap(({ suite, task }) =>
    suite.guessers.map(
      ({ name }): PlannedCell => ({
        suite: suite.name,
        task,
        subject: { guesser: name },
        depth: 'all',
        answered: true,
        scores: [],
      }),
    ),
  )
  return [...cells.values(), ...guessed]
}

/** Names of the scores a suite gives to a task: those it makes of its questions while nothing of them is known. */
function scoresOf(suite: Suite, questions: readonly Question[]): string[] {
  const results = questions.map(
    (question): ScoredQuestion => ({
      question,
      scenario: '',
      outcome: null,
      evidence: null,
      answer: null,
      verdict: null,
      facts: [],
      outdated: [],
      side: {},
      pair: null,
    }),
  )
  const names = [true, false].flatMap((reader) => (suite.score?.(results, { reader }) ?? []).map(scoreName))
  return [...new Set([...COMMON, ...names])]
}
