import type { z } from 'zod'
import { dayAfter } from '../days.js'
import { apply, EMPTY } from '../state.js'
import type { DocumentKind, FieldValue, LifeState, LifeTrace, Revision, Taste, TraceSession } from '../trace.js'
import { domainsOf } from './domains.js'
import { problemOf, type ReleasedLife, type SessionFile, sharedBy } from './read.js'
import { ActivityDetails, ContentDetails, type Delta, GoalDetails, TasteDetails } from './schema.js'
import { RELEASED_KINDS } from './topic.js'

/** A published life as a trace, with what it says of itself that its operations do not give. */
export interface ImportedTrace {
  trace: LifeTrace
  /** Documents that are published with another content than their operations give. */
  deltas: { session: number; text: string }[]
  /** Sessions whose operation is of no known kind. They are talk that changes nothing, for all that is known. */
  unread: { session: number; text: string }[]
}

/** The field that names a document. */
export const TITLES: Record<DocumentKind, string> = {
  proposal: 'project_title',
  email: 'email_purpose',
  notes: 'meeting_title',
  post: 'main_message',
}

/** The trace of a published life. The state is not taken from the files; it follows from the operations. */
export function traceOf(life: ReleasedLife): ImportedTrace {
  // First and last day: those of the file of questions, and every day on which there is a session.
  const { start_date, end_date } = life.questions.date_range
  const days = [start_date, end_date, ...life.sessions.map(({ date }) => date)].sort()
  const deltas: ImportedTrace['deltas'] = []
  const unread: ImportedTrace['unread'] = []
  const make = operationsOf(life)
  let state = EMPTY
  const sessions = life.sessions.map((file): TraceSession => {
    const { session_id: number, date: day } = file
    const made = make(file, state)
    if ('unread' in made) {
      unread.push({ session: number, text: made.unread })
      return { number, day, operation: null }
    }
    const session = { number, day, ...made }
    state = apply(state, session)
    const { operation } = session
    if (operation?.of === 'document') {
      const published = ContentDetails.parse(file.operation_details).content_data
      const computed = state.documents.find(({ id }) => id === operation.document)?.fields ?? {}
      for (const text of differing(published, computed))
        deltas.push({ session: number, text: `${operation.document}: ${text}` })
    }
    return session
  })
  return { trace: { persona: life.persona, start: days[0]!, end: days.at(-1)!, sessions }, deltas, unread }
}

/** What a session does; or why that cannot be told. */
type Made = Pick<TraceSession, 'operation' | 'failed'> | { unread: string }

function operationsOf(life: ReleasedLife) {
  const tastes = life.sessions.flatMap((file) => {
    const { data } = TasteDetails.safeParse(file.session_type === 'preference' ? file.operation_details : undefined)
    return data ? [{ session: file.session_id, details: data, text: sharedBy(file).join(' ') }] : []
  })
  const domainOf = domainsOf(life, tastes)
  const days = new Map<string, string>()
  return (file: SessionFile, state: LifeState): Made => {
    switch (file.session_type) {
      case 'no_memory': {
        const { conversion_reason: reason } = file.operation_details
        return { operation: null, ...(typeof reason === 'string' && { failed: reason.replaceAll('_', ' ') }) }
      }
      case 'preference':
        return detailed(file, TasteDetails, (details) => taste(file, details, domainOf(details)))
      case 'goal':
        return detailed(file, GoalDetails, ({ subcategory, item, old_value }) => {
          const goal = subcategory === 'daily_steps' ? 'steps' : subcategory
          return { operation: { of: 'goal', act: 'set', goal, value: item, old: old_value ?? null } }
        })
      case 'activity':
        return 'content_data' in file.operation_details
          ? detailed(file, ContentDetails, (details) => written(details, state))
          : detailed(file, ActivityDetails, (details) => activity(file, details, days))
      default:
        return { unread: `session_type: "${file.session_type}" is of no known kind` }
    }
  }
}

function detailed<T>(
  { operation_details: given }: SessionFile,
  schema: z.ZodType<T>,
  make: (details: T) => Made,
): Made {
  const { data, error } = schema.safeParse(given)
  return error ? { unread: problemOf(error, 'operation_details') } : make(data)
}

