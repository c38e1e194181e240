import type { FactStage } from '../analysis/assess.js'
import type { LifeResults, Result } from '../analysis/results.js'
import { entryOf, groupBy } from '../base/group-by.js'
import {
  answerTrial,
  compareDepths,
  type Depth,
  depthKey,
  OUTCOMES,
  type Outcome,
  type Question,
  type ReaderRef,
  readDepth,
  readerKey,
  type Subject,
  subjectKey,
  withFirstTrial,
} from '../model/index.js'
import { clipText } from '../report/format.js'
import { FACT_ENDS, type FactEnd, type IndexedQuestion, type IndexedRow, type RunIndex } from './run-index.js'

const NOT_ASKED = ' '
const UNMEASURED = '-'
const MOST_TEXT = 200

/** Who is shown in a line of its own. */
export type IndexedContestant = { subject: Subject; reader: ReaderRef | null }

/** Takes in a run life by life. */
export class RunIndexer {
  readonly #tasks: string[] = []
  readonly #contestants = new Map<string, IndexedContestant>()
  readonly #places = new Map<Question, number>()
  readonly #questions: IndexedQuestion[] = []
  readonly #facts = new Map<string, { place: number; id: string; text: string }>()
  readonly #rows: (Omit<IndexedRow, 'outcomes' | 'facts'> & { results: CodedResult[] })[] = []

  add({ planned: { suite, scenario, key }, reader, results }: LifeResults): void {
    const texts = new Map(scenario.facts.map(({ id, text, evidence }) => [id, evidence?.join(' … ') ?? text]))
    const who = { subject: key.subject, reader: withFirstTrial(reader) }
    const name = contestantKey(who)
    entryOf(this.#contestants, name, () => who)
    const contestant = [...this.#contestants.keys()].indexOf(name)
    for (const own of groupBy(results, ({ question }) => question.id).values()) {
      const { question } = own[0]!
      const place = entryOf(this.#places, question, () => {
        const task = placeIn(this.#tasks, `${suite.name}/${question.task}`)
        return (
          this.#questions.push({
            id: question.id,
            scenario: scenario.id,
            task,
            text: clipText(question.text, MOST_TEXT),
          }) - 1
        )
      })
      this.#rows.push({
        question: place,
        contestant,
        trial: key.trial,
        time: answerTrial(reader),
        uncertain: own.some(({ assessment }) => assessment.uncertain),
        results: own.map((result) => ({
          depth: result.depth,
          code: outcomeCode(result.assessment.outcome),
          facts: result.assessment.facts.map((stage) => [
            this.#factAt(`${scenario.id}\n${stage.id}`, stage.id, texts.get(stage.id) ?? ''),
            String(FACT_ENDS.indexOf(endOf(stage, result))),
          ]),
        })),
      })
    }
  }

  /** @param label names who was measured @param shownAt the depth at which a task is shown */
  index(label: (who: IndexedContestant) => string, shownAt: (task: string) => Depth | null): RunIndex {
    const depths = [...new Set(this.#rows.flatMap(({ results }) => results.map(({ depth }) => depthKey(depth))))]
    depths.sort((a, b) => compareDepths(readDepth(a), readDepth(b)))
    const along = (results: readonly CodedResult[], code: (result: CodedResult) => string) =>
      depths.map((depth) => {
        const found = results.find((result) => depthKey(result.depth) === depth)
        return found ? code(found) : NOT_ASKED
      })
    return {
      depths,
      tasks: this.#tasks,
      contestants: [...this.#contestants.values()].map(label),
      shown: this.#tasks.map((task) => {
        const depth = shownAt(task)
        return depth === null ? null : depthKey(depth)
      }),
      questions: this.#questions,
      facts: [...this.#facts.values()].map(({ id, text }) => ({ id, text: clipText(text, MOST_TEXT) })),
      rows: this.#rows.map(({ results, ...row }) => ({
        ...row,
        outcomes: along(results, ({ code }) => code).join(''),
        facts: [...new Set(results.flatMap(({ facts }) => facts.map(([fact]) => fact)))].map((fact) => [
          fact,
          along(results, ({ facts }) => facts.find(([one]) => one === fact)?.[1] ?? NOT_ASKED).join(''),
        ]),
      })),
    }
  }

  #factAt(key: string, id: string, text: string): number {
    return entryOf(this.#facts, key, () => ({ place: this.#facts.size, id, text })).place
  }
}

interface CodedResult {
  depth: Depth
  code: string
  facts: [fact: number, end: string][]
}

function contestantKey({ subject, reader }: IndexedContestant): string {
  return `${subjectKey(subject)}\n${readerKey(reader)}`
}

function placeIn(list: string[], item: string): number {
  const at = list.indexOf(item)
  return at >= 0 ? at : list.push(item) - 1
}

function outcomeCode(outcome: Outcome | null): string {
  return outcome === null ? UNMEASURED : String(OUTCOMES.indexOf(outcome))
}

/** Where a fact ended: stages as they were judged; whether it was used tells the answer, where there is one. */
function endOf(
  { stored, faithful, retrieved }: FactStage,
  { assessment: { answer } }: Pick<Result, 'assessment'>,
): FactEnd {
  if (retrieved) return answer === null ? 'retrieved' : answer ? 'used' : 'unused'
  if (stored === null) return 'unseen'
  if (!stored) return 'not_stored'
  return faithful ? 'not_retrieved' : 'damaged'
}
