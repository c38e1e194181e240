/**
 * A share in per cent with at most one digit behind the point, whatever the machine makes of the product.
 *
 * @example inPercent(0.55) // '55 %'
 */
export function inPercent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`
}
