import { SINGLE_FIELDS } from './seed.js'
import { apply, EMPTY, revise } from './state.js'
import type { FieldValue, LifeState, LifeTrace, OperationOf, Revision, TraceSession } from './trace.js'

/** What a trace can break. */
export type TraceRule =
  | 'session-number'
  | 'session-day'
  | 'failed-acts'
  | 'added-twice'
  | 'missing'
  | 'wrong-old-value'
  | 'no-change'
  | 'event-not-ahead'
  | 'event-over'
  | 'document-complete'
  /** What was watched, read, heard or visited stays so; only likes are withdrawn or replaced; every list of a document keeps something. */
  | 'not-allowed'
  /** Values are of the kind that their place holds; updates add and revise, deletions remove and revert. */
  | 'wrong-kind'

export interface TraceFinding {
  session: number
  rule: TraceRule
  text: string
}

/**
 * Everything in a trace that could not have happened. The state is recomputed from the operations, so that nothing a simulator or an
 * importer believes of it is taken on trust.
 *
 * @example violations(simulate({ persona: 'content_writer', days: 7, seed: 1 })) // []
 */
export function violations(trace: LifeTrace): TraceFinding[] {
  let state = EMPTY
  return trace.sessions.flatMap((session, at) => {
    const broken = [...brokenOrder(trace, trace.sessions[at - 1], session), ...brokenBy(state, session)]
    state = apply(state, session)
    return broken.map(([rule, text]) => ({ session: session.number, rule, text }))
  })
}

type Broken = Generator<[TraceRule, string], void>

function* brokenOrder(trace: LifeTrace, before: TraceSession | undefined, { number, day }: TraceSession): Broken {
  const expected = (before?.number ?? 0) + 1
  if (number !== expected) yield ['session-number', `expected ${expected}, got ${number}`]
  if (!isDay(day)) yield ['session-day', `${day} is no day`]
  if (day < (before?.day ?? trace.start)) yield ['session-day', `${day} goes back in time`]
  if (day > trace.end) yield ['session-day', `${day} is after the end, ${trace.end}`]
}

function* brokenBy(state: LifeState, { operation, failed, day: today }: TraceSession): Broken {
  if (operation === null) return
  if (failed !== undefined) yield ['failed-acts', `says "${failed}" and acts all the same`]
  switch (operation.of) {
    case 'taste':
      return yield* brokenTaste(state, operation)
    case 'food': {
      const { amount } = operation
      const isMoney = amount > 0 && Math.abs(amount * 100 - Math.round(amount * 100)) <= 1e-6
      if (!isMoney) yield ['wrong-kind', `${amount} is no amount of money`]
      return
    }
    case 'steps': {
      const { count } = operation
      if (!Number.isInteger(count) || count <= 0) yield ['wrong-kind', `${count} is no number of steps`]
      return
    }
    case 'todo': {
      const { act, list, task } = operation
      const open = state.todos.some((todo) => todo.list === list && todo.task === task)
      if (act === 'add' && open) yield ['added-twice', `task "${task}" is open already`]
      if (act === 'delete' && !open) yield ['missing', `task "${task}" is not open`]
      return
    }
    case 'calendar':
      return yield* brokenEvent(state, operation, today)
    case 'document':
      return yield* brokenDocument(state, operation)
    case 'goal': {
      const { goal, value, old } = operation
      const held = state.goals.find((one) => one.goal === goal)?.value ?? null
      if (!(value > 0)) yield ['wrong-kind', `${value} is no goal`]
      if (old !== held) yield ['wrong-old-value', `${goal} goal was ${held}, not ${old}`]
    }
  }
}

function* brokenTaste({ tastes }: LifeState, operation: OperationOf<'taste'>): Broken {
  const { domain, subcategory, item, act } = operation
  const place = `${domain}/${subcategory}`
  const likingOf = (name: string) => {
    const own = tastes.filter((taste) => taste.domain === domain && taste.subcategory === subcategory)
    return own.find((taste) => taste.item === name)?.liking
  }
  const expect = function* (name: string, expected: string): Broken {
    const held = likingOf(name)
    if (held === undefined) yield ['missing', `"${name}" is not in ${place}`]
    else if (held !== expected) yield ['wrong-old-value', `"${name}" in ${place} was a ${held}, not a ${expected}`]
  }
  if (act !== 'add' && subcategory.startsWith('already_'))
    yield ['not-allowed', `"${item}" is of the past, in ${place}`]
  if ((act === 'delete' || act === 'replace') && operation.liking === 'dislike')
    yield ['not-allowed', `${act} of a dislike in ${place}`]
  if (act === 'delete') yield* expect(item, operation.liking)
  else if (act === 'flip') {
    if (operation.from === operation.to) yield ['no-change', `"${item}" stays a ${operation.to}`]
    yield* expect(item, operation.from)
  } else {
    if (likingOf(item) !== undefined) yield ['added-twice', `"${item}" is in ${place} already`]
    if (act === 'replace') yield* expect(operation.old, operation.liking)
  }
}

