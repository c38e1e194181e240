import type { CriterionAsk, Cues } from '../../../model/index.js'
import { lifeOf, type Period, windows } from '../days.js'
import { countForms, mealForms, mealName, money, moneyForms, steps, weekdayDate } from '../wording.js'
import { type Asking, fill, type Item, type Life, makeQuestion, phrasesFor, type QuestionCandidate } from './asking.js'
import type { LifeFact } from './history.js'
import { type LedgerMeasure, LifeLedger } from './ledger.js'
import { recount, type Sought } from './recount.js'

/** A life with its diary, and the full weeks of it. */
export interface Context {
  life: Life
  ledger: LifeLedger
  weeks: Period[]
}

export const contextOf = (life: Life): Context => ({
  life,
  ledger: new LifeLedger(life.trace),
  weeks: windows(lifeOf(life.trace), 7),
})

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

/** A reasoning question over a value that is derived from facts; null when no fact is needed. */
export function makeReasoningQuestion(
  { life }: Context,
  { derived, beside = [], weeks, forgetting = [], ...asking }: Making,
): QuestionCandidate | null {
  if (asking.presence.every(({ needs }) => needs.length === 0)) return null
  const id = `derived:${asking.subtype}${asking.about === undefined ? '' : `:${asking.about}`}`
  const parts: Cues['parts'] = [
    { role: 'what', forms: measureForms(derived.of, 'eating') },
    { role: 'value', forms: derived.forms },
  ]
  const cues: Cues = { kind: 'state', stance: 'held', explicit: true, parts }
  const notes = weeks ? phrasesFor('weeks') : ['']
  const slots = weeks && { weekday: weekday(weeks.from), last: weekday(weeks.to) }
  const phrases = phrasesFor(asking.subtype).map((one, at) => `${one}${fill(notes[at % notes.length]!, slots ?? {})}`)
  const instead = { said: beside, derived: { id, text: derived.text, sources: [], cues } }
  return makeQuestion(life, { task: 'reasoning', ...asking, phrases, forgetting, instead })
}

/** Returns the numbers as they are. @throws when a second count from the operations alone differs */
export function verifyByRecount({ life }: Context, sought: Sought, found: number[]): number[] {
  const again = recount(life.trace, sought)
  if (found.length !== again.length || found.some((value, at) => value !== again[at])) {
    throw new Error(`${JSON.stringify(sought)}: the states say ${found}, the operations ${again}`)
  }
  return found
}

const weekday = (day: string): string => weekdayDate(day).split(',')[0]!

export function entryFacts({ ledger, life }: Context, of: LedgerMeasure, period: Period): LifeFact[] {
  return ledger.entries(of, period).flatMap(({ session }) => [...life.history.at(session)])
}

/** What is measured, in words. */
export const measureName = (of: LedgerMeasure): string =>
  of === 'steps' ? 'steps walked' : of === 'food' ? 'spending on food' : `spending on ${mealName(of)}`

/** Words for a measure in a text. */
export const measureForms = (of: LedgerMeasure, ...besides: string[]): string[] =>
  of === 'steps' ? ['steps', 'walked'] : of === 'food' ? ['food', 'meals', ...besides] : mealForms(of)

/** A value of a measure in words: steps, or money from cents. */
export const measureText = (of: LedgerMeasure, value: number): string => (of === 'steps' ? steps(value) : money(value))

/** Forms in which a result may be written. */
export const resultForms = (of: LedgerMeasure, value: number): string[] =>
  of === 'steps' ? countForms(value) : moneyForms(value)

export function asksFor(of: LedgerMeasure, value: number): CriterionAsk {
  const number = of === 'steps' ? { value, unit: 'steps' } : { value: value / 100, unit: '$' }
  return { act: 'mention', forms: resultForms(of, value), numbers: [number] }
}

export function plainItem(text: string, asks: CriterionAsk, facts: readonly LifeFact[]): Item {
  return { text, asks, told: facts, needs: facts, outdated: [] }
}

export function amountItem(text: string, of: LedgerMeasure, value: number, facts: readonly LifeFact[]): Item {
  return plainItem(text, asksFor(of, value), facts)
}

export function countItem(text: string, value: number, unit: 'weeks' | 'days', facts: readonly LifeFact[]): Item {
  const forms = [...countForms(value, unit), ...countForms(value)]
  return plainItem(text, { act: 'mention', forms, numbers: [{ value, unit }] }, facts)
}
