import type { AuditNote, View } from '../../../model/index.js'
import { type AfterTask, BEFORE, type EpisodeQuestion, type PaperTask, type Statement } from '../episode.js'
import { worldOf } from '../skeleton.js'
import { findEpisodeDefects, type SkeletonFinding } from '../skeleton-findings.js'
import { differences } from '../skeleton-gold.js'
import { explain, lastKnown, type SolvedState, solve } from '../solver.js'
import { Grounds } from './grounds.js'
import type { Released } from './released.js'
import type { AskedQuestion } from './schema.js'

/** What is asked of an episode, what questions rest on without its being said, and what was noticed. */
export interface ReleasedQuestions {
  questions: EpisodeQuestion[]
  unsaid: Statement[]
  audit: AuditNote[]
}

/** Our names of the published tasks. */
export const TASK_OF: Record<AskedQuestion['task_type'], PaperTask> = {
  ER: 'exact-recall',
  Agg: 'aggregation',
  Tr: 'tracking',
  Del: 'deletion',
  Cas: 'cascade',
  Abs: 'absence',
}

/** What a question is about whose entity ends in such a state. */
const TASK_BY_STATE: Record<SolvedState['kind'], AfterTask> = {
  value: 'cascade',
  unknown: 'absence',
  unchanged: 'control-unchanged',
  deleted: 'deletion',
}

/**
 * The questions of an episode. Released: all of them, with the gold of the release. Audited: with the solver's gold; those that rest on
 * what nobody said, or ask for a change that is none, are left out. Whatever is noticed is noted in both.
 */
export function questionsOfRelease(
  released: Released,
  statements: readonly Statement[],
  view: View,
): ReleasedQuestions {
  const { skeleton } = released
  const solution = solve(worldOf(released))
  const grounds = new Grounds(released, statements, solution)
  const noticed = findEpisodeDefects(released)
  const wrong = new Map(differences(released).map((one) => [`${one.task} ${one.entity}`, one]))
  const audit: AuditNote[] = []
  const note = (task: string, entity: string, action: AuditNote['action'], why: string) =>
    audit.push({ task, row: `${skeleton.episode_id} ${entity}`, action, why })

  const before = released.before.flatMap((asked): EpisodeQuestion[] => {
    const entity = asked.entity[0]!
    const value = valuesIn(asked)[0]!
    const needs = [grounds.held(entity, value)]
    const lacking = grounds.lacking(needs)
    if (lacking !== undefined) note(BEFORE, entity, view === 'audited' ? 'dropped' : 'flagged', lacking)
    if (lacking !== undefined && view === 'audited') return []
    return [
      {
        id: `before/${entity}`,
        task: BEFORE,
        probe: 'before',
        entities: [entity],
        text: asked.question,
        values: [value],
        old: [],
        needs,
        why: 'It was said and nothing has changed yet.',
        ...(lacking !== undefined && { flags: [lacking] }),
      },
    ]
  })
  const known = new Set(before.map(({ id }) => id))

  const after = released.after.flatMap((asked): EpisodeQuestion[] => {
    const entity = asked.entity[0]!
    const about = noticed.filter((one) => one.entity === entity && concerns(one, asked))
    const difference = wrong.get(`${asked.task_type} ${entity}`)
    const state = solution.states.get(entity)!
    const repaired = view === 'audited' && difference !== undefined
    const task = repaired ? TASK_BY_STATE[state.kind] : TASK_OF[asked.task_type]
    const values = repaired ? [lastKnown(state) ?? ''] : valuesIn(asked)
    const needs = grounds.needs(task, asked.entity, values)
    const first = skeleton.entities[entity]?.before ?? undefined
    const mustBeKnown = ['Cas', 'Abs', 'Del'].includes(asked.task_type) && first !== undefined
    const lacking = grounds.lacking(mustBeKnown ? [grounds.held(entity, first), ...needs] : needs)
    const noChange = about.find(({ code }) => code === 'CAS_NOOP')?.why
    const hopeless = noChange ?? lacking
    if (hopeless !== undefined && view === 'audited') {
      note(task, entity, 'dropped', about.find(({ code }) => code.endsWith('NEVER_STATED'))?.why ?? hopeless)
      return []
    }
    const flags = difference ? [difference.why] : about.map(({ why }) => why)
    if (hopeless !== undefined && flags.length === 0) flags.push(hopeless)
    for (const why of flags) note(TASK_OF[asked.task_type], entity, repaired ? 'repaired' : 'flagged', why)
    const isPaired = known.has(`before/${entity}`) && asked.entity.length === 1 && asked.task_type !== 'Tr'
    return [
      {
        id: `${task}/${entity}`,
        task,
        probe: 'after',
        entities: asked.entity,
        text: asked.question,
        values,
        old: task === 'cascade' && first !== undefined && !values.includes(first) ? [first] : [],
        needs,
        why: difference && !repaired ? (asked.gold_answer ?? 'As released.') : reasonFor(task, state),
        ...(asked.hop !== undefined && { hop: asked.hop }),
        ...(isPaired && { pair: `before/${entity}` }),
        ...(flags.length > 0 && { flags }),
      },
    ]
  })
  const questions = [...before, ...after]
  const used = new Set(questions.flatMap(({ needs }) => needs))
  return { questions, unsaid: grounds.unsaid.filter(({ id }) => used.has(id)), audit }
}

function valuesIn({ entity, entity_values }: AskedQuestion): string[] {
  return entity.flatMap((id) => entity_values[id] ?? [])
}

/** Findings begin with the task they are about; those about a rule concern any question for its entity. */
function concerns({ code }: SkeletonFinding, { task_type }: AskedQuestion): boolean {
  return code.startsWith('RULE') || code.startsWith(task_type.toUpperCase())
}

function reasonFor(task: AfterTask, state: SolvedState): string {
  if (task === 'exact-recall') return 'It was given to be kept word for word.'
  if (task === 'aggregation') return 'Each was said by itself.'
  if (task === 'tracking') return 'Each took the place of the one before.'
  return explain(state.why)
}
