import type { SuiteDots, SuiteSection } from '../../model/index.js'
import { shortNames, wordList } from '../format.js'
import type { ReportData } from '../report-data.js'
import { type SweepPanel, sweepPanels } from '../sweep.js'
import { sweepOf, type TaskView } from '../task-view.js'

/** Several models or readers over the same questions. Nothing when there is one of each. */
export function sweepSections(data: ReportData, tasks: readonly TaskView[]): SuiteSection[] {
  const { models, readers } = sweepOf(data.summary.cells)
  const panels = sweepPanels(tasks, { models, readers })
  if (panels.length === 0) return []
  const what = [
    models.length > 0 && `${models.length} models inside systems`,
    readers.length > 0 && `${readers.length} readers`,
  ]
  return [
    {
      id: 'sweep',
      title: models.length > 0 ? 'Models compared' : 'Readers compared',
      intro: `${wordList(what.filter((one) => one !== false))}, over the same questions at each task’s default depth, with 95 % \
intervals. Evidence depends on the memory alone; answers also on the reader.`,
      parts: panels.map((panel) => dotsOf(panel, new Map([...shortNames(readers), ...shortNames(models)]))),
    },
  ]
}

function dotsOf({ title, measure, variants }: SweepPanel, short: ReadonlyMap<string, string>): SuiteDots {
  const tasks = [...new Set(variants.flatMap(({ points }) => points.map(({ task }) => task)))]
  const answers = tasks.map(({ answerName }) => (answerName === 'answer' ? 'answer accuracy' : answerName))
  const words = measure === 'evidence' ? 'evidence' : [...new Set(answers)].join(' or ')
  return {
    kind: 'dots',
    title: `${title}: ${words}`,
    unit: 'share',
    groups: tasks.map((task) => ({
      name: task.id,
      dots: variants.flatMap(({ name, points }) => {
        const rate = points.find((point) => point.task === task)?.point[measure]
        return rate ? [{ name: short.get(name) ?? name, value: rate.rate, spread: rate.ci95 }] : []
      }),
    })),
  }
}
