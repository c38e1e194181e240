import { dayAfter } from '../simulate/draw.js'
import { apply, EMPTY } from '../state.js'
import type { DocumentKind, FieldValue, Operation, Revision, State, Trace, TraceSession } from '../trace.js'
import { domainsOf } from './domains.js'
import { checked, misfit, type ReleasedLife, type SessionFile } from './read.js'
import { ActivityDetails, ContentDetails, type Delta, GoalDetails, TasteDetails } from './schema.js'

/** A published life as a trace, with what it says of itself that its operations do not give. */
export interface ImportedTrace {
  trace: Trace
  /** Documents that are published with another content than their operations give. */
  deltas: { session: number; text: string }[]
}

const KINDS: Record<string, DocumentKind> = {
  project_proposal: 'proposal',
  email_writeup: 'email',
  meeting_notes: 'notes',
  social_media_post: 'post',
}
/** The field that names a document. */
const TITLES: Record<DocumentKind, string> = {
  proposal: 'project_title',
  email: 'email_purpose',
  notes: 'meeting_title',
  post: 'main_message',
}

/** The trace of a published life. The state is not taken from the files; it follows from the operations. */
export function traceOf(life: ReleasedLife): ImportedTrace {
  const { start_date: start, end_date: end } = life.questions.date_range
  const deltas: ImportedTrace['deltas'] = []
  const make = operationsOf(life)
  let state = EMPTY
  const sessions = life.sessions.map((file): TraceSession => {
    const session = { number: file.session_id, day: file.date, ...make(file, state) }
    state = apply(state, session)
    const { operation } = session
    if (operation?.of === 'document') {
      const published = detailsOf(file, ContentDetails).content_data
      for (const text of differing(published, fieldsOf(state, operation.document))) {
        deltas.push({ session: file.session_id, text: `${operation.document}: ${text}` })
      }
    }
    return session
  })
  return { trace: { persona: life.persona, start, end, sessions }, deltas }
}

function operationsOf(life: ReleasedLife) {
  const tastes = life.sessions
    .filter(({ session_type }) => session_type === 'preference')
    .map((file) => ({
      details: detailsOf(file, TasteDetails),
      text: file.conversation.flatMap((turn) => (turn.share_memory ? [turn.message] : [])).join(' '),
    }))
  const domainOf = domainsOf(life, tastes)
  const days = new Map<string, string>()
  return (file: SessionFile, state: State): Pick<TraceSession, 'operation' | 'failed'> => {
    switch (file.session_type) {
      case 'no_memory': {
        const { conversion_reason: reason } = file.operation_details
        return { operation: null, ...(typeof reason === 'string' && { failed: reason.replaceAll('_', ' ') }) }
      }
      case 'preference': {
        const details = detailsOf(file, TasteDetails)
        return { operation: taste(file, details, domainOf(details)) }
      }
      case 'goal': {
        const { subcategory, item, old_value } = detailsOf(file, GoalDetails)
        const goal = subcategory === 'daily_steps' ? 'steps' : subcategory
        return { operation: { of: 'goal', act: 'set', goal, value: item, old: old_value ?? null } }
      }
      case 'activity':
        return {
          operation:
            'content_data' in file.operation_details
              ? written(detailsOf(file, ContentDetails), state)
              : activity(file, detailsOf(file, ActivityDetails), days),
        }
    }
  }
}

function detailsOf<T>(file: SessionFile, schema: Parameters<typeof checked<T>>[2]): T {
  return checked(file.file, file.operation_details, schema, 'operation_details')
}

function taste(file: SessionFile, details: TasteDetails, domain: (Operation & { of: 'taste' })['domain']): Operation {
  const { item, subcategory, preference: liking, old_preference: from, old_item: old } = details
  const what = { of: 'taste', domain, subcategory, item } as const
  if (file.operation === 'add' || file.operation === 'delete') return { ...what, act: file.operation, liking }
  if (old !== undefined) return { ...what, act: 'replace', old, liking }
  if (from === undefined) throw misfit(file.file, 'operation_details.old_preference', 'an update needs it')
  return { ...what, act: 'flip', from, to: liking }
}

/** @param days of the events that were told, by name and by the day of telling, which is how published updates refer to them */
function activity(file: SessionFile, details: ActivityDetails, days: Map<string, string>): Operation {
  switch (details.category) {
    case 'food_expenses':
      return { of: 'food', act: 'add', meal: details.item.expense_type, amount: details.item.amount }
    case 'step_tracker':
      return { of: 'steps', act: 'add', activity: details.item.activity_type, count: details.item.step_count }
    case 'todo_list': {
      const { task_type, description: task } = details.item
      const list = task_type.startsWith('work') ? 'work' : 'personal'
      return { of: 'todo', act: file.operation === 'delete' ? 'delete' : 'add', list, task }
    }
    case 'calendar_event': {
      const { event_type: kind, event_name: event, created_at, date } = details.item
      const day = dayAfter(created_at, Number(/\d+/.exec(date)![0]))
      const key = `${event} ${created_at}`
      const old = days.get(key) ?? 'never'
      days.set(key, day)
      if (file.operation === 'update') return { of: 'calendar', act: 'update', kind, event, day, old }
      return { of: 'calendar', act: file.operation === 'delete' ? 'delete' : 'add', kind, event, day }
    }
  }
}

function written(details: ContentDetails, state: State): Operation {
  const { item: document, content_data: fields, memory_updates, memory_deletes, pool_status } = details
  const kind = KINDS[document.replace(/_\d+$/, '')]!
  const held = state.documents.find(({ id }) => id === document)
  const title = held?.title ?? String(fields[TITLES[kind]] ?? document)
  const of = { of: 'document', kind, document, title } as const
  if (!memory_updates && !memory_deletes) return { ...of, act: 'add', fields }
  const revisions = [...(memory_updates ?? []), ...(memory_deletes ?? [])].map(revision)
  return { ...of, act: memory_updates ? 'update' : 'delete', revisions, completes: pool_status === 'completed' }
}

function revision(delta: Delta): Revision {
  const { field } = delta
  if ('added_item' in delta) return { field, change: 'added', value: delta.added_item }
  if ('removed_item' in delta) return { field, change: 'removed', value: delta.removed_item }
  if ('updated_from' in delta) return { field, change: 'revised', from: delta.updated_from, to: delta.updated_to }
  return { field, change: 'reverted', from: delta.reverted_from, to: delta.reverted_to }
}

function fieldsOf({ documents }: State, document: string): Record<string, FieldValue> {
  return documents.find(({ id }) => id === document)?.fields ?? {}
}

/** Fields in which two documents differ; the order within lists does not matter. */
function differing(published: Record<string, FieldValue>, computed: Record<string, FieldValue>): string[] {
  const flat = (value: FieldValue | undefined) => JSON.stringify([value ?? []].flat().map(String).sort())
  const names = new Set([...Object.keys(published), ...Object.keys(computed)])
  return [...names]
    .filter((field) => flat(published[field]) !== flat(computed[field]))
    .map((field) => `${field} is ${flat(published[field])}, and its operations give ${flat(computed[field])}`)
}
