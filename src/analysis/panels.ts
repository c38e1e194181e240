import { agreementOf, ballotsOf, type Vote } from '../judges/panel/agreement.js'
import type { PanelReport } from '../model/index.js'
import type { LifeResults } from './results.js'

/** Collects the votes that verdicts and grades keep, life by life; every verdict once, however many depths and systems share it. */
export class Panels {
  readonly #facts = new Map<string, readonly Vote[]>()
  readonly #answers: (readonly Vote[])[] = []

  add({ planned, results, moments, verdictIn }: LifeResults): void {
    for (const { question, witness, grade } of results) {
      if (grade) this.#answers.push(...ballotsOf(grade))
      for (const snapshot of [moments.get(witness.probe)?.snapshot, witness.retrievedSnapshot]) {
        if (!snapshot) continue
        for (const fact of [...question.needs.flat(), ...question.outdated]) {
          const key = `${snapshot} ${planned.scenario.id} ${fact}`
          const ballot = this.#facts.has(key) ? undefined : verdictIn(snapshot, fact)?.votes
          if (ballot) this.#facts.set(key, ballot)
        }
      }
    }
  }

  /** Null when no panel voted. */
  report(): PanelReport | null {
    const of = (ballots: readonly (readonly Vote[])[]) => (ballots.length > 0 ? agreementOf(ballots) : null)
    const report = { facts: of([...this.#facts.values()]), answers: of(this.#answers) }
    return report.facts || report.answers ? report : null
  }
}
