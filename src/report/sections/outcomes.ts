import { entryOf, groupBy } from '../../base/group-by.js'
import { type Depth, depthKey, depthWords, OUTCOMES, type SuiteSection, type SuiteStack } from '../../model/index.js'
import { count, percent } from '../format.js'
import { rateCell } from '../part-tables.js'
import { outcomeCounts, type Point, stageRates, type TaskView } from '../task-view.js'

/** What became of questions at every depth, all tasks of a suite together, and how far facts came, task by task. */
export function outcomeSections(tasks: readonly TaskView[]): SuiteSection[] {
  if (tasks.length === 0) return []
  const suites = [...groupBy(tasks, ({ suite }) => suite)]
  return [
    {
      id: 'outcomes',
      title: 'Outcomes by depth',
      intro:
        'Per cent of all questions of a suite. More depth can mend what was not retrieved, and may bring outdated ' +
        'memory along; what was not stored stays lost at any depth.',
      parts: suites.map(([suite, own]) => stackOf(suite, own)),
    },
    {
      id: 'stages',
      title: 'Where facts die',
      intro:
        'Needed facts instead of questions, at the depth of the matrix: all needed facts of a task taken together, so a question that needs many weighs more.',
      parts: suites.map(([suite, own]) => ({
        kind: 'fold',
        title: `${suite}: facts through the stages`,
        parts: [
          {
            kind: 'table',
            title: `${suite}: per cent of all needed facts`,
            names: 2,
            columns: ['task', 'system', 'facts', 'stored', 'faithful', 'retrieved', 'evidence', 'answer', 'uncertain'],
            rows: own.flatMap(({ name, rows }) =>
              rows.map(({ label, shown: { facts, evidence, answer } }) => {
                const rates = stageRates(facts)
                const stages = [rates?.stored, rates?.faithful, rates?.retrieved].map(percent)
                return [
                  name,
                  label,
                  count(facts.n),
                  ...stages,
                  rateCell(evidence),
                  rateCell(answer),
                  count(facts.uncertain),
                ]
              }),
            ),
          },
        ],
      })),
    },
  ]
}

function stackOf(suite: string, tasks: readonly TaskView[]): SuiteStack {
  const bars = new Map<string, { name: string; depth: Depth; points: Point[] }>()
  for (const { rows } of tasks)
    for (const { label, points, budgets } of rows)
      for (const point of points.length > 0 ? points : budgets) {
        const bar = { name: label, depth: point.depth, points: [] }
        entryOf(bars, `${label}\n${depthKey(point.depth)}`, () => bar).points.push(point)
      }
  const sorted = [...groupBy([...bars.values()], ({ name }) => name).values()].flat()
  return {
    kind: 'stack',
    title: suite,
    bars: sorted.map(({ name, depth, points }) => {
      const outcomes = Object.fromEntries(
        OUTCOMES.map((outcome) => [outcome, points.reduce((sum, one) => sum + (one.outcomes[outcome] ?? 0), 0)]),
      )
      return { name, beside: depth === 'all' ? '' : depthWords(depth), parts: outcomeCounts({ outcomes }) }
    }),
  }
}
