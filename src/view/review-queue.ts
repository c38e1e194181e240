/** Cases of one kind that wait for labels, or have them. They hold no verdict. */
export interface ReviewQueue {
  kind: 'facts' | 'answers' | 'criteria'
  labels: readonly string[]
  cases: object[]
  /** What is labelled, as `judge eval` reads it; the file is there once something is. */
  file: string
  labelled: number
}
