import { entryOf } from '../base/group-by.js'
import { agreementOf, ballotsOf, type Vote } from '../judges/panel/agreement.js'
import type { PanelReport } from '../model/index.js'
import type { LifeResults } from './results.js'

/** How a panel agreed on the questions that carry one value of one tag by which their task is broken down. */
export interface TaggedPanel extends PanelReport {
  suite: string
  tag: string
  value: string
}

/** Votes on facts, every verdict once, and on answers. */
interface Ballots {
  facts: Map<string, readonly Vote[]>
  answers: (readonly Vote[])[]
}

const noBallots = (): Ballots => ({ facts: new Map(), answers: [] })

/** Collects the votes that verdicts and grades keep, life by life; every verdict once, however many depths and systems share it. */
export class Panels {
  readonly #all = noBallots()
  readonly #tagged = new Map<string, { suite: string; tag: string; value: string; ballots: Ballots }>()

  add({ planned, results, moments, verdictIn }: LifeResults): void {
    const { suite, scenario } = planned
    for (const { question, witness, grade } of results) {
      const answers = grade ? ballotsOf(grade) : []
      const facts = new Map<string, readonly Vote[]>()
      for (const snapshot of [moments.get(witness.probe)?.snapshot, witness.retrievedSnapshot]) {
        if (!snapshot) continue
        for (const fact of [...question.needs.flat(), ...question.outdated]) {
          const votes = verdictIn(snapshot, fact)?.votes
          if (votes) facts.set(`${snapshot} ${scenario.id} ${fact}`, votes)
        }
      }
      if (facts.size === 0 && answers.length === 0) continue
      const tags = suite.tasks.find(({ name }) => name === question.task)?.breakdowns ?? []
      const tagged = tags.flatMap((tag) => {
        const value = question.tags[tag]
        if (value === undefined) return []
        const empty = () => ({ suite: suite.name, tag, value, ballots: noBallots() })
        return [entryOf(this.#tagged, JSON.stringify([suite.name, tag, value]), empty).ballots]
      })
      for (const ballots of [this.#all, ...tagged]) {
        for (const [key, votes] of facts) ballots.facts.set(key, votes)
        ballots.answers.push(...answers)
      }
    }
  }

  /** Null when no panel voted. */
  report(): PanelReport | null {
    const report = reportOf(this.#all)
    return report.facts || report.answers ? report : null
  }

  /** The same by the tags that tasks are broken down by. */
  tagged(): TaggedPanel[] {
    return [...this.#tagged.values()].map(({ ballots, ...of }) => ({ ...of, ...reportOf(ballots) }))
  }
}

function reportOf({ facts, answers }: Ballots): PanelReport {
  const of = (ballots: readonly (readonly Vote[])[]) => (ballots.length > 0 ? agreementOf(ballots) : null)
  return { facts: of([...facts.values()]), answers: of(answers) }
}
