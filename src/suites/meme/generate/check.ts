import { type AfterTask, BEFORE, type Episode, type EpisodeQuestion, type Statement } from '../episode.js'
import { textProblems } from './check-texts.js'

/** What is wrong with an episode, in a sentence; the question it is about, if it is about one. */
export interface Problem {
  kind: 'ambiguous' | 'unsolvable' | 'gold' | 'text'
  question?: string
  why: string
}

/** What holds for an entity in the end. `several`: what was said allows more than one answer. */
type End =
  | { kind: 'kept' | 'new'; value: string }
  | { kind: 'unknown' | 'removed'; value: string }
  | { kind: 'several'; values: string[] }
  | { kind: 'untold' }

/** In which end an entity must be for a task to be what it is called. */
const ENDS: Partial<Record<AfterTask, End['kind']>> = {
  cascade: 'new',
  'conditioned-cascade': 'new',
  absence: 'unknown',
  'implicit-absence': 'unknown',
  deletion: 'removed',
  'control-unchanged': 'kept',
  'control-hypothetical': 'kept',
  'control-revoked': 'kept',
}

/**
 * Checks an episode by what is said in it, without the solver that made its gold: everything asked follows from the statements, in one way
 * only, and is what the question expects; no value can be taken for another. An empty list means that the episode is sound.
 */
export function check(episode: Episode): Problem[] {
  const ends = endsOf(episode.statements)
  const said = new Map(episode.statements.map((statement) => [statement.id, statement]))
  const problems: Problem[] = [...toldProblems(episode), ...textProblems(episode)]
  if (said.size < episode.statements.length) problems.push({ kind: 'text', why: 'Two statements share an id.' })
  for (const question of episode.questions) {
    const add = (kind: Problem['kind'], why: string) => problems.push({ kind, question: question.id, why })
    const missing = question.needs.filter((id) => !said.has(id))
    if (missing.length > 0 || question.needs.length === 0)
      add('unsolvable', `It needs what nobody says: ${missing.join(', ')}.`)
    const needed = question.needs.flatMap((id) => said.get(id) ?? [])
    const wrong = question.task === BEFORE ? askedBefore(episode, question) : askedAfter(question, ends, episode)
    if (wrong) add(...wrong)
    const own = needed.filter(({ entity }) => question.entities.includes(entity))
    if (own.length === 0) add('unsolvable', 'Nothing it needs is about what it asks for.')
    const end = ENDS[question.task as AfterTask]
    if ((end === 'new' || end === 'unknown') && !suffice(needed, question))
      add('unsolvable', 'What it needs does not lead to what it expects.')
  }
  return problems
}

/** Whether an answer follows from some statements alone, and from no fewer. */
function suffice(needed: readonly Statement[], { entities, task, values }: EpisodeQuestion): boolean {
  const leads = (statements: readonly Statement[]) => {
    const end = endsOf(statements).get(entities[0]!)
    return end !== undefined && end.kind === ENDS[task as AfterTask] && 'value' in end && end.value === values[0]
  }
  return leads(needed) && needed.every((one) => !leads(needed.filter((other) => other !== one)))
}

type Wrong = [kind: Problem['kind'], why: string] | undefined

function askedBefore({ statements, sessions, storedBefore }: Episode, { entities, values }: EpisodeQuestion): Wrong {
  const early = new Set(sessions.slice(0, storedBefore).map(({ id }) => id))
  const told = firstValues(statements.filter(({ session }) => early.has(session))).get(entities[0]!) ?? new Set()
  if (told.size > 1) return ['ambiguous', `It was said to be ${[...told].join(' and ')}.`]
  if (told.size === 0) return ['unsolvable', 'Its value is not said before it is asked for.']
  return told.has(values[0]!) ? undefined : ['gold', `It was said to be ${[...told][0]}, not ${values[0]}.`]
}

function askedAfter(question: EpisodeQuestion, ends: ReadonlyMap<string, End>, { statements }: Episode): Wrong {
  const { task, entities, values } = question
  if (task === 'tracking') {
    const series = statements.filter(({ id }) => id.startsWith(`track:${entities[0]}:`)).map(({ value }) => value)
    return series.join('\n') === values.join('\n') ? undefined : ['gold', `The series is ${series.join(', ')}.`]
  }
  for (const [i, entity] of entities.entries()) {
    const end = ends.get(entity) ?? { kind: 'untold' }
    if (end.kind === 'several') return ['ambiguous', `${entity} may be ${end.values.join(' or ')}.`]
    if (end.kind === 'untold') return ['unsolvable', `Nothing is said of ${entity}.`]
    const expected = ENDS[task as AfterTask] ?? 'kept'
    if (end.kind !== expected) return ['gold', `${entity} is ${end.kind}, not ${expected}.`]
    if (end.value !== values[i]) return ['gold', `${entity} is ${end.value}, not ${values[i]}.`]
  }
  return undefined
}

