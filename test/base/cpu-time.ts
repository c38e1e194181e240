/**
 * Milliseconds of processor time that this process spent on something. On a busy machine it takes longer, but no more of this.
 *
 * @example expect(await cpuMsOf(() => judge(long))).toBeLessThan(1000)
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
