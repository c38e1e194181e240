/**
 * The share of two sets that they have in common; 0 when both are empty.
 *
 * @example jaccard(new Set(['tea', 'figs']), new Set(['tea'])) // 0.5
 */
export function jaccard<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let shared = 0
  for (const member of small) if (large.has(member)) shared++
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}
