import type { CuePart, Cues } from '../../../model/index.js'
import { fieldPart, revisionPart } from '../talk/documents.js'
import type { FieldValue, OperationOf, TraceSession } from '../trace.js'
import {
  budgeted,
  countForms,
  dateForms,
  fieldName,
  itemForms,
  longDate,
  mealForms,
  mealName,
  money,
  moneyForms,
  steps,
} from '../wording.js'

/** One thing that a session tells: that something holds from now on, with which value, or that it does no longer. */
export interface Telling {
  /** What its id begins with; the number of the session follows. */
  name: string
  /** What it is about. Tellings of one thing are revisions of one another. */
  thing: string
  holds: boolean
  /** What holds; empty where there is nothing but the thing itself. */
  value: string
  act: 'add' | 'update' | 'delete'
  /** Parts of the operation, as talk names them, whose sentences say it. */
  said: string[]
  /** Its sentences tell other things as well, which may come to an end before it does. */
  shared?: boolean
  /** The same in a few words. */
  gist: string
  cues: Cues
}

/** What is told in a session, in the order in which it is said. */
export function tellings({ operation }: TraceSession): Telling[] {
  switch (operation?.of) {
    case undefined:
      return []
    case 'taste':
      return tastes(operation)
    case 'food': {
      const { meal, amount } = operation
      const cents = Math.round(amount * 100)
      const cues = statement(part('number', moneyForms(cents)), part('what', mealForms(meal)))
      return [entry(`food:${meal}`, cents, `Spent ${money(cents)} on ${mealName(meal)}.`, cues)]
    }
    case 'steps': {
      const { activity, count } = operation
      const cues = statement(part('number', countForms(count)), part('what', ['steps', 'walked']))
      return [entry(`steps:${activity}`, count, `Walked ${steps(count)} (${activity}).`, cues)]
    }
    case 'todo':
      return [todo(operation)]
    case 'calendar':
      return [event(operation)]
    case 'document':
      return written(operation)
    case 'goal':
      return [goal(operation)]
  }
}

export const todoThing = (list: string, task: string): string => `todo:${list}:${task}`
export const eventThing = (name: string): string => `event:${name}`
export const goalInWords = (name: string): string => `goal:${name}`
/** A budget is one thing with changing values; any other value of a field is a thing of its own. */
export const documentThing = (id: string, field: string, value: FieldValue): string =>
  field === 'budget' ? `doc:${id}:budget` : `doc:${id}:${field}:${value}`

const part = (role: CuePart['role'], forms: string[]): CuePart => ({ role, forms })
/** Told by all of its parts; without the first nothing is left of it. */
const statement = (...parts: CuePart[]): Cues => ({ kind: 'statement', explicit: true, core: parts[0]!.role, parts })
/** Words that take something away. */
const over = (...words: string[]): CuePart => part('relation', words)

function entry(name: string, value: number, gist: string, cues: Cues): Telling {
  return { name, thing: name, holds: true, value: String(value), act: 'add', said: ['item', 'value'], gist, cues }
}

function tastes(operation: OperationOf<'taste'>): Telling[] {
  const { domain, subcategory, item } = operation
  const place = `${domain}, ${fieldName(subcategory)}`
  const thing = (name: string) => `taste:${domain}:${subcategory}:${name}`
  const held = (liking: string, act: Telling['act']): Telling => {
    const parts = [part('value', itemForms(item))]
    const negated = liking === 'dislike' && { negated: true }
    const told = { name: `taste:${domain}:${item}`, thing: thing(item), holds: true, value: liking, act }
    return {
      ...told,
      said: ['item', 'value'],
      gist: `${liking === 'like' ? 'Likes' : 'Dislikes'} ${item} (${place}).`,
      cues: { kind: 'preference', explicit: true, core: 'value', ...negated, parts },
    }
  }
  const gone = (name: string, act: Telling['act'], said: string[]): Telling => {
    const withdrawn = over(
      'no longer',
      'not any more',
      'removed',
      'forget',
      'replaced',
      'instead of',
      'former',
      'dropped',
    )
    const told = { name: `gone:taste:${domain}:${name}`, thing: thing(name), holds: false, value: '', act, said }
    const cues = statement(part('value', itemForms(name)), withdrawn)
    return { ...told, gist: `No longer counts: ${name} (${place}).`, cues }
  }
  switch (operation.act) {
    case 'add':
      return [held(operation.liking, 'add')]
    case 'delete':
      return [gone(item, 'delete', ['item', 'value'])]
    case 'flip':
      return [held(operation.to, 'update')]
    case 'replace':
      return [gone(operation.old, 'update', ['item', 'old']), held(operation.liking, 'add')]
  }
}

