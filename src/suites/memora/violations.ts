import { SINGLE_FIELDS } from './seed.js'
import { apply, EMPTY, revise } from './state.js'
import type { FieldValue, LifeState, LifeTrace, Operation, OperationOf, Revision, TraceSession } from './trace.js'

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
  const findings: TraceFinding[] = []
  let state = EMPTY
  let before: TraceSession | undefined
  for (const session of trace.sessions) {
    const report: Report = (rule, text) => findings.push({ session: session.number, rule, text })
    checkOrder(trace, before, session, report)
    if (session.operation !== null) {
      if (session.failed !== undefined) report('failed-acts', `says "${session.failed}" and acts all the same`)
      checkOperation(state, session.operation, session.day, report)
    }
    state = apply(state, session)
    before = session
  }
  return findings
}

type Report = (rule: TraceRule, text: string) => unknown

function checkOrder(trace: LifeTrace, before: TraceSession | undefined, session: TraceSession, report: Report): void {
  const expected = (before?.number ?? 0) + 1
  if (session.number !== expected) report('session-number', `expected ${expected}, got ${session.number}`)
  if (!isDay(session.day)) report('session-day', `${session.day} is no day`)
  if (session.day < (before?.day ?? trace.start)) report('session-day', `${session.day} goes back in time`)
  if (session.day > trace.end) report('session-day', `${session.day} is after the end, ${trace.end}`)
}

function checkOperation(state: LifeState, operation: Operation, today: string, report: Report): void {
  switch (operation.of) {
    case 'taste':
      checkTaste(state, operation, report)
      return
    case 'food': {
      const cents = operation.amount * 100
      if (!(operation.amount > 0) || Math.abs(cents - Math.round(cents)) > 1e-6) {
        report('wrong-kind', `${operation.amount} is no amount of money`)
      }
      return
    }
    case 'steps':
      if (!Number.isInteger(operation.count) || operation.count <= 0) {
        report('wrong-kind', `${operation.count} is no number of steps`)
      }
      return
    case 'todo': {
      const open = state.todos.some((todo) => todo.list === operation.list && todo.task === operation.task)
      if (operation.act === 'add' && open) report('added-twice', `task "${operation.task}" is open already`)
      if (operation.act === 'delete' && !open) report('missing', `task "${operation.task}" is not open`)
      return
    }
    case 'calendar':
      checkCalendar(state, operation, today, report)
      return
    case 'document':
      checkDocument(state, operation, report)
      return
    case 'goal': {
      const held = state.goals.find((goal) => goal.goal === operation.goal)?.value ?? null
      if (!(operation.value > 0)) report('wrong-kind', `${operation.value} is no goal`)
      if (operation.old !== held) report('wrong-old-value', `${operation.goal} goal was ${held}, not ${operation.old}`)
      return
    }
  }
}

function checkTaste(state: LifeState, operation: OperationOf<'taste'>, report: Report): void {
  const { domain, subcategory, item } = operation
  const liking = (name: string) =>
    state.tastes.find((taste) => taste.domain === domain && taste.subcategory === subcategory && taste.item === name)
      ?.liking
  const place = `${domain}/${subcategory}`
  if (operation.act !== 'add' && subcategory.startsWith('already_'))
    report('not-allowed', `"${item}" is of the past, in ${place}`)
  if ((operation.act === 'delete' || operation.act === 'replace') && operation.liking === 'dislike')
    report('not-allowed', `${operation.act} of a dislike in ${place}`)
  const expect = (name: string, expected: string) => {
    const held = liking(name)
    if (held === undefined) report('missing', `"${name}" is not in ${place}`)
    else if (held !== expected) report('wrong-old-value', `"${name}" in ${place} was a ${held}, not a ${expected}`)
  }
  if (operation.act === 'delete') expect(item, operation.liking)
  else if (operation.act === 'flip') {
    if (operation.from === operation.to) report('no-change', `"${item}" stays a ${operation.to}`)
    expect(item, operation.from)
  } else {
    if (liking(item) !== undefined) report('added-twice', `"${item}" is in ${place} already`)
    if (operation.act === 'replace') expect(operation.old, operation.liking)
  }
}