/** Values said of an entity as what it is at first; more than one is one too many. */
function firstValues(statements: readonly Statement[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>()
  for (const { stance, entity, value, id } of statements) {
    if ((stance !== 'held' && stance !== 'dependent') || id.startsWith('track:')) continue
    values.set(entity, (values.get(entity) ?? new Set()).add(value))
  }
  return values
}

/** Lets the change run through what was said, again and again until nothing moves. */
function endsOf(statements: readonly Statement[]): Map<string, End> {
  const ends = new Map<string, End>()
  const first = firstValues(statements)
  for (const [entity, values] of first) {
    const [value] = values
    ends.set(entity, values.size > 1 ? { kind: 'several', values: [...values] } : { kind: 'kept', value: value! })
  }
  const takenBack = new Set(statements.filter(({ stance }) => stance === 'revoked').map(({ entity }) => entity))
  for (const { id, stance, entity, value } of statements) {
    if (stance === 'changed' && !id.startsWith('track:') && !takenBack.has(entity))
      ends.set(entity, { kind: 'new', value })
  }
  const links = statements.filter(({ stance }) => stance === 'dependent' || stance === 'conditional')
  const entities = [...new Set(links.map(({ entity }) => entity))]
  for (let moved = true, rounds = 0; moved && rounds <= entities.length; rounds++) {
    moved = false
    for (const entity of entities) {
      const next = followed(entity, links, ends, [...(first.get(entity) ?? [])][0])
      if (next && JSON.stringify(next) !== JSON.stringify(ends.get(entity))) {
        ends.set(entity, next)
        moved = true
      }
    }
  }
  for (const { stance, entity, value } of statements)
    if (stance === 'removed') ends.set(entity, { kind: 'removed', value })
  return ends
}

/** What becomes of an entity whose parents ended so. */
function followed(
  entity: string,
  links: readonly Statement[],
  ends: ReadonlyMap<string, End>,
  first: string | undefined,
): End | undefined {
  const own = links.filter((link) => link.entity === entity)
  const moved = own.filter(({ parent }) => ['new', 'unknown', 'several'].includes(ends.get(parent!.entity)?.kind ?? ''))
  if (moved.length === 0) return undefined
  const given = new Set<string>()
  for (const { stance, parent, value } of moved) {
    const end = ends.get(parent!.entity)!
    if (stance !== 'conditional' || end.kind !== 'new') continue
    if (parent!.becomes === undefined || parent!.becomes === end.value) given.add(value)
  }
  const parents = new Set(moved.map(({ parent }) => parent!.entity))
  if (given.size > 1 || parents.size > 1) return { kind: 'several', values: [...given] }
  const [value] = given
  if (value === undefined) return first === undefined ? undefined : { kind: 'unknown', value: first }
  return value === first ? { kind: 'kept', value } : { kind: 'new', value }
}

/** Things that must not be said twice, or in another order. */
function toldProblems({ statements, sessions, storedBefore, root }: Episode): Problem[] {
  const problems: Problem[] = []
  const place = new Map(sessions.map(({ id }, i) => [id, i]))
  const changes = statements.filter(({ id }) => id.startsWith('change:'))
  if (changes.length !== 1 || changes[0]!.entity !== root.entity || changes[0]!.value !== root.after)
    problems.push({ kind: 'ambiguous', why: `The change of ${root.entity} is said ${changes.length} times.` })
  for (const { session, id, stance } of statements) {
    const isLate = place.get(session)! >= storedBefore
    const isEvent = ['change:', 'delete:', 'considered:', 'announced:', 'revoked:'].some((kind) => id.startsWith(kind))
    if (isEvent && !isLate) problems.push({ kind: 'text', why: `${id} is said before the first questions.` })
    if (isLate && (stance === 'dependent' || stance === 'conditional' || id.startsWith('track:')))
      problems.push({ kind: 'text', why: `${id} is said after the first questions.` })
  }
  const series = statements.filter(({ id }) => id.startsWith('track:')).map(({ session }) => place.get(session)!)
  if (series.some((at, i) => i > 0 && at <= series[i - 1]!))
    problems.push({ kind: 'ambiguous', why: 'The values of the series are not said one session after the other.' })
  return problems
}
