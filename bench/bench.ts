/** What a benchmark found out, ready to be printed. Cells are text, numbers already rounded. */
export interface BenchTable {
  title: string
  /** How it was measured, and what to keep in mind. */
  note: string
  columns: string[]
  rows: string[][]
}

/** A benchmark of one part of the project. Its name marks its section in `lab/benchmarks.md`. */
export interface Bench {
  name: string
  about: string
  run(progress: (message: string) => void): Promise<BenchTable>
}

/** The value below which a share of the sorted values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** By which power of the size something grows: 1 is in proportion, 2 is quadratic. */
export function growth(from: { size: number; value: number }, to: { size: number; value: number }): number {
  return Math.log(to.value / from.value) / Math.log(to.size / from.size)
}
