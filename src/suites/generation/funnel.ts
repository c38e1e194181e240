/** What came into a stage, what came out, and why the rest did not. */
export interface FunnelStage {
  before: number
  after: number
  dropped: Record<string, number>
}

/** How often one step was asked, asked again, and given up. Tokens are as if nothing had been kept from before. */
export interface StepCount {
  models: readonly string[]
  calls: number
  retries: number
  refused: number
  input: number
  output: number
  /** Why replies were refused, by rule. */
  why: Record<string, number>
}

/** The funnel of one dataset: from what was proposed to what was kept, with why. Whatever order calls end in, it comes out the same. */
export class Funnel {
  readonly #stages = new Map<string, FunnelStage>()
  readonly #steps = new Map<string, StepCount>()
  /** What else is worth knowing of it. */
  readonly figures: Record<string, unknown> = {}

  constructor(readonly dataset: string) {}

  /** Tells that so many things came to a stage, and by which rules some of them were dropped there. */
  pass(stage: string, before: number, dropped: readonly string[] = []): void {
    const held = this.#stages.get(stage) ?? { before: 0, after: 0, dropped: {} }
    held.before += before
    held.after += before - dropped.length
    for (const rule of dropped) held.dropped[rule] = (held.dropped[rule] ?? 0) + 1
    this.#stages.set(stage, held)
  }

  /** What is left of some things after a stage that found fault with a few of them. */
  drop<T>(stage: string, things: readonly T[], wrong: ReadonlyMap<T, string>): T[] {
    this.pass(stage, things.length, [...wrong.values()])
    return things.filter((one) => !wrong.has(one))
  }

  step(name: string, models: readonly string[] = []): StepCount {
    const held = this.#steps.get(name) ?? { models, calls: 0, retries: 0, refused: 0, input: 0, output: 0, why: {} }
    this.#steps.set(name, held)
    return held
  }

  /** For `generation_config.json`. */
  report() {
    const sorted = (counts: Record<string, number>) =>
      Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
    return {
      stages: [...this.#stages].map(([stage, { before, after, dropped }]) => {
        return { stage, before, after, dropped: sorted(dropped) }
      }),
      steps: [...this.#steps]
        .map(([step, counts]) => ({ step, ...counts, why: sorted(counts.why) }))
        .sort((a, b) => (a.step < b.step ? -1 : 1)),
      ...(Object.keys(this.figures).length > 0 && { figures: this.figures }),
    }
  }

  /** For people, a line a stage. */
  *lines(): Generator<string> {
    const { stages, steps } = this.report()
    const name = this.dataset.padEnd(20)
    for (const { stage, before, after, dropped } of stages) {
      const why = Object.entries(dropped).map(([rule, n]) => `${rule} ${n}`)
      yield `${`${name} ${stage.padEnd(12)} ${String(before).padStart(6)} → ${String(after).padEnd(6)} ${why.join(', ')}`.trimEnd()}\n`
    }
    for (const [what, value] of Object.entries(this.figures)) yield `${name} ${what} ${JSON.stringify(value)}\n`
    const [calls, retries] = (['calls', 'retries'] as const).map((of) => steps.reduce((sum, one) => sum + one[of], 0))
    yield `${name} ${calls} calls, ${retries} of them because a reply was refused\n`
  }
}