function* brokenEvent(state: LifeState, operation: OperationOf<'calendar'>, today: string): Broken {
  const { event, day, act } = operation
  const held = state.events.filter((other) => other.event === event)
  if (!isDay(day)) yield ['wrong-kind', `${day} is no day`]
  if (act !== 'delete' && day <= today) yield ['event-not-ahead', `"${event}" is put on ${day}, today ${today}`]
  if (act === 'add') {
    const ahead = held.find((other) => other.day >= today)
    if (ahead) yield ['added-twice', `"${event}" is in the calendar already, on ${ahead.day}`]
    return
  }
  const old = act === 'update' ? operation.old : day
  if (act === 'update' && old === day) yield ['no-change', `"${event}" stays on ${day}`]
  const days = held.map((other) => other.day)
  if (days.length === 0) yield ['missing', `"${event}" is not in the calendar`]
  else if (!days.includes(old)) yield ['wrong-old-value', `"${event}" was on ${days.join(', ')}, not ${old}`]
  else if (old < today) yield ['event-over', `"${event}" was over on ${old}`]
}

function* brokenDocument(state: LifeState, operation: OperationOf<'document'>): Broken {
  const held = state.documents.find((document) => document.id === operation.document)
  const name = `${operation.kind} "${operation.title}"`
  if (operation.act === 'add') {
    if (held) yield ['added-twice', `${name} is there already`]
    for (const [field, value] of Object.entries(operation.fields)) yield* brokenField(name, field, value)
    return
  }
  if (!held) return yield ['missing', `${name} does not exist`]
  if (held.completed) yield ['document-complete', `${name} was complete`]
  if (held.kind !== operation.kind) yield ['wrong-old-value', `${name} was of kind ${held.kind}`]
  if (held.title !== operation.title) yield ['wrong-old-value', `${name} was called "${held.title}"`]
  if (operation.revisions.length === 0) yield ['no-change', `${name} is left as it was`]
  let fields = held.fields
  for (const revision of operation.revisions) {
    const adds = revision.change === 'added' || revision.change === 'revised'
    if (adds !== (operation.act === 'update'))
      yield ['wrong-kind', `${revision.change} in a session of ${operation.act}`]
    yield* brokenRevision(name, fields[revision.field], revision)
    fields = revise(fields, revision)
  }
}

function* brokenField(name: string, field: string, value: FieldValue): Broken {
  if (Array.isArray(value)) {
    if (value.length === 0 || SINGLE_FIELDS.has(field)) yield ['wrong-kind', `${field} of ${name} is no such list`]
    if (new Set(value).size < value.length) yield ['added-twice', `${field} of ${name} says a thing twice`]
  } else if ((field === 'budget') !== (typeof value === 'number') || value === '') {
    yield ['wrong-kind', `${field} of ${name} cannot be ${JSON.stringify(value)}`]
  }
}

function* brokenRevision(name: string, held: FieldValue | undefined, revision: Revision): Broken {
  const place = `${revision.field} of ${name}`
  if (!('value' in revision)) {
    const { from, to } = revision
    if (held !== from) yield ['wrong-old-value', `${place} was ${held}, not ${from}`]
    if (typeof from !== typeof to) yield ['wrong-kind', `${place} changes its kind`]
    if (from === to) yield ['no-change', `${place} stays ${to}`]
    return
  }
  const { value } = revision
  const has = Array.isArray(held) ? held.includes(value) : held === value
  if (revision.change === 'removed') {
    if (!has) yield ['missing', `${place} has no "${value}"`]
    else if (!Array.isArray(held) || held.length === 1) yield ['not-allowed', `${place} is left without anything`]
  } else if (held !== undefined && !Array.isArray(held)) yield ['wrong-kind', `${place} holds one value, and has one`]
  else if (has) yield ['added-twice', `${place} has "${value}" already`]
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
