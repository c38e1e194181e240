/** All numbers together. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

/** Their mean; of none it is no number. */
export function meanOf(numbers: readonly number[]): number {
  return sumOf(numbers) / numbers.length
}

/** The mean of what is known; null where nothing is. */
export function meanOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : meanOf(known)
}
