/** An answer to a criterion, and whether anybody else need be asked. */
export interface Finding {
  yes: boolean
  sure: boolean
  reason: string
}
