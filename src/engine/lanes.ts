/**
 * Works through items, several at a time, in order of their start. The first failure stops what has not begun and is thrown when what has
 * begun is over.
 */
export async function inLanes<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  let next = 0
  const lane = async () => {
    while (next < items.length && failures.length === 0) {
      const item = items[next++]!
      try {
        await work(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(lanes, items.length)) }, lane))
  if (failures.length > 0) throw failures[0]
}
