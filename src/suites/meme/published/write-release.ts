import { groupBy } from '../../../base/group-by.js'
import { BEFORE, type Episode, type EpisodeQuestion, type Statement } from '../episode.js'
import { TASK_OF } from './questions.js'

/** What the published files call the tasks; they have no others. */
const LABELS = new Map<string, string>(Object.entries(TASK_OF).map(([label, task]) => [task, label]))

/** An episode in the layout of the release. Questions of tasks that the paper does not have are left out. */
export function releasedEpisode(episode: Episode): object {
  const { id, domain, root, sessions, statements, questions, storedBefore, times } = episode
  const asked = questions.filter(({ task }) => LABELS.has(task))
  const pairs = new Set(asked.map(({ pair }) => pair))
  const before = questions.filter((one) => one.task === BEFORE && pairs.has(one.id))
  const taskOf = new Map(asked.map((question) => [question.id.split('/')[1]!, question]))
  const said = groupBy(statements, ({ session }) => session)
  const edges = statements.filter(
    ({ stance, parent }) => parent && (stance === 'dependent' || stance === 'conditional'),
  )
  return {
    episode_id: id.replace(/@.*$/, ''),
    domain: domain.replace('-', '_'),
    root: root.entity,
    root_change: { before: root.before, after: root.after },
    chain_entities: [...new Set(edges.map(({ entity }) => entity))],
    entities: Object.fromEntries(
      [...groupBy(statements, ({ entity }) => entity)].map(([entity, own]) => [entity, stateOf(episode, own, asked)]),
    ),
    dependency_edges_used: [...new Map(edges.map((one) => [one.entity, one])).values()].map(({ entity, parent }) => ({
      source: parent!.entity,
      target: entity,
      hop: taskOf.get(entity)?.hop ?? 1,
    })),
    sessions: sessions.map(({ id: session, time, turns, evidence }) => ({
      session_id: session,
      type: evidence ? 'evidence' : 'filler',
      timestamp: timestamp(time),
      conversation: turns.map(({ role, text }) => ({ role, content: text })),
      ...(evidence && { gold_facts: (said.get(session) ?? []).flatMap((one) => goldFact(one, episode)) }),
    })),
    before_questions: {
      timestamp: timestamp(times.before),
      position_after_session: storedBefore,
      questions: before.map((one) => ({
        ...askedAs(one, LABELS.get(asked.find(({ pair }) => pair === one.id)!.task)!),
        expected_answer: one.values[0],
      })),
    },
    after_questions: {
      timestamp: timestamp(times.after),
      position_after_session: sessions.length,
      questions: asked.map((one) => ({ ...askedAs(one, LABELS.get(one.task)!), gold_answer: goldAnswer(one) })),
    },
  }
}

function stateOf({ root }: Episode, own: readonly Statement[], asked: readonly EpisodeQuestion[]): object {
  const { entity } = own[0]!
  const history = own.filter(({ id }) => id.startsWith('track:')).map(({ value }) => value)
  const first = own.find(({ stance }) => stance === 'held' || stance === 'dependent')?.value ?? null
  const question = asked.find(({ entities, task }) => entities[0] === entity && task !== 'aggregation')
  const isGone = question?.task === 'absence' || question?.task === 'deletion'
  const rule = own.find(({ stance }) => stance === 'conditional')
  const after = entity === root.entity ? root.after : isGone ? null : (rule?.value ?? history.at(-1) ?? first)
  return {
    before: history.at(-1) ?? first,
    after,
    ...(history.length > 0 && { history }),
    ...(rule?.parent && { cascade_source: rule.parent.entity }),
  }
}

/** What is only thought of, or taken back, has no place in the release. */
function goldFact(
  { id, stance, entity, value, parent, text, exact, session }: Statement,
  { sessions }: Episode,
): object[] {
  if (stance === 'considered' || stance === 'revoked' || id.startsWith('announced:')) return []
  const turns = sessions.find((one) => one.id === session)!.turns
  return [
    {
      fact_id: id,
      entity,
      value,
      original_seed: text,
      fact_text: text,
      conveyed_in_turn: turns.findIndex((turn) => turn.role === 'user' && turn.text.includes(text)),
      conveyed: true,
      ...(parent && { has_dependency: true, dependency_source: parent.entity }),
      ...(stance === 'conditional' && { is_if_then: true }),
      ...(exact && { is_exact: true }),
      ...(id.startsWith('change:') && { type: 'root_change' }),
      ...(stance === 'removed' && { type: 'delete' }),
    },
  ]
}

function askedAs({ entities, values, text, hop, task, old }: EpisodeQuestion, label: string): object {
  const held = (at: number) => (task === 'tracking' ? values : (values[at] ?? old[0] ?? ''))
  return {
    task_type: label,
    entity: entities,
    entity_values: Object.fromEntries(entities.map((entity, at) => [entity, held(at)])),
    question: text,
    ...(hop !== undefined && { hop }),
  }
}

function goldAnswer({ task, values, why }: EpisodeQuestion): string {
  if (task === 'absence') return `Uncertain: it was ${values[0]}. ${why}`
  return task === 'deletion' ? 'No: it was removed on request.' : values.join(', ')
}

/** "2023-03-01T09:00:00Z" as the release writes it. */
function timestamp(time: string): string {
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][new Date(time).getUTCDay()]
  return `${time.slice(0, 10).replaceAll('-', '/')} (${day}) ${time.slice(11, 16)}`
}
