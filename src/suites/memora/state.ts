import { SINGLE_FIELDS } from './seed.js'
import type { FieldValue, LifeState, LifeTrace, OperationOf, Revision, TraceSession } from './trace.js'

export const EMPTY: LifeState = { tastes: [], food: [], steps: [], todos: [], events: [], documents: [], goals: [] }

/**
 * The state after a session. States are never changed in place: what a session leaves alone is shared with the state before, so that
 * thousands of them are cheap to keep. An operation on something that does not exist changes nothing; `violations` finds it.
 */
export function apply(state: LifeState, { operation, number, day }: TraceSession): LifeState {
  switch (operation?.of) {
    case undefined:
      return state
    case 'taste':
      return { ...state, tastes: tastes(state.tastes, operation, number) }
    case 'food': {
      const { meal, amount } = operation
      return { ...state, food: [...state.food, { meal, amount, day, session: number }] }
    }
    case 'steps': {
      const { activity, count } = operation
      return { ...state, steps: [...state.steps, { activity, count, day, session: number }] }
    }
    case 'todo':
      return { ...state, todos: todos(state.todos, operation, number) }
    case 'calendar':
      return { ...state, events: events(state.events, operation, number) }
    case 'document':
      return { ...state, documents: documents(state.documents, operation, number) }
    case 'goal': {
      const { goal, value } = operation
      const at = state.goals.findIndex((other) => other.goal === goal)
      const set = { goal, value, day, session: number }
      return { ...state, goals: at < 0 ? [...state.goals, set] : state.goals.with(at, set) }
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

function tastes(list: LifeState['tastes'], operation: OperationOf<'taste'>, since: number): LifeState['tastes'] {
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

function todos(all: LifeState['todos'], { act, list, task }: OperationOf<'todo'>, since: number): LifeState['todos'] {
  if (act === 'add') return [...all, { list, task, since }]
  return without(all, (todo) => todo.list === list && todo.task === task)
}

function events(list: LifeState['events'], operation: OperationOf<'calendar'>, since: number): LifeState['events'] {
  const { kind, event, day } = operation
  if (operation.act === 'add') return [...list, { kind, event, day, since }]
  if (operation.act === 'delete') return without(list, (entry) => entry.event === event && entry.day === day)
  const index = list.findIndex((entry) => entry.event === event && entry.day === operation.old)
  return index < 0 ? list : list.with(index, { kind, event, day, since })
}

function documents(
  list: LifeState['documents'],
  operation: OperationOf<'document'>,
  session: number,
): LifeState['documents'] {
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

/**
 * The state after every session, in order: `replay(trace)[i]` is what holds after `trace.sessions[i]`. Parts that a session leaves alone
 * are shared between states; none of them may be changed.
 */
export function replay(trace: LifeTrace): LifeState[] {
  let state = EMPTY
  return trace.sessions.map((session) => {
    state = apply(state, session)
    return state
  })
}

/** The state when the life ends. */
export const finalState = (trace: LifeTrace): LifeState => trace.sessions.reduce(apply, EMPTY)
