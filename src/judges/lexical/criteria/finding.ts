/** An answer to a criterion, and whether anybody else need be asked. */
export interface CriterionFinding {
  yes: boolean
  sure: boolean
  reason: string
}
