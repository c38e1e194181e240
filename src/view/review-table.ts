/** Rows of generated data as one reviewer sees them: what is said, what is claimed of it, and what the reviewer decided. */
export interface ReviewTable {
  file: string
  rows: ReviewedRow[]
}

export interface ReviewedRow {
  id: string
  text: string
  claim: string
  /** `keep`, `reject`, or empty where nothing is decided yet. */
  verdict: string
  note: string
}
