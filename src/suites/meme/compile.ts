import type { Cues, Fact, Gold, Probe, Question, Scenario, ScenarioEvent, Stance } from '../../model/index.js'
import { BEFORE, type Episode, type EpisodeQuestion, type Statement } from './episode.js'

/** Turns an episode into a scenario: its sessions with two probes between them, its statements and what follows from them as facts. */
export function compileEpisode(episode: Episode): Scenario {
  const said = episode.statements.map((statement) => saidFact(episode, statement))
  const derived = episode.questions.flatMap((question) => derivedFact(episode, question) ?? [])
  const facts = [...said, ...new Map(derived.map((fact) => [fact.id, fact])).values()]
  const known = new Set(facts.map(({ id }) => id))
  const probe = (id: 'before' | 'after'): ScenarioEvent => ({
    type: 'probe',
    probe: {
      id,
      time: episode.times[id],
      questions: episode.questions
        .filter((question) => question.probe === id)
        .map((question) => compileQuestion(episode, question, known)),
    } satisfies Probe,
  })
  const conversations = episode.sessions.map(
    ({ id, time, turns }): ScenarioEvent => ({ type: 'conversation', conversation: { id, time, turns } }),
  )
  const { storedBefore } = episode
  return {
    id: `meme/${episode.id}`,
    suite: 'meme',
    timeline: [
      ...conversations.slice(0, storedBefore),
      probe('before'),
      ...conversations.slice(storedBefore),
      probe('after'),
    ],
    facts,
  }
}

/** A statement as a fact. A change makes the values that rest on what it changed unreliable; a removal the value it removes. */
function saidFact(episode: Episode, statement: Statement): Fact {
  const { id, text, session, evidence, unsupported } = statement
  const invalidates = invalidatedBy(episode, statement)
  const replaced = replacedBy(episode, statement)
  return {
    id,
    text,
    ...(evidence && { evidence }),
    sources: [session],
    ...(unsupported !== undefined && { unsupported }),
    ...(replaced !== undefined && { replaces: replaced }),
    ...(invalidates.length > 0 && { invalidates }),
    cues: cuesOf(episode, statement),
  }
}

function cuesOf(
  episode: Episode,
  { stance, entity, value, parent, exact }: Omit<Statement, 'id' | 'text' | 'session'>,
): Cues {
  const names = episode.namesOf(entity)
  if (exact) return { kind: 'statement', explicit: true, parts: [{ role: 'value', forms: [value] }] }
  const conditions = parent
    ? [
        ...(parent.becomes === undefined
          ? episode.namesOf(parent.entity)
          : episode.formsOf(parent.entity, parent.becomes)),
        ...(parent.value === undefined ? [] : episode.formsOf(parent.entity, parent.value)),
      ]
    : []
  return {
    kind: 'state',
    stance,
    explicit: true,
    parts: [
      { role: 'what', forms: names },
      { role: 'value', forms: episode.formsOf(entity, value) },
      ...(conditions.length > 0 ? [{ role: 'condition' as const, forms: conditions }] : []),
    ],
  }
}

/** What a memory may have concluded by itself: the value that follows, or that the old one cannot be relied on. */
function derivedFact(episode: Episode, question: EpisodeQuestion): Fact | null {
  const [entity] = question.entities
  if (isCascade(question)) {
    const [value] = question.values as [string]
    return derived(episode, `resolved:${entity}`, 'held', entity!, value, `${episode.namesOf(entity!)[0]}: ${value}`)
  }
  if (isAbsence(question)) {
    const [value] = question.values as [string]
    const text = `${episode.namesOf(entity!)[0]}: was ${value}, no longer certain`
    return derived(episode, `doubt:${entity}`, 'doubted', entity!, value, text)
  }
  return null
}

function derived(episode: Episode, id: string, stance: Stance, entity: string, value: string, text: string): Fact {
  const invalidates = valuesOf(episode, entity).map((statement) => statement.id)
  return { id, text, sources: [], invalidates, cues: cuesOf(episode, { stance, entity, value }) }
}

function isCascade({ task }: EpisodeQuestion): boolean {
  return task === 'cascade' || task === 'conditioned-cascade'
}

