import { NULL_LIKE, rulesOf, type Skeleton, type SkeletonQuestion, statementOf, worldOf } from './skeleton.js'
import { differences } from './skeleton-gold.js'
import { entityWords, solve } from './solver.js'

/** Defects of published episodes that code can find. All but the last are those of the published audit. */
export const SKELETON_CODES = [
  'ABS_HAS_DECLARED_RULE',
  'DEL_IN_CASCADE_CHAIN',
  'CAS_BEFORE_NEVER_STATED',
  'CAS_AFTER_NULL_LIKE',
  'CAS_NOOP',
  'ABS_NEVER_STATED',
  'CAS2_MIDDLE_DOES_NOT_CHANGE',
  'RULE_VALUE_IS_LITERAL_deleted',
  'TR_NEVER_STATED',
] as const
export type SkeletonCode = (typeof SKELETON_CODES)[number]

/** A defect of an episode; `gold` tells whether the solver's answer is another one because of it. */
export interface SkeletonFinding {
  episode: string
  code: SkeletonCode
  entity: string
  gold: 'stands' | 'differs'
  why: string
}

/** What is wrong with an episode, found from what it says and asks. */
export function findings(episode: Skeleton): SkeletonFinding[] {
  const differs = new Set(differences(episode).map(({ task, entity }) => `${task} ${entity}`))
  return [
    ...episode.after_questions.flatMap((question) => questionFindings(episode, question)),
    ...ruleFindings(episode),
  ].map(({ task, ...found }) => ({
    episode: episode.episode_id,
    ...found,
    gold: differs.has(`${task} ${found.entity}`) ? 'differs' : 'stands',
  }))
}

type Found = Pick<SkeletonFinding, 'code' | 'entity' | 'why'> & { task: SkeletonQuestion['task_type'] | undefined }

function questionFindings(episode: Skeleton, question: SkeletonQuestion): Found[] {
  const entity = question.entity[0]!
  const task = question.task_type
  const { before = null, history = [], cascade_source } = episode.entities[entity] ?? {}
  const name = entityWords(entity)
  const rule = rulesOf(episode).find((said) => said.entity === entity)
  const stated = before !== null && statementOf(episode, entity, before) !== undefined
  const found: Found[] = []
  const add = (code: SkeletonCode, why: string) => found.push({ code, entity, why, task })

  if (task === 'Abs') {
    if (rule) add('ABS_HAS_DECLARED_RULE', `Doubt is expected, but the user declared: "${rule.gold_fact}".`)
    if (!stated) add('ABS_NEVER_STATED', `No sentence says that ${name} was "${before}", nor what it depends on.`)
  }
  if (task === 'Cas') {
    const after = question.entity_values[entity]
    if (!stated)
      add('CAS_BEFORE_NEVER_STATED', `No sentence says that ${name} was "${before}", so nobody can know it before.`)
    if (typeof after === 'string' && NULL_LIKE.has(after)) {
      add(
        'CAS_AFTER_NULL_LIKE',
        `The new value of ${name} is "${after}", which the published pools use for having none.`,
      )
    }
    if (after === before) add('CAS_NOOP', `The rule for ${name} gives "${before}", which it is already.`)
    if (question.hop === 2 && cascade_source !== undefined) {
      const why = middleStays(episode, cascade_source)
      if (why) add('CAS2_MIDDLE_DOES_NOT_CHANGE', why)
    }
  }
  if (task === 'Del' && episode.chain_entities.includes(entity)) {
    add('DEL_IN_CASCADE_CHAIN', `The deleted ${name} also hangs on ${entityWords(episode.root)}, which changes.`)
  }
  if (task === 'Tr') {
    const missing = history.filter((value) => statementOf(episode, entity, value) === undefined)
    if (missing.length > 0) {
      add('TR_NEVER_STATED', `No sentence says that ${name} was ${missing.map((value) => `"${value}"`).join(', ')}.`)
    }
  }
  return found
}

/** A middle does not come to a new value when its rule gives the one it has, or the word "deleted". */
function middleStays(episode: Skeleton, middle: string): string | undefined {
  const { notes } = solve(worldOf(episode))
  const note = notes.find(
    ({ entity, kind }) => entity === middle && (kind === 'same-value' || kind === 'literal-deleted'),
  )
  return note && `It follows from a change of ${entityWords(middle)}, but ${note.says}.`
}

function ruleFindings(episode: Skeleton): Found[] {
  return rulesOf(episode)
    .filter(({ value }) => value === 'deleted')
    .map(({ entity, gold_fact }) => ({
      code: 'RULE_VALUE_IS_LITERAL_deleted',
      entity,
      task: undefined,
      why: `A rule gives "deleted" as if it were a value: "${gold_fact}".`,
    }))
}
