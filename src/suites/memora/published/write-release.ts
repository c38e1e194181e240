import { questionsOf, type Scenario } from '../../../model/index.js'
import { distance } from '../days.js'
import type { SpokenSession } from '../talk/talk.js'
import { type LifeTrace, type Revision, TASKS, type TraceSession } from '../trace.js'
import { TITLES } from './operations.js'
import { OWN_GENERATOR } from './schema.js'
import { RELEASED_KINDS } from './topic.js'

/** The sessions of a life as files of the published layout. */
export function releasedSessions(trace: LifeTrace, spoken: readonly SpokenSession[]): object[] {
  const details = detailer(documentIds(trace))
  return trace.sessions.map((session, at) => {
    // Which document is revised, and that it is complete, is said in turns that share nothing.
    const unshared =
      session.operation?.of === 'document' && session.operation.act !== 'add' ? ['item', 'completes'] : []
    const parts = Object.entries(spoken[at]!.said).filter(([part]) => !unshared.includes(part))
    const said = new Set(parts.flatMap(([, sentences]) => sentences))
    return {
      session_id: session.number,
      ...details(session),
      date: session.day,
      persona: trace.persona,
      conversation: spoken[at]!.turns.map(({ role, text }, turn) => ({
        turn: turn + 1,
        speaker: role === 'user' ? 'user_agent' : 'ai_agent',
        message: text,
        share_memory: role === 'user' && [...said].some((sentence) => text.includes(sentence)),
      })),
    }
  })
}

/** The questions about a life as a file of the published layout. Their ids are our own. */
export function releasedQuestions({ persona, start, end }: LifeTrace, scenario: Scenario): object {
  const { facts } = scenario
  const sources = new Map(facts.map(({ id, sources: own }) => [id, own.map(Number)]))
  const sessionsOf = (ids: readonly string[]) => [...new Set(ids.flatMap((id) => sources.get(id) ?? []))]
  const asked = questionsOf(scenario)
  const published = (task: string) =>
    asked.flatMap(({ id, task: own, text, gold, needs, outdated }) => {
      if (own !== task || gold.kind !== 'criteria') return []
      return {
        question_id: id,
        question: text,
        question_date: end,
        memory_evidence: { session_history: sessionsOf(needs[0] ?? []) },
        forgetting_evidence: { session_history: sessionsOf(outdated) },
        evaluation: {
          evaluation_questions: gold.criteria.map(({ text: wording, type, expected }, at) => ({
            evaluation_question_id: `${id}_eval_${at}`,
            evaluation_question: wording,
            expected_answer: expected,
            evaluation_type: type === 'presence' ? 'memory_presence' : 'forgetting_absence',
          })),
        },
      }
    })
  return {
    generator: OWN_GENERATOR,
    persona,
    date_range: { start_date: start, end_date: end },
    questions: Object.fromEntries(TASKS.map((task) => [task, published(task)])),
  }
}

/** The ids that documents get in a release, by those they have in a trace. */
function documentIds(trace: LifeTrace): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { operation: one } of trace.sessions) {
    if (one?.of === 'document' && !ids.has(one.document)) ids.set(one.document, `${KINDS[one.kind]}_${ids.size + 1}`)
  }
  return ids
}

/** What releases call the kinds of documents. */
const KINDS = Object.fromEntries(Object.entries(RELEASED_KINDS).map(([name, kind]) => [kind, name]))

/** Operations as published files have them; documents are numbered, and events go by the day on which they were told. */
function detailer(ids: ReadonlyMap<string, string>) {
  const told = new Map<string, string>()
  const contents = new Map<string, Record<string, unknown>>()
  return ({ operation, day, failed }: TraceSession) => {
    switch (operation?.of) {
      case undefined:
        return shaped('no_memory', null, failed === undefined ? {} : { conversion_reason: failed })
      case 'taste': {
        const { item, subcategory, act } = operation
        const as = (operation: string, preference: string, old = {}) =>
          shaped('preference', operation, { item, subcategory, preference, ...old })
        if (act === 'flip') return as('update', operation.to, { old_preference: operation.from })
        const { liking } = operation
        return act === 'replace'
          ? as('update', liking, { old_item: operation.old, old_preference: liking })
          : as(act, liking)
      }
      case 'food':
        return activity('add', 'food_expenses', { expense_type: operation.meal, amount: operation.amount }, day)
      case 'steps': {
        const { activity: activity_type, count: step_count } = operation
        return activity('add', 'step_tracker', { activity_type, step_count }, day)
      }
      case 'todo': {
        const { act, list, task: description } = operation
        return activity(act, 'todo_list', { task_type: `${list}_tasks`, description }, day)
      }
      case 'calendar': {
        const { act, event, kind } = operation
        if (act === 'add') told.set(event, day)
        const created = told.get(event)!
        const date = `+${distance(created, operation.day)} days`
        return activity(act, 'calendar_event', { event_type: kind, event_name: event, date }, created)
      }
      case 'goal': {
        const subcategory = operation.goal === 'steps' ? 'daily_steps' : operation.goal
        return shaped('goal', 'add', { subcategory, item: operation.value, old_value: operation.old })
      }
      case 'document': {
        const item = ids.get(operation.document)!
        const before = contents.get(item) ?? {}
        const content_data =
          operation.act === 'add'
            ? { [TITLES[operation.kind]]: operation.title, ...operation.fields }
            : operation.revisions.reduce(revised, before)
        contents.set(item, content_data)
        if (operation.act === 'add') return shaped('activity', 'add', { item, content_data, pool_status: 'draft' })
        const deltas = operation.revisions.map(delta)
        const list = operation.act === 'update' ? { memory_updates: deltas } : { memory_deletes: deltas }
        const pool_status = operation.completes ? 'completed' : 'draft'
        return shaped('activity', operation.act, { item, content_data, pool_status, ...list })
      }
    }
  }
}

function shaped(session_type: string, operation: string | null, operation_details: Record<string, unknown>) {
  return { session_type, operation, operation_details }
}

const activity = (act: string, category: string, item: Record<string, unknown>, created_at: string) =>
  shaped('activity', act, { category, item: { ...item, created_at } })

function revised(content: Record<string, unknown>, revision: Revision): Record<string, unknown> {
  const { field } = revision
  if (!('value' in revision)) return { ...content, [field]: revision.to }
  const held = [content[field] ?? []].flat()
  const list = revision.change === 'added' ? [...held, revision.value] : held.filter((one) => one !== revision.value)
  const { [field]: _, ...others } = content
  return list.length === 0 ? others : { ...content, [field]: list }
}

function delta(revision: Revision): Record<string, unknown> {
  const { field } = revision
  if ('value' in revision)
    return { field, [revision.change === 'added' ? 'added_item' : 'removed_item']: revision.value }
  const word = revision.change === 'revised' ? 'updated' : 'reverted'
  return { field, [`${word}_from`]: revision.from, [`${word}_to`]: revision.to }
}
