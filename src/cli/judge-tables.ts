import { inPercent } from '../base/percent.js'
import type { JudgeAgreement, JudgeEvaluation } from '../judges/eval.js'
import { type AnswersEvaluation, GRADES } from '../judges/eval-answers.js'
import type { CriteriaEvaluation } from '../judges/eval-criteria.js'
import type { LabelAgreement } from '../judges/label-agreement.js'

const HEAD = `${''.padEnd(30)}    n accuracy   kappa  certain accuracy\n`

/** What `judge eval` prints for labelled facts. */
export function factsTable(result: JudgeEvaluation): string {
  const labels = ['not_stored', 'summary_error', 'correct'] as const
  return [
    HEAD,
    row('all facts', result),
    row('facts their source states', result.supported),
    ...Object.entries(result.supported.byDataset).map(([name, part]) => row(`  ${name}`, part)),
    ...Object.entries(result.supported.byStyle).map(([name, part]) => row(`  ${name}`, part)),
    confusionTable('label \\ judged', labels, result.supported.confusion),
  ].join('')
}

/** What `judge eval` prints for labelled criteria. */
export function criteriaTable(result: CriteriaEvaluation): string {
  return [
    HEAD,
    row('criteria', result),
    ...Object.entries(result.byTask).map(([name, part]) => row(`  ${name}`, part)),
    ...Object.entries(result.byType).map(([name, part]) => row(`  ${name}`, part)),
    ...Object.entries(result.byVotes ?? {}).map(([name, part]) => row(`  ${name}`, part)),
    row('with borderline ones', result.withBorderline),
    doubts(result),
    confusionTable('label \\ judged', ['yes', 'no'] as const, result.confusion),
  ].join('')
}

/** What `judge eval` prints for labelled answers. */
export function answersTable(result: AnswersEvaluation): string {
  return [
    HEAD,
    row('answers', result),
    ...Object.entries(result.byTask).map(([name, part]) => row(`  ${name}`, part)),
    ...Object.entries(result.byKind).map(([name, part]) => row(`  ${name}`, part)),
    doubts(result),
    confusionTable('label \\ judged', GRADES, result.confusion),
  ].join('')
}

function doubts({ n, uncertain, unjudged }: Pick<LabelAgreement<string>, 'n' | 'uncertain' | 'unjudged'>): string {
  const share = n === 0 ? '–' : `${((100 * uncertain) / n).toFixed(1)} %`
  return `\nuncertain ${share}${unjudged > 0 ? `, ${unjudged} without a verdict` : ''}\n`
}

function row(
  name: string,
  { n, accuracy, kappa, certain }: Pick<JudgeAgreement, 'n' | 'accuracy' | 'kappa' | 'certain'>,
): string {
  const percent = (value: number | null) => (value === null ? '–' : inPercent(value, 1)).padStart(8)
  const shown = (kappa === null ? '–' : kappa.toFixed(3)).padStart(7)
  return `${name.padEnd(30)}${String(n).padStart(5)} ${percent(accuracy)} ${shown} ${String(certain.n).padStart(8)} ${percent(certain.accuracy)}\n`
}

/** Who said what how often: rows are the first, columns the second. */
export function confusionTable<L extends string>(
  head: string,
  labels: readonly L[],
  confusion: Record<L, Record<L, number>>,
): string {
  return [
    `\n${head.padEnd(16)}${labels.map((label) => label.padStart(15)).join('')}\n`,
    ...labels.map(
      (gold) => `${gold.padEnd(16)}${labels.map((given) => String(confusion[gold][given]).padStart(15)).join('')}\n`,
    ),
  ].join('')
}
