/** All numbers together. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

/** Their mean; of none it is no number. */
export function meanOf(numbers: readonly number[]): number {
  return sumOf(numbers) / numbers.length
}
