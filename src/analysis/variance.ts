import { meanOf, sumOf } from '../base/sums.js'

/** Rates of one cell, repeated: `rates[ingest][answer][judge]`. Groups may be of different sizes; none may be empty. */
export type NestedRates = readonly (readonly (readonly number[])[])[]

/** How often each level was repeated, in all. */
export interface Repeats {
  ingest: number
  answer: number
  judge: number
}

/**
 * Parts of the variance of a rate. A part is null when its level was not repeated; its variance is then contained in the part above it
 * (judge in answer, answer in ingest).
 */
export interface VarianceParts {
  mean: number
  repeats: Repeats
  ingest: number | null
  answer: number | null
  judge: number | null
  /** Variance of the mean over all repeats, from the parts; null when nothing was repeated. */
  ofMean: number | null
  /** The estimates before negative ones were set to 0. On meanOf over many runs these are right; single ones may be below 0. */
  raw: { ingest: number | null; answer: number | null; judge: number | null }
}

/**
 * Splits the variance of a rate into what storing, answering and judging anew each add.
 *
 * The model is nested: rate = mean + ingest effect + answer effect within it + judge effect within that, independent, with variances to
 * be found. The estimator is the method of moments (analysis of variance): observed sums of squares of the three levels are set equal to
 * what the model expects of them,
 *
 *     SS judge  = Σ (y − ȳij)²        E = (N − ΣJ) σ²j
 *     SS answer = Σ nij (ȳij − ȳi)²   E = (ΣJ − I) σ²j + (N − Σi Σj nij²/ni) σ²a
 *     SS ingest = Σ ni (ȳi − ȳ)²      E = (I − 1) σ²j + (Σi Σj nij²/ni − Σij nij²/N) σ²a + (N − Σ ni²/N) σ²i
 *
 * and solved from the bottom; this is unbiased for any shape of the tree. Estimates below 0 are reported as 0. The questions are the same
 * in all repeats, so the choice of questions adds nothing here: that is what the 95 % interval of a rate is for.
 *
 * @example varianceParts([[[0.5], [0.6]], [[0.7], [0.8]]]).answer // 0.005; judge is null, for it was not repeated
 */
export function varianceParts(rates: NestedRates): VarianceParts {
  if (rates.length === 0 || rates.some((one) => one.length === 0 || one.some((own) => own.length === 0)))
    throw new RangeError('Expected at least one rate in every group')
  const n = sumOf(rates.map((one) => sumOf(one.map(({ length }) => length))))
  const answers = sumOf(rates.map(({ length }) => length))
  const mean = meanOf(rates.flat(2))
  const squares = { ingest: 0, answer: 0, judge: 0 }
  let within = 0
  let pairs = 0
  let groups = 0
  for (const one of rates) {
    const own = one.flat()
    const middle = meanOf(own)
    squares.ingest += own.length * (middle - mean) ** 2
    groups += own.length ** 2
    for (const judged of one) {
      const centre = meanOf(judged)
      squares.answer += judged.length * (centre - middle) ** 2
      within += judged.length ** 2 / own.length
      pairs += judged.length ** 2
      for (const rate of judged) squares.judge += (rate - centre) ** 2
    }
  }
  const freedom = { ingest: rates.length - 1, answer: answers - rates.length, judge: n - answers }
  const judge = freedom.judge > 0 ? squares.judge / freedom.judge : null
  const answer = freedom.answer > 0 ? (squares.answer - freedom.answer * (judge ?? 0)) / (n - within) : null
  const ingest =
    freedom.ingest > 0
      ? (squares.ingest - freedom.ingest * (judge ?? 0) - (within - pairs / n) * (answer ?? 0)) / (n - groups / n)
      : null
  const kept = { ingest: atLeast0(ingest), answer: atLeast0(answer), judge: atLeast0(judge) }
  const nothing = ingest === null && answer === null && judge === null
  const ofMean = ((kept.ingest ?? 0) * groups) / n ** 2 + ((kept.answer ?? 0) * pairs) / n ** 2 + (kept.judge ?? 0) / n
  return {
    mean,
    repeats: { ingest: rates.length, answer: answers, judge: n },
    ...kept,
    ofMean: nothing ? null : ofMean,
    raw: { ingest, answer, judge },
  }
}

function atLeast0(value: number | null): number | null {
  return value === null ? null : Math.max(0, value)
}