function isAbsence({ task }: EpisodeQuestion): boolean {
  return task === 'absence' || task === 'implicit-absence'
}

/** Statements that give an entity its value at first. */
function valuesOf({ statements }: Episode, entity: string): Statement[] {
  return statements.filter(
    (one) => one.entity === entity && (one.stance === 'held' || one.stance === 'dependent') && !one.exact,
  )
}

function invalidatedBy(episode: Episode, { stance, entity, id }: Statement): string[] {
  if (stance === 'removed') return valuesOf(episode, entity).map((statement) => statement.id)
  if (stance === 'revoked') return announced(episode, entity)
  if (stance !== 'changed' || !id.startsWith('change:')) return []
  const dependents = transitiveDependents(episode, entity)
  return [...valuesOf(episode, entity), ...dependents.flatMap((one) => valuesOf(episode, one))].map((one) => one.id)
}

/** Changes of an entity that were announced and taken back. */
function announced({ statements }: Episode, entity: string): string[] {
  return statements.flatMap(({ id, entity: of }) => (of === entity && id.startsWith('announced:') ? [id] : []))
}

/** All entities that depend on an entity, directly or through others. */
export function transitiveDependents({ statements }: Episode, entity: string): string[] {
  const found = new Set<string>()
  const open = [entity]
  for (const at of open) {
    for (const { stance, parent, entity: child } of statements) {
      const linked = (stance === 'dependent' || stance === 'conditional') && parent?.entity === at
      if (!linked || found.has(child)) continue
      found.add(child)
      open.push(child)
    }
  }
  return [...found]
}

/** The value before it in a series. */
function replacedBy({ statements }: Episode, { id }: Statement): string | undefined {
  const [, series, place] = /^(track:.+):(\d+)$/.exec(id) ?? []
  const before = series === undefined ? undefined : `${series}:${Number(place) - 1}`
  return statements.find((one) => one.id === before)?.id
}

function parentsOf({ statements }: Episode, entity: string): string[] {
  return statements.flatMap((one) => (one.entity === entity && one.parent ? [one.parent.entity] : []))
}

function compileQuestion(episode: Episode, question: EpisodeQuestion, known: ReadonlySet<string>): Question {
  const [entity] = question.entities as [string]
  const derivedId = isCascade(question) ? `resolved:${entity}` : isAbsence(question) ? `doubt:${entity}` : undefined
  const values = valuesOf(episode, entity).map(({ id }) => id)
  const changed = isCascade(question) || isAbsence(question)
  return {
    id: question.id,
    task: question.task,
    text: question.text,
    needs: [question.needs, ...(derivedId !== undefined && known.has(derivedId) ? [[derivedId]] : [])],
    ...(question.task === 'deletion' && { gone: values }),
    ...(question.pair !== undefined && { pair: question.pair }),
    outdated:
      question.task === 'control-revoked'
        ? parentsOf(episode, entity).flatMap((parent) => announced(episode, parent))
        : changed || question.task === 'deletion'
          ? values
          : [],
    gold: goldOf(episode, question),
    tags: {
      ...episode.tags,
      domain: episode.domain,
      entity,
      root: episode.root.entity,
      ...(question.hop !== undefined && { hops: String(question.hop) }),
    },
    ...(question.flags && { flags: question.flags }),
  }
}

function goldOf(episode: Episode, { task, entities, values, old, needs, why }: EpisodeQuestion): Gold {
  const [entity] = entities as [string]
  const [value] = values as [string]
  const forms = episode.formsOf(entity, value)
  switch (task) {
    case 'exact-recall':
      return { kind: 'verbatim', text: value }
    case 'aggregation':
      return { kind: 'list', items: values, text: values.join('; ') }
    case 'tracking':
      return { kind: 'sequence', items: values, text: values.join(', then ') }
    case 'deletion':
      return { kind: 'withheld', value, forms, text: why }
    case 'absence':
    case 'implicit-absence':
      return { kind: 'unsure', old: value, forms, text: why }
    case BEFORE:
      return needs[0]!.startsWith('exact:')
        ? { kind: 'verbatim', text: value }
        : { kind: 'current', value, forms, old, lenient: true, text: value }
    default:
      return { kind: 'current', value, forms, old, text: `${value} (${why})` }
  }
}
