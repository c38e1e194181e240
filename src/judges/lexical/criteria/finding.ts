/** An answer to a criterion, and whether anybody else need be asked. */
export interface CriterionFinding {
  yes: boolean
  sure: boolean
  /** What was seen, in a word or two that are weighed; findings of one name are equally good. */
  as?: string
  reason: string
}

/** A finding with what the criterion asks for: findings of one kind are weighed alike. */
export interface RuledFinding extends CriterionFinding {
  kind: 'number' | 'side' | 'recommend' | 'avoid' | 'pending' | 'telling'
}