function todo({ act, list, task }: OperationOf<'todo'>): Telling {
  const told = { thing: todoThing(list, task), value: '', act, said: ['item'] }
  const what = part('what', [task])
  if (act === 'add')
    return { ...told, name: `todo:${task}`, holds: true, gist: `To do: ${task}.`, cues: statement(what) }
  const done = over('done', 'finished', 'completed', 'ticked off', 'crossed off', 'removed', 'no longer')
  return { ...told, name: `gone:todo:${task}`, holds: false, gist: `Done: ${task}.`, cues: statement(what, done) }
}

function event({ act, event: name, day }: OperationOf<'calendar'>): Telling {
  const told = { thing: eventThing(name), act, said: act === 'update' ? ['item', 'value', 'old'] : ['item', 'value'] }
  const what = part('what', [name])
  if (act === 'delete') {
    const cues = statement(
      what,
      over('cancelled', 'canceled', 'called off', 'removed', 'off the calendar', 'no longer'),
    )
    return { ...told, name: `gone:event:${name}`, holds: false, value: '', gist: `Cancelled: ${name}.`, cues }
  }
  const cues = statement(what, part('value', dateForms(day)))
  return { ...told, name: `event:${name}`, holds: true, value: day, gist: `${name} is on ${longDate(day)}.`, cues }
}

function goal({ goal: name, value, old }: OperationOf<'goal'>): Telling {
  const told = {
    name: `goal:${name}`,
    thing: goalInWords(name),
    holds: true,
    value: String(value),
    act: old === null ? ('add' as const) : ('update' as const),
    said: old === null ? ['item', 'value'] : ['item', 'value', 'old'],
  }
  if (name === 'steps') {
    const cues = statement(part('number', countForms(value)), part('what', ['steps']))
    return { ...told, gist: `Goal: ${steps(value)} a day.`, cues }
  }
  const cues = statement(part('number', moneyForms(value * 100)), part('what', mealForms(name)))
  return { ...told, gist: `Budget for ${mealName(name)}: ${budgeted(value)} a week.`, cues }
}

function written(operation: OperationOf<'document'>): Telling[] {
  const { kind, document: id, title } = operation
  const about = part('what', [title])
  const holding = (field: string, value: string | number, act: Telling['act'], said: string): Telling => {
    const isAmount = typeof value === 'number'
    const told = { name: `doc:${id}:${field}:${value}`, thing: documentThing(id, field, value), holds: true, act }
    return {
      ...told,
      value: field === 'budget' ? String(value) : '',
      said: ['item', said],
      shared: act === 'add',
      gist: `${title} (${kind}): ${fieldName(field)}: ${isAmount ? budgeted(value) : value}.`,
      cues: statement(part('value', isAmount ? moneyForms(value * 100) : [value]), about),
    }
  }
  if (operation.act === 'add')
    return Object.entries(operation.fields).flatMap(([field, value]) =>
      [value].flat().map((one) => holding(field, one, 'add', fieldPart(field, one))),
    )
  return operation.revisions.map((revision, at): Telling => {
    const { field } = revision
    const said = revisionPart(at)
    if (!('value' in revision)) return holding(field, revision.to, 'update', said)
    const { value } = revision
    if (revision.change === 'added') return holding(field, value, 'update', said)
    const cut = over('removed', 'taken out', 'dropped', 'deleted', 'cut', 'no longer')
    const told = { name: `gone:doc:${id}:${field}:${value}`, thing: documentThing(id, field, value), holds: false }
    const gist = `${title}: "${value}" is out of the ${fieldName(field)}.`
    const cues = statement(part('value', [value]), about, cut)
    return { ...told, value: '', act: 'delete', said: ['item', said], gist, cues }
  })
}
