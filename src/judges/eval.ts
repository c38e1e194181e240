import type { Fact, FactLabel, FactVerdict, Judge, Memory } from '../model/index.js'
import { factOf, type GoldCase, memoriesOf } from './gold.js'
import { groupedBy, type LabelAgreement, labelAgreement, type RightShare, rightShare } from './label-agreement.js'

export { type GoldCase, parseGold } from './gold.js'

const LABELS: readonly FactLabel[] = ['not_stored', 'summary_error', 'correct']

/** How a judge agrees with labels. `binary` asks only whether a fact is correct or not. */
export interface VerdictAgreement extends LabelAgreement<FactLabel> {
  binary: RightShare
}

interface AgreementByPart extends VerdictAgreement {
  byDataset: Record<string, VerdictAgreement>
  byStyle: Record<string, VerdictAgreement>
  byKind: Record<string, VerdictAgreement>
  byLabel: Record<string, VerdictAgreement>
}

export interface JudgeEvaluation extends AgreementByPart {
  /** Only facts that the source states as precisely as the gold does. */
  supported: AgreementByPart
}

/** One labelled fact with the judge's word on it. */
interface Comparison {
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
async function compareWithGold(judge: Judge, cases: readonly GoldCase[], signal?: AbortSignal): Promise<Comparison[]> {
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

/** How often a judge agrees with the gold labels: overall, by what the facts are and how they were kept, and the same for supported facts only. */
function summarizeAgreement(comparisons: readonly Comparison[]): JudgeEvaluation {
  const byPart = (list: readonly Comparison[]): AgreementByPart => ({
    ...agreement(list),
    byDataset: groupedBy(list, ({ dataset }) => dataset, agreement),
    byStyle: groupedBy(list, ({ style }) => style, agreement),
    byKind: groupedBy(list, ({ fact }) => fact.cues.kind, agreement),
    byLabel: groupedBy(list, ({ gold }) => gold, agreement),
  })
  return { ...byPart(comparisons), supported: byPart(comparisons.filter(({ supported }) => supported)) }
}

/** Accuracy, Cohen's kappa and confusion of a list of comparisons. */
function agreement(list: readonly Comparison[]): VerdictAgreement {
  const given = ({ gold, verdict: { label, uncertain } }: Comparison) => ({ label: gold, given: label, uncertain })
  const isRight = ({ gold, verdict }: Comparison) => (gold === 'correct') === (verdict.label === 'correct')
  return { ...labelAgreement(LABELS, list.map(given)), binary: rightShare(list, isRight) }
}
