import type { Criterion, CriterionAsk } from '../../../model/index.js'
import type { Ground } from '../questions/asking.js'
import type { LifeFact } from '../questions/history.js'
import { goalInWords } from '../questions/telling.js'
import { asksFor } from '../questions/working.js'
import type { ImportedLife } from './imported.js'
import { isDislike, NOTHING, readMemory } from './memory.js'
import { countOf } from './reckon.js'
import type { ReleasedCriterion, ReleasedQuestion } from './schema.js'
import { type Figure, isFigure, type Topic } from './topic.js'

/** One thing that a criterion asks for: an item, an element of a document, a figure. */
export interface Asked extends Ground {
  /** Criteria of a question with the same name ask for the same. */
  name: string
  label: string
  asks?: CriterionAsk
}

/** A published criterion, and what it is about by the recomputed state. */
export interface SessionReading {
  criterion: ReleasedCriterion
  type: Criterion['type']
  /** One thing, or several that are bundled; none when that cannot be told. */
  asked: Asked[]
  /** It is known what is asked for. Nothing is said of whether that is right where it is not. */
  understood: boolean
  /** It says what the recomputed state says, by the release's own rules. */
  agrees: boolean
  /** Silence meets it: it asks that something is not recommended. */
  avoid: boolean
}

/** Reads the criteria of a question. */
export function readCriteria(life: ImportedLife, question: ReleasedQuestion, topic: Topic): SessionReading[] {
  return question.evaluation.evaluation_questions.map((criterion) => {
    const type = criterion.evaluation_type === 'memory_presence' ? 'presence' : 'forgetting'
    const read =
      topic.of === 'unknown'
        ? NOTHING
        : isFigure(topic)
          ? readFigure(life, topic, criterion)
          : readMemory(life, topic, criterion, type, question.question_date)
    const avoid = type === 'presence' && topic.of === 'unknown' && isDislike(criterion)
    return { criterion, type, understood: read.asked.length > 0, avoid, ...read }
  })
}

/** What a reasoning question rests on: all entries, and the goals where there are any. */
function restsOn({ history, reckoner }: ImportedLife, topic: Figure): LifeFact[] {
  const measure = topic.of === 'goal' ? topic.goal : topic.of === 'budgets' ? topic.meal : topic.measure
  const entries = reckoner.ledger.entries(measure, reckoner.life).flatMap(({ session }) => [...history.at(session)])
  if (topic.of === 'budgets') return [...history.of(goalInWords(topic.meal)), ...entries]
  if (topic.of !== 'goal') return entries
  const set = history.of(goalInWords(topic.goal)).at(-1)
  return set ? [set, ...entries] : entries
}

/** The end of an id that names what a criterion asks for is no longer than this. */
const LONGEST_END = 200

function readFigure(
  life: ImportedLife,
  topic: Figure,
  { evaluation_question: text, evaluation_question_id: id }: ReleasedCriterion,
): Pick<SessionReading, 'asked' | 'agrees'> {
  const part = /_presence_(?:(\w+?)_)?\d+$/.exec(id.slice(-LONGEST_END))?.[1] ?? 'goal'
  const found = figureOf(life, topic, part, text)
  if (!found) return NOTHING
  const { agrees, ...figure } = found
  const facts = restsOn(life, topic)
  return { asked: [{ name: part, ...figure, told: facts, needs: facts, outdated: [] }], agrees }
}

/** The figure that a criterion asks for; null where it gives none. */
function figureOf(
  { reckoner }: ImportedLife,
  topic: Figure,
  part: string,
  text: string,
): { label: string; agrees: boolean; asks?: CriterionAsk } | null {
  const numbers = numbersIn(text)
  if (numbers.length === 0) return null
  const says = (value: number, of: string) => numbers.some((one) => near(one, of === 'steps' ? value : value / 100))
  switch (topic.of) {
    case 'total': {
      const total = reckoner.total(topic.measure)
      const label = `${topic.measure} in all`
      return { label, agrees: says(total, topic.measure), asks: asksFor(topic.measure, total) }
    }
    case 'goal': {
      const { goal, actual } = reckoner.progress(topic.goal)
      const both = goal !== null && says(goal, topic.goal) && says(actual, topic.goal)
      if (part === 'progress') return { label: `${topic.goal} against the goal`, agrees: both }
      if (part === 'status') {
        const met = goal !== null && (topic.goal === 'steps' ? actual >= goal : actual <= goal)
        const claimed = topic.goal === 'steps' ? !/\bNOT MET\b/.test(text) : !/\bOVER BUDGET\b/.test(text)
        return { label: `${topic.goal} goal met or not`, agrees: both && met === claimed }
      }
      const asks = goal === null ? {} : { asks: asksFor(topic.goal, goal) }
      return { label: `the ${topic.goal} goal`, agrees: goal !== null && says(goal, topic.goal), ...asks }
    }
    case 'best': {
      const { measure, unit } = topic
      const { place, total } = reckoner.best(measure, unit, 'released')
      if (part === 'max_period') {
        const claimed = Number(/\b(\d+)(?:st|nd|rd|th)\b/.exec(text)?.[1])
        return { label: `the ${unit} with most ${measure}`, agrees: claimed === place + 1 }
      }
      return { label: `most ${measure} in a ${unit}`, agrees: says(total, measure), asks: asksFor(measure, total) }
    }
    case 'budgets': {
      // The release grades both questions by the periods that kept to the budget.
      const met = countOf(reckoner.budgets(topic.meal, topic.unit, 'released'), 'met')
      return { label: `${topic.unit}s within the ${topic.meal} budget`, agrees: numbers.at(-1) === met }
    }
  }
}

/** Numbers in a text, without the marks that group their digits. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([digits]) => Number(digits.replaceAll(',', '')))
}

/** Figures are published rounded to cents, and steps to whole ones or cut. */
const near = (published: number, computed: number): boolean =>
  Math.abs(published - computed) < 0.005001 || [Math.round(computed), Math.floor(computed)].includes(published)
