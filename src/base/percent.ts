/**
 * A share in per cent with at most one digit behind the point, whatever the machine makes of the product; with `digits`, exactly so many.
 *
 * @example inPercent(0.55) // '55 %'
 * @example inPercent(0.55, 1) // '55.0 %'
 */
export function inPercent(share: number, digits?: number): string {
  const rounded = (100 * share).toFixed(digits ?? 1)
  return `${digits === undefined ? Number(rounded) : rounded} %`
}
