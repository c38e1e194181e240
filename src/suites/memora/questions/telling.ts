import type { CuePart, Cues } from '../../../model/index.js'
import { fieldPart, revisionPart } from '../talk/index.js'
import { budgeted } from '../talk/wording.js'
import type { FieldValue, Operation, Revision, TraceSession } from '../trace.js'
import { countForms, dateForms, fieldName, itemForms, longDate, money, moneyForms, steps } from './wording.js'

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
      const cents = Math.round(operation.amount * 100)
      const { meal } = operation
      return [
        entry(`food:${meal}`, String(cents), `Spent ${money(cents)} on ${mealName(meal)}.`, [
          part('number', moneyForms(cents)),
          part('what', mealForms(meal)),
        ]),
      ]
    }
    case 'steps': {
      const { activity, count } = operation
      return [
        entry(`steps:${activity}`, String(count), `Walked ${steps(count)} (${activity}).`, [
          part('number', countForms(count)),
          part('what', ['steps', 'walked']),
        ]),
      ]
    }
    case 'todo':
      return [todo(operation)]
    case 'calendar':
      return [event(operation)]
    case 'document':
      return operation.act === 'add'
        ? draft(operation)
        : operation.revisions.map((one, at) => revised(operation, one, at))
    case 'goal':
      return [goal(operation)]
  }
}

/** What a meal is called in a sentence. */
export const mealName = (meal: string): string => (meal === 'grocery' ? 'groceries' : meal)

/** The key of a taste among all things told. */
const tasteThing = (domain: string, subcategory: string, item: string): string =>
  `taste:${domain}:${subcategory}:${item}`
export const todoThing = (list: string, task: string): string => `todo:${list}:${task}`
export const eventThing = (name: string): string => `event:${name}`
export const goalThing = (name: string): string => `goal:${name}`
/** A budget is one thing with changing values; any other value of a field is a thing of its own. */
export const documentThing = (id: string, field: string, value: FieldValue): string =>
  field === 'budget' ? `doc:${id}:budget` : `doc:${id}:${field}:${value}`

type Of<Kind extends Operation['of']> = Extract<Operation, { of: Kind }>

const part = (role: CuePart['role'], forms: string[]): CuePart => ({ role, forms })
/** Told by all of its parts; without the first nothing is left of it. */
const statement = (...parts: CuePart[]): Cues => ({ kind: 'statement', explicit: true, core: parts[0]!.role, parts })
/** Words for a meal in a text. */
export const mealForms = (meal: string): string[] => (meal === 'grocery' ? ['groceries', 'grocery'] : [meal])

const OVER = ['done', 'finished', 'completed', 'ticked off', 'crossed off', 'removed', 'no longer']
const CANCELLED = ['cancelled', 'canceled', 'called off', 'removed', 'off the calendar', 'no longer']
const WITHDRAWN = ['no longer', 'not any more', 'removed', 'forget', 'replaced', 'instead of', 'former', 'dropped']
const CUT = ['removed', 'taken out', 'dropped', 'deleted', 'cut', 'no longer']

function entry(name: string, value: string, gist: string, parts: CuePart[]): Telling {
  const thing = name
  return { name, thing, holds: true, value, act: 'add', said: ['item', 'value'], gist, cues: statement(...parts) }
}

