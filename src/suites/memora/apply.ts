import type { FieldValue, LifeState, Operation, Revision, TraceSession } from './trace.js'

/** Fields of a document that hold one value; all others that can be added to are lists. */
export const SINGLE_FIELDS: ReadonlySet<string> = new Set([
  'client_or_sponsor',
  'objective',
  'timeline',
  'subject',
  'recipient',
  'purpose',
  'deadline',
  'meeting',
  'next_meeting',
  'platform',
  'topic',
  'hook',
  'call_to_action',
])

export const EMPTY: LifeState = { tastes: [], food: [], steps: [], todos: [], events: [], documents: [], goals: [] }

/**
 * The state after a session. States are never changed in place: what a session leaves alone is shared with the state before, so that
 * thousands of them are cheap to keep. An operation on something that does not exist changes nothing; `violations` finds it.
 */
export function apply(state: LifeState, session: TraceSession): LifeState {
  const operation = session.operation
  if (operation === null) return state
  switch (operation.of) {
    case 'taste':
      return { ...state, tastes: tastes(state.tastes, operation, session.number) }
    case 'food': {
      const { meal, amount } = operation
      return { ...state, food: [...state.food, { meal, amount, day: session.day, session: session.number }] }
    }
    case 'steps': {
      const { activity, count } = operation
      return { ...state, steps: [...state.steps, { activity, count, day: session.day, session: session.number }] }
    }
    case 'todo':
      return { ...state, todos: todos(state.todos, operation, session.number) }
    case 'calendar':
      return { ...state, events: events(state.events, operation, session.number) }
    case 'document':
      return { ...state, documents: documents(state.documents, operation, session.number) }
    case 'goal': {
      const { goal, value } = operation
      const set = { goal, value, day: session.day, session: session.number }
      const known = state.goals.some((other) => other.goal === goal)
      const goals = known ? state.goals.map((other) => (other.goal === goal ? set : other)) : [...state.goals, set]
      return { ...state, goals }
    }
  }
}

/** The fields of a document after one revision. */
export function revise(fields: Record<string, FieldValue>, revision: Revision): Record<string, FieldValue> {
  const { field } = revision
  const held = fields[field]
  switch (revision.change) {
    case 'added':
      if (Array.isArray(held)) return { ...fields, [field]: [...held, revision.value] }
      return { ...fields, [field]: SINGLE_FIELDS.has(field) ? revision.value : [revision.value] }
    case 'removed': {
      const rest = Array.isArray(held) ? without(held, (value) => value === revision.value) : []
      if (rest.length > 0) return { ...fields, [field]: rest }
      return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field))
    }
    default:
      return { ...fields, [field]: revision.to }
  }
}

type Of<Kind extends Operation['of']> = Extract<Operation, { of: Kind }>

function tastes(list: LifeState['tastes'], operation: Of<'taste'>, since: number): LifeState['tastes'] {
  const { domain, subcategory, item } = operation
  const is = (name: string) => (taste: LifeState['tastes'][number]) =>
    taste.domain === domain && taste.subcategory === subcategory && taste.item === name
  switch (operation.act) {
    case 'add':
      return [...list, { domain, subcategory, item, liking: operation.liking, since }]
    case 'delete':
      return without(list, is(item))
    case 'flip':
      return list.map((taste) => (is(item)(taste) ? { ...taste, liking: operation.to, since } : taste))
    case 'replace': {
      const rest = without(list, is(operation.old))
      return rest === list ? list : [...rest, { domain, subcategory, item, liking: operation.liking, since }]
    }
  }
}

function todos(list: LifeState['todos'], operation: Of<'todo'>, since: number): LifeState['todos'] {
  const { task } = operation
  if (operation.act === 'add') return [...list, { list: operation.list, task, since }]
  return without(list, (todo) => todo.list === operation.list && todo.task === task)
}

function events(list: LifeState['events'], operation: Of<'calendar'>, since: number): LifeState['events'] {
  const { kind, event, day } = operation
  if (operation.act === 'add') return [...list, { kind, event, day, since }]
  if (operation.act === 'delete') return without(list, (entry) => entry.event === event && entry.day === day)
  const index = list.findIndex((entry) => entry.event === event && entry.day === operation.old)
  return index < 0 ? list : list.with(index, { kind, event, day, since })
}

function documents(list: LifeState['documents'], operation: Of<'document'>, session: number): LifeState['documents'] {
  const { document: id, kind, title } = operation
  if (operation.act === 'add') {
    return [...list, { id, kind, title, fields: operation.fields, sessions: [session], completed: false }]
  }
  return list.map((document) => {
    if (document.id !== id) return document
    const fields = operation.revisions.reduce(revise, document.fields)
    const completed = document.completed || operation.completes
    return { ...document, fields, sessions: [...document.sessions, session], completed }
  })
}

/** The list without the first that fits, or the list itself when none does. */
function without<T>(list: T[], fits: (value: T) => boolean): T[] {
  const index = list.findIndex(fits)
  return index < 0 ? list : list.toSpliced(index, 1)
}
