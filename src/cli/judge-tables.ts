import type { Agreement, JudgeEvaluation } from '../judges/eval.js'
import type { CriteriaAgreement, CriteriaEvaluation } from '../judges/eval-criteria.js'

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
    confusionTable(labels, result.supported.confusion),
  ].join('')
}

/** What `judge eval` prints for labelled criteria. */
export function criteriaTable(result: CriteriaEvaluation): string {
  const { n, uncertain, unjudged } = result
  return [
    HEAD,
    row('criteria', result),
    ...Object.entries(result.byTask).map(([name, part]) => row(`  ${name}`, part)),
    ...Object.entries(result.byType).map(([name, part]) => row(`  ${name}`, part)),
    row('with borderline ones', result.withBorderline),
    `\nuncertain ${n === 0 ? '–' : `${((100 * uncertain) / n).toFixed(1)} %`}${unjudged > 0 ? `, ${unjudged} without a verdict` : ''}\n`,
    confusionTable(['yes', 'no'] as const, result.confusion),
  ].join('')
}

function row(name: string, { n, accuracy, kappa, certain }: Agreement | CriteriaAgreement): string {
  const percent = (value: number | null) => (value === null ? '–' : `${(100 * value).toFixed(1)} %`).padStart(8)
  const shown = (kappa === null ? '–' : kappa.toFixed(3)).padStart(7)
  return `${name.padEnd(30)}${String(n).padStart(5)} ${percent(accuracy)} ${shown} ${String(certain.n).padStart(8)} ${percent(certain.accuracy)}\n`
}

function confusionTable<L extends string>(labels: readonly L[], confusion: Record<L, Record<L, number>>): string {
  return [
    `\n${'label \\ judged'.padEnd(16)}${labels.map((label) => label.padStart(15)).join('')}\n`,
    ...labels.map(
      (gold) => `${gold.padEnd(16)}${labels.map((given) => String(confusion[gold][given]).padStart(15)).join('')}\n`,
    ),
  ].join('')
}
