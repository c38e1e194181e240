/** A share as `55 %` with at most one digit behind the point, whatever the machine makes of the product; with `digits`, exactly so many. */
export function inPercent(share: number, digits?: number): string {
  const rounded = (100 * share).toFixed(digits ?? 1)
  return `${digits === undefined ? Number(rounded) : rounded} %`
}
