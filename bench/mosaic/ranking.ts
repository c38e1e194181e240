import { type Depth, depthTokens } from '../../src/model/depth.js'

/** Share of needed evidence by system, best first. */
export type Ranking = { system: string; share: number }[]

/** What a ranking is made of: cells of a summary. */
interface CountedCell {
  system: string
  depth: Depth
  /** Null where nothing was needed. */
  evidence: { n: number; complete: number } | null
}

/** Ranks systems by the share of all questions whose evidence is complete within so many tokens; of equal ones the earlier name is first. */
export function rankingAt(tokens: number, cells: readonly CountedCell[]): Ranking {
  const counts = new Map<string, { n: number; complete: number }>()
  for (const { system, depth, evidence } of cells) {
    if (depthTokens(depth) !== tokens || !evidence) continue
    const { n, complete } = counts.get(system) ?? { n: 0, complete: 0 }
    counts.set(system, { n: n + evidence.n, complete: complete + evidence.complete })
  }
  const shares = [...counts].map(([system, { n, complete }]) => ({ system, share: n === 0 ? 0 : complete / n }))
  return shares.sort((a, b) => b.share - a.share || (a.system < b.system ? -1 : 1))
}

/**
 * Kendall's tau-b of two rankings of the same systems: 1 where every pair stands in the same order, −1 where every pair is turned round. Pairs that
 * are level in one of them count for neither; where all are level there is nothing to compare, and it is NaN.
 */
export function kendallTau(first: Ranking, second: Ranking): number {
  const shares = new Map(second.map(({ system, share }) => [system, share]))
  let [agreement, apartInFirst, apartInSecond] = [0, 0, 0]
  for (const [i, one] of first.entries())
    for (const other of first.slice(i + 1)) {
      const a = Math.sign(one.share - other.share)
      const b = Math.sign(shares.get(one.system)! - shares.get(other.system)!)
      agreement += a * b
      apartInFirst += Math.abs(a)
      apartInSecond += Math.abs(b)
    }
  return agreement / Math.sqrt(apartInFirst * apartInSecond)
}
