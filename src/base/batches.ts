/** Splits a list into batches of at most `size` items, in order. */
export function splitIntoBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size))
  return batches
}
