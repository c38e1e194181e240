import type { CriterionAsk } from '../../../model/index.js'
import { SINGLE_FIELDS } from '../state.js'
import { budgeted } from '../talk/wording.js'
import type { FieldValue, LifeState } from '../trace.js'
import { type Item, type Life, makeQuestion, phrasesFor, type QuestionCandidate } from './asking.js'
import { current, type LifeFact, outdated } from './history.js'
import { documentThing, todoThing } from './telling.js'
import { dateForms, fieldName, longDate, moneyForms } from './wording.js'

/** Words by which an answer says that a task is behind the user; it may then be named. */
const FINISHED = ['done', 'finished', 'completed', 'ticked off', 'crossed off', 'no longer', 'already']
const CANCELLED = ['cancelled', 'canceled', 'called off', 'no longer', 'removed', 'dropped']
const PAST = ['past', 'over', 'took place', 'already', 'was on', 'were on', 'behind you', 'has passed']

/** Questions for what holds now: open tasks, events ahead, and every document that is complete. */
export function remembering(life: Life): QuestionCandidate[] {
  const found = [todos(life), calendar(life), ...life.state.documents.map((document) => written(life, document))]
  return found.flatMap((candidate) => candidate ?? [])
}

function todos(life: Life): QuestionCandidate | null {
  const { history, state } = life
  const open = new Set(state.todos.map(({ list, task }) => todoThing(list, task)))
  const waiting = new Set([...open].map(taskOf))
  // A task of the same name on the other list still has to be done.
  const finished = history.things('todo:').filter((thing) => !open.has(thing) && !waiting.has(taskOf(thing)))
  return makeQuestion(life, {
    task: 'remembering',
    subtype: 'todos',
    family: 'todos',
    phrases: phrasesFor('todos'),
    presence: [...open].map((thing) => {
      const asks: CriterionAsk = { act: 'mention', forms: [taskOf(thing)] }
      return item(`Does the answer list "${taskOf(thing)}" as still to be done?`, asks, history.of(thing), true)
    }),
    forgetting: finished.map((thing) => {
      const asks: CriterionAsk = { act: 'mention', forms: [taskOf(thing)], status: { forms: [], contrary: FINISHED } }
      const text = `Does the answer list "${taskOf(thing)}" as still to be done, although it is finished?`
      return item(text, asks, history.of(thing), false)
    }),
  })
}

const taskOf = (thing: string): string => thing.split(':').slice(2).join(':')

/** Events after the day of the question, each with its date; what was moved, cancelled or is over must not stand there as before. */
function calendar(life: Life): QuestionCandidate | null {
  const { history, trace } = life
  const events = history
    .things('event:')
    .map((thing) => ({ name: thing.slice('event:'.length), told: history.of(thing) }))
  const ahead = events.filter(({ told }) => current(told).holds && current(told).value > trace.end)
  const presence = ahead.flatMap(({ name, told }): Item[] => {
    const { value: day } = current(told)
    const dated: CriterionAsk = { act: 'mention', forms: [name], status: { forms: dateForms(day), contrary: [] } }
    return [
      item(`Does the answer name "${name}" among the events ahead?`, { act: 'mention', forms: [name] }, told, true),
      item(`Does the answer put "${name}" on ${longDate(day)}?`, dated, told, true),
    ]
  })
  const forgetting = events.flatMap(({ name, told }): Item[] => {
    const now = current(told)
    if (!now.holds) {
      const text = `Does the answer name "${name}" among the events ahead, although it was cancelled?`
      return [item(text, { act: 'mention', forms: [name], status: { forms: [], contrary: CANCELLED } }, told, false)]
    }
    if (now.value <= trace.end) {
      const text = `Does the answer name "${name}" among the events ahead, although it is over?`
      const over = item(text, { act: 'mention', forms: [name], status: { forms: [], contrary: PAST } }, told, false)
      // Its date alone tells that it is over: nothing has to correct it.
      return [{ ...over, outdated: outdated(told) }]
    }
    const moved = [...new Set(outdated(told).map(({ value }) => value))]
    return moved.map((day) => {
      const asks: CriterionAsk = {
        act: 'mention',
        forms: [name],
        status: { forms: dateForms(day), contrary: dateForms(now.value) },
      }
      return item(`Does the answer put "${name}" on ${longDate(day)}, from where it was moved?`, asks, told, false)
    })
  })
  return makeQuestion(life, {
    task: 'remembering',
    subtype: 'calendar',
    family: 'calendar',
    phrases: phrasesFor('calendar'),
    presence,
    forgetting,
  })
}

/** A complete document. Posts are told in one go and never declared complete. */
function written(life: Life, document: LifeState['documents'][number]): QuestionCandidate | null {
  const { id, kind, title, fields, completed } = document
  if (!completed && kind !== 'post') return null
  const { history } = life
  const values = Object.entries(fields).flatMap(([field, value]) =>
    [value].flat().map((one) => ({ field, value: one })),
  )
  const presence = values.map(({ field, value }) => {
    const told = history.of(documentThing(id, field, value))
    return item(`Does the answer give ${called(field, value)}?`, asksFor(value), told, true)
  })
  const present = new Set(values.map(({ value }) => String(value)))
  const forgetting = history.things(`doc:${id}:`).flatMap((thing): Item[] => {
    const told = history.of(thing)
    if (thing === documentThing(id, 'budget', 0)) return formerBudgets(told)
    const [, , field, ...value] = thing.split(':') as [string, string, string, ...string[]]
    // What was taken out of one field and stands in another may well be said.
    return current(told).holds || present.has(value.join(':')) ? [] : [formerValue(field, value.join(':'), told)]
  })
  return makeQuestion(life, {
    task: 'remembering',
    subtype: kind,
    family: kind,
    about: id,
    phrases: phrasesFor(kind),
    slots: { title },
    presence,
    forgetting,
  })
}

function formerBudgets(told: readonly LifeFact[]): Item[] {
  const values = [...new Set(outdated(told).map(({ value }) => Number(value)))]
  return values.map((value) => {
    const text = `Does the answer give ${budgeted(value)} as the budget, which has been changed since?`
    return item(
      text,
      asksFor(value),
      told.filter((fact) => fact.value === String(value) || fact === current(told)),
      false,
    )
  })
}

function formerValue(field: string, value: string, told: readonly LifeFact[]): Item {
  return item(`Does the answer give ${called(field, value)}, although it was taken out?`, asksFor(value), told, false)
}

function called(field: string, value: string | number): string {
  if (typeof value === 'number') return `${budgeted(value)} as the budget`
  return SINGLE_FIELDS.has(field) ? `"${value}" as the ${fieldName(field)}` : `"${value}" among the ${fieldName(field)}`
}

function asksFor(value: Exclude<FieldValue, string[]>): CriterionAsk {
  if (typeof value === 'string') return { act: 'mention', forms: [value] }
  return { act: 'mention', forms: moneyForms(value * 100), numbers: [{ value, unit: '$' }] }
}

function item(text: string, asks: CriterionAsk, told: readonly LifeFact[], holds: boolean): Item {
  return { text, asks, told, needs: holds ? [current(told)] : [], outdated: outdated(told) }
}
