import type { CriterionAsk } from '../../../model/index.js'
import { SINGLE_FIELDS } from '../seed.js'
import type { DocumentState } from '../trace.js'
import { budgeted, dateForms, fieldName, longDate, moneyForms } from '../wording.js'
import { type Asking, type Item, type Life, makeQuestion, phrasesFor, type QuestionCandidate } from './asking.js'
import { current, type LifeFact, outdated } from './history.js'
import { documentThing, todoThing } from './telling.js'

/** Words by which an answer says that a task is behind the user; it may then be named. */
const FINISHED = ['done', 'finished', 'completed', 'ticked off', 'crossed off', 'no longer', 'already']
const CANCELLED = ['cancelled', 'canceled', 'called off', 'no longer', 'removed', 'dropped']
const PAST = ['past', 'over', 'took place', 'already', 'was on', 'were on', 'behind you', 'has passed']

/** Questions for what holds now: open tasks, events ahead, and every document that is complete. */
export function remembering(life: Life): (QuestionCandidate | null)[] {
  return [todos(life), calendar(life), ...life.state.documents.map((document) => written(life, document))]
}

function ask(life: Life, kind: string, asking: Pick<Asking, 'presence' | 'forgetting' | 'about' | 'slots'>) {
  return makeQuestion(life, { task: 'remembering', subtype: kind, family: kind, phrases: phrasesFor(kind), ...asking })
}

function todos(life: Life): QuestionCandidate | null {
  const { history, state } = life
  const taskOf = (thing: string) => thing.split(':').slice(2).join(':')
  const open = new Set(state.todos.map(({ list, task }) => todoThing(list, task)))
  const waiting = new Set([...open].map(taskOf))
  // A task of the same name on the other list still has to be done.
  const finished = history.things('todo:').filter((thing) => !open.has(thing) && !waiting.has(taskOf(thing)))
  const listed = (thing: string) => `Does the answer list "${taskOf(thing)}" as still to be done`
  return ask(life, 'todos', {
    presence: [...open].map((thing) => item(`${listed(thing)}?`, naming(taskOf(thing)), history.of(thing), true)),
    forgetting: finished.map((thing) => {
      const asks = naming(taskOf(thing), [], FINISHED)
      return item(`${listed(thing)}, although it is finished?`, asks, history.of(thing), false)
    }),
  })
}

/** Events after the day of the question, each with its date; what was moved, cancelled or is over must not stand there as before. */
function calendar(life: Life): QuestionCandidate | null {
  const { history, trace } = life
  const events = history.things('event:').map((thing) => {
    const told = history.of(thing)
    return { name: thing.slice('event:'.length), told, now: current(told) }
  })
  const listed = (name: string) => `Does the answer name "${name}" among the events ahead`
  const put = (name: string, day: string) => `Does the answer put "${name}" on ${longDate(day)}`
  const presence = events.flatMap(({ name, told, now }): Item[] => {
    if (!now.holds || now.value <= trace.end) return []
    const dated = naming(name, dateForms(now.value), [])
    return [item(`${listed(name)}?`, naming(name), told, true), item(`${put(name, now.value)}?`, dated, told, true)]
  })
  const forgetting = events.flatMap(({ name, told, now }): Item[] => {
    if (!now.holds)
      return [item(`${listed(name)}, although it was cancelled?`, naming(name, [], CANCELLED), told, false)]
    if (now.value <= trace.end)
      return [item(`${listed(name)}, although it is over?`, naming(name, [], PAST), told, false)]
    const moved = [...new Set(outdated(told).map(({ value }) => value))]
    return moved.map((day) => {
      const asks = naming(name, dateForms(day), dateForms(now.value))
      return item(`${put(name, day)}, from where it was moved?`, asks, told, false)
    })
  })
  return ask(life, 'calendar', { presence, forgetting })
}

/** A complete document. Posts are told in one go and never declared complete. */
function written(life: Life, { id, kind, title, fields, completed }: DocumentState): QuestionCandidate | null {
  if (!completed && kind !== 'post') return null
  const { history } = life
  const values = Object.entries(fields).flatMap(([field, value]) =>
    [value].flat().map((one) => ({ field, value: one })),
  )
  const presence = values.map(({ field, value }) => {
    const told = history.of(documentThing(id, field, value))
    return item(`Does the answer give ${called(field, value)}?`, asksForValue(value), told, true)
  })
  const present = new Set(values.map(({ value }) => String(value)))
  const forgetting = history.things(`doc:${id}:`).flatMap((thing): Item[] => {
    const told = history.of(thing)
    if (thing === documentThing(id, 'budget', 0)) return formerBudgets(told)
    const [, , field, ...rest] = thing.split(':')
    const value = rest.join(':')
    // What was taken out of one field and stands in another may well be said.
    if (current(told).holds || present.has(value)) return []
    const text = `Does the answer give ${called(field!, value)}, although it was taken out?`
    return [item(text, asksForValue(value), told, false)]
  })
  return ask(life, kind, { about: id, slots: { title }, presence, forgetting })
}

function formerBudgets(told: readonly LifeFact[]): Item[] {
  const values = [...new Set(outdated(told).map(({ value }) => Number(value)))]
  return values.map((value) => {
    const text = `Does the answer give ${budgeted(value)} as the budget, which has been changed since?`
    const about = told.filter((fact) => fact.value === String(value) || fact === current(told))
    return item(text, asksForValue(value), about, false)
  })
}

function called(field: string, value: string | number): string {
  if (typeof value === 'number') return `${budgeted(value)} as the budget`
  return `"${value}" ${SINGLE_FIELDS.has(field) ? 'as' : 'among'} the ${fieldName(field)}`
}

/** What is asked for by a value of a document: its words, or an amount of money, also as in `besides`. */
export function asksForValue(value: string | number, ...besides: string[]): CriterionAsk {
  if (typeof value === 'string') return { act: 'mention', forms: [value] }
  return { act: 'mention', forms: [...moneyForms(value * 100), ...besides], numbers: [{ value, unit: '$' }] }
}

/** To name something, with words that must stand by it and words that must not. */
function naming(name: string, forms?: string[], contrary: string[] = []): CriterionAsk {
  return { act: 'mention', forms: [name], ...(forms && { status: { forms, contrary } }) }
}

function item(text: string, asks: CriterionAsk, told: readonly LifeFact[], holds: boolean): Item {
  return { text, asks, told, needs: holds ? [current(told)] : [], outdated: outdated(told) }
}
