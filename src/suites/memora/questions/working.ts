import type { CriterionAsk, CuePart, Cues, Fact } from '../../../model/index.js'
import { type Asking, type Item, type Life, makeQuestion, phrasesFor, type QuestionCandidate } from './asking.js'
import type { LifeFact } from './history.js'
import type { Goal, LedgerMeasure, LifeLedger } from './ledger.js'
import type { Period } from './periods.js'
import { recount, type Sought } from './recount.js'
import { mealForms, mealName } from './telling.js'
import { countForms, money, moneyForms, steps, weekdayDate } from './wording.js'

/** A life with its diary, and the full weeks of it. */
export interface Context {
  life: Life
  ledger: LifeLedger
  weeks: Period[]
}

/** A reasoning question in the making. */
export interface Making extends Omit<Asking, 'task' | 'phrases' | 'forgetting' | 'instead'> {
  forgetting?: readonly Item[]
  /** The result as a memory may have drawn it: in a sentence, and the forms of its number. */
  derived: { text: string; of: LedgerMeasure; forms: string[] }
  /** Facts that are needed besides the result. */
  beside?: readonly LifeFact[]
  /** The question has to say when weeks begin: as this one. */
  weeks?: Period
}

/** Makes the question; null when there is nothing to put together. */
export function make(
  { life }: Context,
  { derived, beside = [], weeks, forgetting = [], ...asking }: Making,
): QuestionCandidate | null {
  if (asking.presence.every(({ needs }) => needs.length === 0)) return null
  const id = `derived:${asking.subtype}${asking.about === undefined ? '' : `:${asking.about}`}`
  const parts: CuePart[] = [
    { role: 'what', forms: topicForms(derived.of) },
    { role: 'value', forms: derived.forms },
  ]
  const cues: Cues = { kind: 'state', stance: 'held', explicit: true, parts }
  const fact: Fact = { id, text: derived.text, sources: [], cues }
  const when = weeks && { weekday: weekday(weeks.from), last: weekday(weeks.to) }
  const phrases = phrasesFor(asking.subtype).map((one, at) => (when ? `${one}${weekNote(at, when)}` : one))
  return makeQuestion(life, {
    task: 'reasoning',
    ...asking,
    phrases,
    forgetting,
    instead: { said: beside, derived: fact },
  })
}

/** The gold, once it has been worked out a second time from the operations alone. */
export function worked({ life }: Context, sought: Sought, found: number[]): number[] {
  const again = recount(life.trace, sought)
  if (found.length !== again.length || found.some((value, at) => value !== again[at])) {
    throw new Error(`${JSON.stringify(sought)}: the states say ${found}, the operations ${again}`)
  }
  return found
}

function weekNote(at: number, slots: { weekday: string; last: string }): string {
  const notes = phrasesFor('weeks')
  return notes[at % notes.length]!.replace('{weekday}', slots.weekday).replace('{last}', slots.last)
}

const weekday = (day: string): string => weekdayDate(day).split(',')[0]!

export function entryFacts({ ledger, life }: Context, of: LedgerMeasure, period: Period): LifeFact[] {
  return ledger.entries(of, period).flatMap(({ session }) => [...life.history.at(session)])
}

export function goalFact({ history }: Life, { session }: Goal): LifeFact {
  return history.at(session)[0]!
}

export const named = (of: LedgerMeasure): string =>
  of === 'steps' ? 'steps walked' : of === 'food' ? 'spending on food' : `spending on ${mealName(of)}`
/** A value of a measure in words: steps, or money from cents. */
export const measureText = (of: LedgerMeasure, value: number): string => (of === 'steps' ? steps(value) : money(value))
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Forms in which a result may be written. */
export const resultForms = (of: LedgerMeasure, value: number): string[] =>
  of === 'steps' ? countForms(value) : moneyForms(value)

const topicForms = (of: LedgerMeasure): string[] =>
  of === 'steps' ? ['steps', 'walked'] : of === 'food' ? ['food', 'meals', 'eating'] : mealForms(of)

export function asksFor(of: LedgerMeasure, value: number): CriterionAsk {
  const number = of === 'steps' ? { value, unit: 'steps' } : { value: value / 100, unit: '$' }
  return { act: 'mention', forms: resultForms(of, value), numbers: [number] }
}

export function plainItem(text: string, asks: CriterionAsk, facts: readonly LifeFact[]): Item {
  return { text, asks, told: facts, needs: facts, outdated: [] }
}

export function number(text: string, of: LedgerMeasure, value: number, facts: readonly LifeFact[]): Item {
  return plainItem(text, asksFor(of, value), facts)
}

export function amount(about: string, of: LedgerMeasure, value: number, facts: readonly LifeFact[]): Item {
  return number(`Does the answer give ${measureText(of, value)} ${about}?`, of, value, facts)
}

export function counting(text: string, value: number, unit: 'weeks' | 'days', facts: readonly LifeFact[]): Item {
  return plainItem(
    text,
    { act: 'mention', forms: [...countForms(value, unit), ...countForms(value)], numbers: [{ value, unit }] },
    facts,
  )
}
