import type { Fact, FactLabel, FactVerdict, Judge, Memory } from '../model/index.js'
import { factOf, type GoldCase, memoriesOf } from './gold.js'

export { type GoldCase, parseGold } from './gold.js'

const LABELS: readonly FactLabel[] = ['not_stored', 'summary_error', 'correct']

/** How a judge agrees with labels. `accuracy` and `kappa` are null when there is nothing to compare. */
export interface VerdictAgreement {
  n: number
  accuracy: number | null
  kappa: number | null
  /** How many verdicts the judge itself calls uncertain. */
  uncertain: number
  /** `confusion[gold][judge]`. */
  confusion: Record<FactLabel, Record<FactLabel, number>>
  /** The verdicts the judge is certain of. */
  certain: { n: number; accuracy: number | null }
}

export interface JudgeEvaluation extends VerdictAgreement {
  byDataset: Record<string, VerdictAgreement>
  byStyle: Record<string, VerdictAgreement>
  /** Only facts that the source states as precisely as the gold does. */
  supported: VerdictAgreement & {
    byDataset: Record<string, VerdictAgreement>
    byStyle: Record<string, VerdictAgreement>
  }
}

/** One labelled fact with the judge's word on it. */
export interface Comparison {
  dataset: string
  style: string
  supported: boolean
  fact: Fact
  gold: FactLabel
  verdict: FactVerdict
}

/**
 * Runs a judge over labelled cases. The store of a case is the union of the memories of all cases of its dataset and style, as in a
 * real run.
 *
 * @example (await evaluateJudge(judge, parseGold(text, file))).supported.accuracy
 */
export async function evaluateJudge(
  judge: Judge,
  cases: readonly GoldCase[],
  signal?: AbortSignal,
): Promise<JudgeEvaluation> {
  return summarizeAgreement(await compareWithGold(judge, cases, signal))
}

/** The verdicts beside the labels, in order of the cases. */
export async function compareWithGold(
  judge: Judge,
  cases: readonly GoldCase[],
  signal?: AbortSignal,
): Promise<Comparison[]> {
  const groups = new Map<string, GoldCase[]>()
  for (const one of cases) {
    const key = `${one.dataset}\n${one.style}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const found = new Map<string, Comparison>()
  for (const group of groups.values()) {
    const store: Memory[] = group.flatMap(memoriesOf)
    const labelled = group.flatMap((one) => one.facts.map((gold) => ({ one, gold, fact: factOf(one, gold) })))
    const verdicts = await judge.judgeFacts(
      labelled.map(({ fact }) => fact),
      store,
      signal,
    )
    labelled.forEach(({ one, gold, fact }, i) => {
      const { dataset, style } = one
      const comparison = {
        dataset,
        style,
        supported: gold.source_supports,
        fact,
        gold: gold.label,
        verdict: verdicts[i]!,
      }
      found.set(fact.id, comparison)
    })
  }
  return cases.flatMap((one) => one.facts.map((fact) => found.get(`${one.id}/${fact.id}`)!))
}

/** How often a judge agrees with the gold labels: overall, by dataset, by style, and the same for supported facts only. */
export function summarizeAgreement(comparisons: readonly Comparison[]): JudgeEvaluation {
  const broken = (list: readonly Comparison[]) => ({
    ...agreement(list),
    byDataset: breakdown(list, ({ dataset }) => dataset),
    byStyle: breakdown(list, ({ style }) => style),
  })
  return { ...broken(comparisons), supported: broken(comparisons.filter(({ supported }) => supported)) }
}

/** Accuracy, Cohen's kappa and confusion of a list of comparisons. */
export function agreement(list: readonly Comparison[]): VerdictAgreement {
  const row = (): Record<FactLabel, number> => ({ not_stored: 0, summary_error: 0, correct: 0 })
  const confusion = { not_stored: row(), summary_error: row(), correct: row() }
  for (const { gold, verdict } of list) confusion[gold][verdict.label]++
  const n = list.length
  const hits = LABELS.reduce((sum, label) => sum + confusion[label][label], 0)
  const chance =
    LABELS.reduce((sum, label) => {
      const golds = LABELS.reduce((held, other) => held + confusion[label][other], 0)
      const given = LABELS.reduce((held, other) => held + confusion[other][label], 0)
      return sum + golds * given
    }, 0) /
    (n * n)
  const certain = list.filter(({ verdict }) => !verdict.uncertain)
  const certainHits = certain.filter(({ gold, verdict }) => gold === verdict.label).length
  return {
    n,
    accuracy: n > 0 ? hits / n : null,
    kappa: n > 0 && chance < 1 ? (hits / n - chance) / (1 - chance) : null,
    uncertain: n - certain.length,
    confusion,
    certain: { n: certain.length, accuracy: certain.length > 0 ? certainHits / certain.length : null },
  }
}

function breakdown(list: readonly Comparison[], key: (one: Comparison) => string): Record<string, VerdictAgreement> {
  const groups = new Map<string, Comparison[]>()
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return Object.fromEntries(
    [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, group]) => [name, agreement(group)]),
  )
}
