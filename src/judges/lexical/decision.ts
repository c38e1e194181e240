import { z } from 'zod'
import { readData } from '../../base/data-file.js'

const weights = z.record(z.string(), z.number())

/** A decision as `lab/training/fit.py` writes it: from which probability on it is certain, and for every label a weight for each feature. */
function fitted<L extends string>(labels: readonly [L, ...L[]]) {
  return z.object({ certain: z.number(), weights: z.record(z.enum(labels), weights) })
}

/** A fitted decision among labels. */
export interface FittedDecision<L extends string> {
  certain: number
  weights: Partial<Record<L, Record<string, number>>>
}

const facts = fitted(['correct', 'summary_error', 'not_stored'])

/** The decisions on facts that ship: with the entailment model, and by words alone. */
export const readDecisions = () =>
  readData(new URL('./decision.json', import.meta.url), z.object({ model: facts, words: facts }))

const criteria = fitted(['yes', 'no'])

/** The decisions on criteria: on those of which rules found something, and on those in free words. */
export const readCriterionDecisions = () =>
  readData(new URL('./criteria/decision.json', import.meta.url), z.object({ asked: criteria, free: criteria }))

/** The decision on answers in free words. */
export const readAnswerDecision = () =>
  readData(new URL('./answer-decision.json', import.meta.url), fitted(['right', 'wrong']))

/** A label with its probability, in steps of a hundredth. */
export interface Decision<L extends string> {
  label: L
  probability: number
  uncertain: boolean
  /** By how much a score would have to move, in log-odds, for another step of the probability or another label. */
  margin: number
}

/** What features come to. */
export function decide<L extends string>(
  features: Record<string, number>,
  { certain, weights: table }: FittedDecision<L>,
): Decision<L> {
  const scores = (Object.entries(table) as [L, Record<string, number>][]).map(([label, by]) => ({
    label,
    score: Object.entries(features).reduce((sum, [name, value]) => sum + (by[name] ?? 0) * value, by.bias ?? 0),
  }))
  const most = Math.max(...scores.map(({ score }) => score))
  const best = scores.find(({ score }) => score === most)!
  const all = scores.reduce((sum, { score }) => sum + Math.exp(score - most), 0)
  const probability = Math.round(100 / all) / 100
  const [below, above] = [probability - HALF_STEP, probability + HALF_STEP].map((edge) => logOdds(edge))
  const own = -Math.log(all - 1)
  const others = scores.filter((one) => one !== best).map(({ score }) => most - score)
  const margin = Math.min(own - below!, above! - own, ...others)
  return { label: best.label, probability, uncertain: probability < certain, margin }
}

const HALF_STEP = 0.005

/** Without an end where there is no step beyond. */
function logOdds(probability: number): number {
  return probability >= 1 ? Number.POSITIVE_INFINITY : Math.log(probability / (1 - probability))
}
