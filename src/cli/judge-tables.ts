import { inPercent } from '../base/figures.js'
import type { AnnotatorAgreement, KindAgreement } from '../judges/annotators.js'
import type { JudgeEvaluation } from '../judges/eval.js'
import { type AnswersEvaluation, GRADES } from '../judges/eval-answers.js'
import type { CriteriaEvaluation } from '../judges/eval-criteria.js'
import { type GoldKind, LABELS } from '../judges/gold.js'
import type { LabelAgreement, RightShare } from '../judges/label-agreement.js'
import type { DrawnCases, JudgeAgreement, JudgeBillResult } from '../library.js'
import { count, plural } from '../report/format.js'

const FACT_LABELS = ['not_stored', 'summary_error', 'correct'] as const
const HEAD = `${''.padEnd(30)}    n accuracy       95 %   kappa  certain accuracy\n`

/** What `judge eval` prints for labelled facts. */
export function factsTable({ supported, ...all }: JudgeEvaluation): string {
  return [
    HEAD,
    row('all facts', all),
    row('facts their source states', supported),
    row('  correct or not', { ...supported.binary, kappa: null, certain: null }),
    ...rows(row, supported.byDataset, supported.byKind, supported.byStyle, supported.byLabel),
    confusionTable('label \\ judged', FACT_LABELS, supported.confusion),
  ].join('')
}

/** What `judge eval` prints for labelled criteria. */
export function criteriaTable(result: CriteriaEvaluation): string {
  return [
    HEAD,
    row('criteria', result),
    ...rows(row, result.byTask, result.byType, result.byVotes ?? {}),
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
    ...rows(row, result.byTask, result.byKind),
    doubts(result),
    confusionTable('label \\ judged', GRADES, result.confusion),
  ].join('')
}

function doubts({ n, uncertain, unjudged }: Pick<LabelAgreement<string>, 'n' | 'uncertain' | 'unjudged'>): string {
  const share = n === 0 ? '–' : `${((100 * uncertain) / n).toFixed(1)} %`
  return `\nuncertain ${share}${unjudged > 0 ? `, ${unjudged} without a verdict` : ''}\n`
}

/** A row for every part, indented below the whole. */
function rows<T>(draw: (name: string, part: T) => string, ...parts: Record<string, T>[]): string[] {
  return parts.flatMap((own) => Object.entries(own).map(([name, part]) => draw(`  ${name}`, part)))
}

type Row = RightShare & { kappa: number | null; certain: (RightShare & { share: number | null }) | null }

function row(name: string, { n, accuracy, ci95, kappa, certain }: Row): string {
  const percent = (value: number | null) => (value === null ? '–' : inPercent(value, 1)).padStart(8)
  const span = ci95 === null ? '–' : ci95.map((end) => (100 * end).toFixed(1)).join('–')
  const shown = (kappa === null ? '–' : kappa.toFixed(3)).padStart(7)
  const share = !certain || certain.share === null ? '–' : inPercent(certain.share, 0)
  const first = `${name.padEnd(30)}${String(n).padStart(5)} ${percent(accuracy)} ${span.padStart(10)}`
  return `${first} ${shown} ${share.padStart(8)} ${percent(certain?.accuracy ?? null)}\n`
}

/** Who said what how often: rows are the first, columns the second. */
function confusionTable<L extends string>(
  head: string,
  labels: readonly L[],
  confusion: Record<L, Record<L, number>>,
): string {
  const line = (name: string, cells: (string | number)[]) =>
    `${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(15)).join('')}\n`
  const lines = labels.map((gold) =>
    line(
      gold,
      labels.map((given) => confusion[gold][given]),
    ),
  )
  return `\n${line(head, [...labels])}${lines.join('')}`
}

/** What `judge agree` prints. */
export function agreementTables(found: JudgeAgreement): string {
  return (['facts', 'answers', 'criteria'] as const)
    .flatMap((kind) => (found[kind] ? kindTable(kind, found[kind]) : []))
    .join('')
}

