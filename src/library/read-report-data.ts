import { type ComparableRun, ComparedLives } from '../analysis/comparable.js'
import { findLead } from '../analysis/lead.js'
import type { LifeResults } from '../analysis/results.js'
import { type Analysis, analyseRun } from '../analysis/summarize.js'
import { mapJudgePair, subjectKey } from '../model/index.js'
import { assembleReport } from '../report/assemble.js'
import { PRICES } from '../report/cost-lines.js'
import type { Traces } from '../report/question-traces.js'
import type { ReportData } from '../report/report-data.js'
import { choicesOf } from './choices.js'
import { resultKeys } from './compose.js'
import { type KeptRun, keptRequest } from './kept-run.js'
import { partsTold } from './settings/parts.js'

/**
 * Adds a run up, in one pass over its lives, for everything that shows it.
 *
 * @param traces what is shown of failed questions, filled on the way
 * @param also sees every life
 */
export async function reportData(
  { record, workshop, store }: Pick<KeptRun, 'record' | 'workshop' | 'store'>,
  traces: Traces | null,
  also: (life: LifeResults) => void | Promise<void> = () => {},
): Promise<{ data: ReportData; analysis: Analysis; comparable: ComparableRun }> {
  const { plan, judge, embed } = workshop
  const names = mapJudgePair(judge, ({ name }) => name)
  const compared = new ComparedLives()
  const analysis = await analyseRun(record, plan, names, resultKeys(workshop), store, async (life) => {
    compared.add(life)
    await traces?.add(life)
    await also(life)
  })
  const { prices } = keptRequest(record.request)
  const choices = [
    ...choicesOf(plan, workshop.prompts),
    ...workshop.leftOut.map(({ suite, words }) => ({ label: `left out of ${suite}`, value: words })),
    { label: PRICES, value: prices },
  ]
  const { summary } = analysis
  const remarked = plan.subjects.filter(({ definition: { remarks = [] } }) => remarks.length > 0)
  const remarks = new Map(remarked.map((subject) => [subjectKey(subject), subject.definition.remarks!]))
  for (const cell of summary.cells) {
    const own = remarks.get(subjectKey(cell.subject))
    if (own) cell.remarks = own
  }
  summary.run.settings = Object.fromEntries(choices.map(({ label, value }) => [label, value]))
  const data = assembleReport({
    plan,
    analysis,
    ...(traces && { traces: traces.list }),
    settings: [
      { label: 'run', value: record.id },
      ...choices,
      ...partsTold(plan.settingParts),
      { label: 'exact embedder', value: embed.id },
      ...Object.entries(plan.subjectPrints).map(([label, value]) => ({ label: `fingerprint of ${label}`, value })),
      { label: 'fingerprint of the setting', value: plan.setting },
    ],
  })
  const comparable = compared.run(summary, plan.settingParts)
  const rivals = comparable.contestants.filter(({ system }) => !data.yardsticks?.includes(system))
  const lead = findLead(comparable, (one) => rivals.length === 0 || rivals.includes(one))
  return { data: { ...data, ...(lead && { lead }) }, analysis, comparable }
}