function taste(file: SessionFile, details: TasteDetails, domain: Taste): Made {
  const { item, subcategory, preference: liking, old_preference: from, old_item: old } = details
  const what = { of: 'taste', domain, subcategory, item } as const
  const { operation: act } = file
  if (act === 'add' || act === 'delete') return { operation: { ...what, act, liking } }
  if (act !== 'update') return unknownAct(file)
  if (old !== undefined) return { operation: { ...what, act: 'replace', old, liking } }
  if (from === undefined) return { unread: 'operation_details.old_preference: an update needs it' }
  return { operation: { ...what, act: 'flip', from, to: liking } }
}

const unknownAct = ({ operation }: SessionFile): Made => ({ unread: `operation: "${operation}" is of no known kind` })

/** @param days of the events that were told, by name and by the day of telling, which is how published updates refer to them */
function activity(file: SessionFile, details: ActivityDetails, days: Map<string, string>): Made {
  const { operation: act } = file
  switch (details.category) {
    case 'food_expenses': {
      if (act !== 'add') return unknownAct(file)
      return { operation: { of: 'food', act, meal: details.item.expense_type, amount: details.item.amount } }
    }
    case 'step_tracker': {
      if (act !== 'add') return unknownAct(file)
      const { activity_type, step_count } = details.item
      return { operation: { of: 'steps', act, activity: activity_type, count: step_count } }
    }
    case 'todo_list': {
      if (act !== 'add' && act !== 'delete') return unknownAct(file)
      const { task_type, description: task } = details.item
      return { operation: { of: 'todo', act, list: task_type.startsWith('work') ? 'work' : 'personal', task } }
    }
    case 'calendar_event': {
      const { event_type: kind, event_name: event, created_at, date } = details.item
      const day = dayAfter(created_at, daysIn(date))
      const key = `${event} ${created_at}`
      const old = days.get(key) ?? 'never'
      if (act !== 'add' && act !== 'update' && act !== 'delete') return unknownAct(file)
      days.set(key, day)
      if (act === 'update') return { operation: { of: 'calendar', act, kind, event, day, old } }
      return { operation: { of: 'calendar', act, kind, event, day } }
    }
  }
}

/** Days of a distance such as "+2 weeks"; the release takes thirty for a month here too. */
function daysIn(distance: string): number {
  const [, count, unit] = /(\d+) (day|week|month)/.exec(distance)!
  return Number(count) * { day: 1, week: 7, month: 30 }[unit as 'day' | 'week' | 'month']
}

function written(details: ContentDetails, state: LifeState): Made {
  const { item: document, content_data: fields, memory_updates, memory_deletes, pool_status } = details
  const kind = RELEASED_KINDS[document.replace(/_\d+$/, '')]!
  const held = state.documents.find(({ id }) => id === document)
  const title = held?.title ?? String(fields[TITLES[kind]] ?? document)
  const of = { of: 'document', kind, document, title } as const
  if (!memory_updates && !memory_deletes) return { operation: { ...of, act: 'add', fields } }
  const all = [...(memory_updates ?? []), ...(memory_deletes ?? [])]
  const revisions = all.flatMap((one) => ('error' in one ? [] : [revision(one)]))
  if (revisions.length === 0) return { operation: null, failed: 'nothing to revise' }
  const completes = pool_status === 'completed'
  return { operation: { ...of, act: memory_updates ? 'update' : 'delete', revisions, completes } }
}

function revision(delta: Delta): Revision {
  const { field } = delta
  if ('added_item' in delta) return { field, change: 'added', value: delta.added_item }
  if ('removed_item' in delta) return { field, change: 'removed', value: delta.removed_item }
  if ('updated_from' in delta) return { field, change: 'revised', from: delta.updated_from, to: delta.updated_to }
  return { field, change: 'reverted', from: delta.reverted_from, to: delta.reverted_to }
}

/** Fields in which two documents differ; the order within lists does not matter. */
function differing(published: Record<string, FieldValue>, computed: Record<string, FieldValue>): string[] {
  const flat = (value: FieldValue | undefined) => JSON.stringify([value ?? []].flat().map(String).sort())
  const names = new Set([...Object.keys(published), ...Object.keys(computed)])
  return [...names]
    .filter((field) => flat(published[field]) !== flat(computed[field]))
    .map((field) => `${field} is ${flat(published[field])}, and its operations give ${flat(computed[field])}`)
}