function checkCalendar(state: LifeState, operation: OperationOf<'calendar'>, today: string, report: Report): void {
  const { event, day } = operation
  if (!isDay(day)) report('wrong-kind', `${day} is no day`)
  if (operation.act !== 'delete' && day <= today) {
    report('event-not-ahead', `"${event}" is put on ${day}, today ${today}`)
  }
  if (operation.act === 'add') {
    const ahead = state.events.find((other) => other.event === event && other.day >= today)
    if (ahead !== undefined) report('added-twice', `"${event}" is in the calendar already, on ${ahead.day}`)
    return
  }
  const old = operation.act === 'update' ? operation.old : day
  if (operation.act === 'update' && old === day) report('no-change', `"${event}" stays on ${day}`)
  const held = state.events.filter((other) => other.event === event)
  if (held.length === 0) report('missing', `"${event}" is not in the calendar`)
  else if (!held.some((other) => other.day === old)) {
    report('wrong-old-value', `"${event}" was on ${held.map((other) => other.day).join(', ')}, not ${old}`)
  } else if (old < today) report('event-over', `"${event}" was over on ${old}`)
}

function checkDocument(state: LifeState, operation: OperationOf<'document'>, report: Report): void {
  const held = state.documents.find((document) => document.id === operation.document)
  const name = `${operation.kind} "${operation.title}"`
  if (operation.act === 'add') {
    if (held !== undefined) report('added-twice', `${name} is there already`)
    for (const [field, value] of Object.entries(operation.fields)) checkField(name, field, value, report)
    return
  }
  if (held === undefined) {
    report('missing', `${name} does not exist`)
    return
  }
  if (held.completed) report('document-complete', `${name} was complete`)
  if (held.kind !== operation.kind) report('wrong-old-value', `${name} was of kind ${held.kind}`)
  if (held.title !== operation.title) report('wrong-old-value', `${name} was called "${held.title}"`)
  if (operation.revisions.length === 0) report('no-change', `${name} is left as it was`)
  let fields = held.fields
  for (const revision of operation.revisions) {
    const adds = revision.change === 'added' || revision.change === 'revised'
    if (adds !== (operation.act === 'update')) {
      report('wrong-kind', `${revision.change} in a session of ${operation.act}`)
    }
    checkRevision(name, fields[revision.field], revision, report)
    fields = revise(fields, revision)
  }
}

function checkField(name: string, field: string, value: FieldValue, report: Report) {
  if (Array.isArray(value)) {
    if (value.length === 0 || SINGLE_FIELDS.has(field)) report('wrong-kind', `${field} of ${name} is no such list`)
    if (new Set(value).size < value.length) report('added-twice', `${field} of ${name} says a thing twice`)
  } else if ((field === 'budget') !== (typeof value === 'number') || value === '') {
    report('wrong-kind', `${field} of ${name} cannot be ${JSON.stringify(value)}`)
  }
}

function checkRevision(name: string, held: FieldValue | undefined, revision: Revision, report: Report): void {
  const place = `${revision.field} of ${name}`
  switch (revision.change) {
    case 'added':
      if (held === undefined) return
      if (!Array.isArray(held)) report('wrong-kind', `${place} holds one value, and has one`)
      else if (held.includes(revision.value)) report('added-twice', `${place} has "${revision.value}" already`)
      return
    case 'removed':
      if (Array.isArray(held) ? !held.includes(revision.value) : held !== revision.value) {
        report('missing', `${place} has no "${revision.value}"`)
      } else if (!Array.isArray(held) || held.length === 1) report('not-allowed', `${place} is left without anything`)
      return
    default:
      if (held !== revision.from) report('wrong-old-value', `${place} was ${held}, not ${revision.from}`)
      if (typeof revision.from !== typeof revision.to) report('wrong-kind', `${place} changes its kind`)
      if (revision.from === revision.to) report('no-change', `${place} stays ${revision.to}`)
  }
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