function tastes(operation: Of<'taste'>): Telling[] {
  const { domain, subcategory, item } = operation
  const held = (liking: string, act: Telling['act']): Telling => ({
    name: `taste:${domain}:${item}`,
    thing: tasteThing(domain, subcategory, item),
    holds: true,
    value: liking,
    act,
    said: ['item', 'value'],
    gist: `${liking === 'like' ? 'Likes' : 'Dislikes'} ${item} (${domain}, ${fieldName(subcategory)}).`,
    cues: {
      kind: 'preference',
      explicit: true,
      core: 'value',
      ...(liking === 'dislike' && { negated: true }),
      parts: [part('value', itemForms(item))],
    },
  })
  const gone = (name: string, act: Telling['act'], said: string[]): Telling => ({
    name: `gone:taste:${domain}:${name}`,
    thing: tasteThing(domain, subcategory, name),
    holds: false,
    value: '',
    act,
    said,
    gist: `No longer counts: ${name} (${domain}, ${fieldName(subcategory)}).`,
    cues: statement(part('value', itemForms(name)), part('relation', WITHDRAWN)),
  })
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

function todo({ act, list, task }: Of<'todo'>): Telling {
  const thing = todoThing(list, task)
  const what = part('what', [task])
  return act === 'add'
    ? {
        name: `todo:${task}`,
        thing,
        holds: true,
        value: '',
        act,
        said: ['item'],
        gist: `To do: ${task}.`,
        cues: statement(what),
      }
    : {
        name: `gone:todo:${task}`,
        thing,
        holds: false,
        value: '',
        act,
        said: ['item'],
        gist: `Done: ${task}.`,
        cues: statement(what, part('relation', OVER)),
      }
}

function event(operation: Of<'calendar'>): Telling {
  const { act, event: name, day } = operation
  const thing = eventThing(name)
  const what = part('what', [name])
  if (act === 'delete') {
    const cues = statement(what, part('relation', CANCELLED))
    return {
      name: `gone:event:${name}`,
      thing,
      holds: false,
      value: '',
      act,
      said: ['item', 'value'],
      gist: `Cancelled: ${name}.`,
      cues,
    }
  }
  return {
    name: `event:${name}`,
    thing,
    holds: true,
    value: day,
    act,
    said: act === 'update' ? ['item', 'value', 'old'] : ['item', 'value'],
    gist: `${name} is on ${longDate(day)}.`,
    cues: statement(what, part('value', dateForms(day))),
  }
}

function goal({ goal: name, value, old }: Of<'goal'>): Telling {
  const food = name !== 'steps'
  return {
    name: `goal:${name}`,
    thing: goalThing(name),
    holds: true,
    value: String(value),
    act: old === null ? 'add' : 'update',
    said: old === null ? ['item', 'value'] : ['item', 'value', 'old'],
    gist: food ? `Budget for ${mealName(name)}: ${budgeted(value)} a week.` : `Goal: ${steps(value)} a day.`,
    cues: statement(
      part('number', food ? moneyForms(value * 100) : countForms(value)),
      part('what', food ? mealForms(name) : ['steps']),
    ),
  }
}

function draft({ kind, document, title, fields }: Of<'document'> & { act: 'add' }): Telling[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    [value].flat().map((one) => element({ kind, document, title }, field, one, 'add', fieldPart(field, one))),
  )
}

type Document = Pick<Of<'document'>, 'kind' | 'document' | 'title'>

function revised(document: Document, revision: Revision, at: number): Telling {
  const said = revisionPart(at)
  if (!('value' in revision)) return element(document, revision.field, revision.to, 'update', said)
  if (revision.change === 'added') return element(document, revision.field, revision.value, 'update', said)
  const { document: id, title } = document
  const { field, value } = revision
  return {
    name: `gone:doc:${id}:${field}:${value}`,
    thing: documentThing(id, field, value),
    holds: false,
    value: '',
    act: 'delete',
    said: ['item', said],
    gist: `${title}: "${value}" is out of the ${fieldName(field)}.`,
    cues: statement(part('value', [value]), part('what', [title]), part('relation', CUT)),
  }
}

function element(
  { kind, document: id, title }: Document,
  field: string,
  value: string | number,
  act: Telling['act'],
  said: string,
): Telling {
  const shown = typeof value === 'number' ? budgeted(value) : value
  return {
    name: `doc:${id}:${field}:${value}`,
    thing: documentThing(id, field, value),
    holds: true,
    value: field === 'budget' ? String(value) : '',
    act,
    said: ['item', said],
    shared: act === 'add',
    gist: `${title} (${kind}): ${fieldName(field)}: ${shown}.`,
    cues: statement(
      part('value', typeof value === 'number' ? moneyForms(value * 100) : [value]),
      part('what', [title]),
    ),
  }
}
