/** Below this many milliseconds a clock tells more about the machine than about the work. */
const FLOOR_MS = 1

/**
 * By which power of the size the work grows: 1 when it is linear, 2 when it is quadratic. Time of the processor, not of the wall, so that a
 * busy machine changes little; the best of a few tries counts, and no try is made when the first is good enough.
 *
 * @param work does it at a size
 * @param sizes a small and a large one, an order of magnitude apart
 * @param enough a power that needs no second try
 */
export async function growthOf(
  work: (size: number) => unknown,
  [small, large]: readonly [number, number],
  enough = 1.3,
): Promise<number> {
  let power = Number.POSITIVE_INFINITY
  let least = Number.POSITIVE_INFINITY
  let most = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4 && power > enough; round++) {
    for (let i = 0; i < 2; i++) least = Math.min(least, await spent(() => work(small)))
    most = Math.min(most, await spent(() => work(large)))
    power = Math.log(Math.max(most, FLOOR_MS) / Math.max(least, FLOOR_MS)) / Math.log(large / small)
  }
  return power
}

async function spent(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
