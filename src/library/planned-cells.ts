import { entryOf, groupBy } from '../base/group-by.js'
import type { Plan, PlannedLife } from '../engine/plan.js'
import { placeKey, type ScoredQuestion, type Suite, scoreName } from '../model/index.js'
import type { PlannedCell } from '../report/index.js'

/** Scores that the harness gives to every cell. */
const COMMON = ['ceiling', 'success']

/** The cells that a plan will have, guessers included, so that gates can be matched before anything is run. */
export function plannedCells({ lives }: Plan): PlannedCell[] {
  const cells = new Map<string, PlannedCell>()
  const all = lives.flatMap((life) => life.asks.map((ask) => ({ ...life, ...ask })))
  const tasks = groupBy(all, ({ suite, question }) => `${suite.name}/${question.task}`)
  const scores = new Map([...tasks].map(([task, own]) => [task, scoresOf(own[0]!.suite, own)]))
  for (const { suite, key, readers, question, depths } of all)
    for (const depth of depths) {
      const place = { suite: suite.name, task: question.task, subject: key.subject, depth }
      const own = scores.get(`${suite.name}/${question.task}`)!
      entryOf(cells, placeKey(place), () => ({ ...place, answered: readers.length > 0, scores: own }))
    }
  const guessed = [...tasks.values()].flatMap(([first]) => {
    const { suite, question } = first!
    const place = { suite: suite.name, task: question.task, depth: 'all', answered: true, scores: [] } as const
    return suite.guessers.map(({ name }): PlannedCell => ({ ...place, subject: { guesser: name } }))
  })
  return [...cells.values(), ...guessed]
}

/** Names of the scores a suite gives to a task: those it makes of its questions while nothing of them is known. */
function scoresOf(suite: Suite, asks: readonly PlannedLife['asks'][number][]): string[] {
  const nothing = { scenario: '', outcome: null, evidence: null, answer: null, verdict: null, pair: null }
  const results = asks.map(({ question }): ScoredQuestion => {
    return { question, ...nothing, facts: [], outdated: [], side: {} }
  })
  const names = [true, false].flatMap((reader) => (suite.score?.(results, { reader }) ?? []).map(scoreName))
  return [...new Set([...COMMON, ...names])]
}