function kindTable(kind: GoldKind, result: KindAgreement): string {
  const { only, unlabelled, byTask, byKind } = result
  const open = [
    only.first > 0 ? `${plural(only.first, 'item')} labelled by the first alone` : '',
    only.second > 0 ? `${plural(only.second, 'item')} labelled by the second alone` : '',
    unlabelled > 0 ? `${plural(unlabelled, 'item')} by neither` : '',
  ].filter(Boolean)
  return [
    `${''.padEnd(30)}    n    agree      95 %       kappa      95 %\n`,
    pairRow(kind, result),
    ...rows(pairRow, byTask, byKind),
    open.length > 0 ? `\nNot compared: ${open.join(', ')}.\n` : '',
    confusionTable('first \\ second', LABELS[kind], result.confusion),
    '\n',
  ].join('')
}

function pairRow(name: string, { n, agreement, ci95, kappa, kappaCi95 }: AnnotatorAgreement): string {
  const percent = agreement === null ? '–' : inPercent(agreement, 1)
  const span = ci95 === null ? '–' : ci95.map((end) => (100 * end).toFixed(1)).join('–')
  const shown = kappa === null ? '–' : kappa.toFixed(3)
  const bounds = kappaCi95 === null ? '–' : kappaCi95.map((end) => end.toFixed(2)).join(' to ')
  return `${name.padEnd(30)}${String(n).padStart(5)} ${percent.padStart(8)} ${span.padStart(11)} ${shown.padStart(9)} ${bounds.padStart(13)}\n`
}

/** What `judge bill` prints. */
export function billTable({ rows, k }: JudgeBillResult): string {
  return [
    `Judging one memory that keeps everything as said, at k = ${k}, all stages passing; prompt tokens (o200k, 11 more a call, answers of 150).\n\n`,
    `${'judge'.padEnd(8)}${'task'.padEnd(27)}${'calls'.padStart(7)}${'tokens'.padStart(13)}${'of it stages'.padStart(13)}${'answers'.padStart(13)}\n`,
    ...rows.map(({ protocol, task, bill: { total, stages, answers } }) => {
      const tokens = [total, stages, answers].map(({ promptTokens }) => count(promptTokens).padStart(13)).join('')
      return `${protocol.padEnd(8)}${task.padEnd(27)}${count(total.calls).padStart(7)}${tokens}\n`
    }),
    '\nStages are paid once for each store by llm and hybrid, and again for every k by paper. A further k costs only the answers.\n',
  ].join('')
}

/** What people are asked to do, by what they label. */
const TASK_OF: Record<GoldKind, string> = {
  facts: `Read every fact beside its memories and write its "label":
  "correct"        a careful reader recovers the fact exactly from these memories
  "summary_error"  a version is there, but damaged: a condition, number, name or direction is lost or changed
  "not_stored"     no version of it is there
and, if you like, in "support" the places (from 0) of the memories that carry it.`,
  answers: `Read every answer beside its question and what was expected ("gold") and write its "label":
  "right"  it says what was expected, and nothing that contradicts it
  "wrong"  anything else`,
  criteria: `Read every answer beside the question of its criterion and write the criterion's "label":
  "yes"  the answer does what the question asks about
  "no"   it does not
whatever is "expected": that is what a good answer gets. "others" are not to be labelled.`,
}

/** What `judge sample` says to those who are to label. @param n how many cases were asked for */
export function sampleWords({ kind, out, drawn, all, strata }: DrawnCases, n: number): string {
  const fewer = drawn < n ? ` There were no more than ${plural(all, 'distinct verdict')}.` : ''
  const drawnFrom = `${plural(strata, 'kind')} of verdict on ${kind} out of ${plural(all, 'verdict')}`
  return `${plural(drawn, 'case')} in ${out}, drawn alike from ${drawnFrom}; the file does not say which is which.${fewer}

${TASK_OF[kind]} Do not look at the report while you do.
Two people who label alone and compare afterwards are better than one: memscope judge agree a.jsonl b.jsonl. Rare kinds are
drawn as often as common ones, so the agreement that follows is that of kinds, not of the run as a whole.

Then: memscope judge eval --gold ${out} --judge <name>

`
}
