/** One attack on the built command line. It throws what did not hold. */
export interface Attack {
  /** What is counted together. */
  kind: string
  name: string
  /** @param served says what the attack really did, where that is more than one thing: each is an attempt of its kind */
  strike(served: Served): Promise<void>
  /** Takes part in nothing else at the same time: it looks at how long something takes. */
  alone?: boolean
}

export type Served = (kind: string, times?: number) => void

/** What an attack may use. */
export interface Ground {
  seed: number
  /** An empty folder that is removed in the end. */
  folder(): string
  /** Says that something cannot be attacked on this machine, and why. It counts neither as attempted nor as held. */
  leaveOut(what: string, why: string): void
}

export interface Group {
  name: string
  attacks(ground: Ground): Attack[] | Promise<Attack[]>
  /** Ends what `attacks` started. */
  close?(): Promise<void> | void
}

/** Attempts of one kind, and how many of them held. */
export interface Count {
  attempted: number
  held: number
}

export interface Broken {
  kind: string
  name: string
  why: string
}

/** How many attacks run at the same time: those of two cores. */
const LANES = 2

/** Strikes with every attack of a group, and counts by kind what was really attempted. */
export async function strikeAll(
  attacks: readonly Attack[],
  onEnd: (attack: Attack, broken: Broken | null, ms: number) => void = () => {},
): Promise<{ counts: Map<string, Count>; broken: Broken[] }> {
  const counts = new Map<string, Count>()
  const broken: Broken[] = []
  const strike = async (attack: Attack) => {
    const { kind, name } = attack
    const did = new Map<string, number>()
    const started = performance.now()
    const why = await attack
      .strike((what, times = 1) => void did.set(what, (did.get(what) ?? 0) + times))
      .then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
    // An attack that failed before it did anything was attempted all the same.
    if (did.size === 0) did.set(kind, 1)
    for (const [what, times] of did) {
      const count = counts.get(what) ?? { attempted: 0, held: 0 }
      counts.set(what, { attempted: count.attempted + times, held: count.held + (why === null ? times : 0) })
    }
    const lost = why === null ? null : { kind, name, why }
    if (lost) broken.push(lost)
    onEnd(attack, lost, performance.now() - started)
  }
  const together = attacks.filter(({ alone }) => !alone)
  const lane = async () => {
    for (let next = together.shift(); next; next = together.shift()) await strike(next)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  for (const attack of attacks) if (attack.alone) await strike(attack)
  return { counts, broken }
}

/** The sum of all kinds. */
export function totalOf(counts: Iterable<Count>): Count {
  const total = { attempted: 0, held: 0 }
  for (const { attempted, held } of counts) {
    total.attempted += attempted
    total.held += held
  }
  return total
}
