import type { Released } from './published/released.js'
import type { AskedQuestion } from './published/schema.js'
import { NULL_LIKE, rulesOf, statementOf, worldOf } from './skeleton.js'
import { differences } from './skeleton-gold.js'
import { entityWords, solve } from './solver.js'

/** What holds of published episodes that are sound, as far as code can tell. All but the last are those of the published audit. */
export const SKELETON_RULES = {
  ABS_HAS_DECLARED_RULE: 'doubt is expected only where no rule gives a value',
  DEL_IN_CASCADE_CHAIN: 'what is deleted does not hang on what changes',
  CAS_BEFORE_NEVER_STATED: 'the value before a cascade is said',
  CAS_AFTER_NULL_LIKE: 'the value after a cascade is a value',
  CAS_NOOP: 'a cascade leads to another value',
  ABS_NEVER_STATED: 'the value that is to be doubted is said',
  CAS2_MIDDLE_DOES_NOT_CHANGE: 'the middle of a chain changes',
  RULE_VALUE_IS_LITERAL_deleted: 'no rule gives the word "deleted" for a value',
  TR_NEVER_STATED: 'the values of a series are said',
}
export type SkeletonCode = keyof typeof SKELETON_RULES

/** A defect of an episode; `gold` tells whether the solver's answer is another one because of it. */
export interface SkeletonFinding {
  episode: string
  code: SkeletonCode
  entity: string
  gold: 'stands' | 'differs'
  why: string
}

/** What is wrong with an episode, found from what it says and asks. */
export function findEpisodeDefects(released: Released): SkeletonFinding[] {
  const differs = new Set(differences(released).map(({ task, entity }) => `${task} ${entity}`))
  return [...released.after.flatMap((question) => questionFindings(released, question)), ...ruleFindings(released)].map(
    ({ task, ...found }) => ({
      episode: released.skeleton.episode_id,
      ...found,
      gold: differs.has(`${task} ${found.entity}`) ? 'differs' : 'stands',
    }),
  )
}

type Found = Pick<SkeletonFinding, 'code' | 'entity' | 'why'> & { task: AskedQuestion['task_type'] | undefined }

function questionFindings(released: Released, question: AskedQuestion): Found[] {
  const entity = question.entity[0]!
  const task = question.task_type
  const { skeleton } = released
  const { before = null, history = [], cascade_source } = skeleton.entities[entity] ?? {}
  const name = entityWords(entity)
  const rule = rulesOf(released).find((said) => said.entity === entity)
  const stated = before !== null && statementOf(released, entity, before) !== undefined
  const found: Found[] = []
  const add = (code: SkeletonCode, why: string) => found.push({ code, entity, why, task })

  if (task === 'Abs') {
    if (rule) add('ABS_HAS_DECLARED_RULE', `Doubt is expected, but the user declared: "${rule.seed}".`)
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
      const why = middleStays(released, cascade_source)
      if (why) add('CAS2_MIDDLE_DOES_NOT_CHANGE', why)
    }
  }
  if (task === 'Del' && skeleton.chain_entities.includes(entity)) {
    add('DEL_IN_CASCADE_CHAIN', `The deleted ${name} also hangs on ${entityWords(skeleton.root)}, which changes.`)
  }
  if (task === 'Tr') {
    const missing = history.filter((value) => statementOf(released, entity, value) === undefined)
    if (missing.length > 0) {
      add('TR_NEVER_STATED', `No sentence says that ${name} was ${missing.map((value) => `"${value}"`).join(', ')}.`)
    }
  }
  return found
}

/** A middle does not come to a new value when its rule gives the one it has, or the word "deleted". */
function middleStays(released: Released, middle: string): string | undefined {
  const { notes } = solve(worldOf(released))
  const note = notes.find(
    ({ entity, kind }) => entity === middle && (kind === 'same-value' || kind === 'literal-deleted'),
  )
  return note && `It follows from a change of ${entityWords(middle)}, but ${note.says}.`
}

function ruleFindings(released: Released): Found[] {
  return rulesOf(released)
    .filter(({ value }) => value === 'deleted')
    .map(({ entity, seed }) => ({
      code: 'RULE_VALUE_IS_LITERAL_deleted',
      entity,
      task: undefined,
      why: `A rule gives "deleted" as if it were a value: "${seed}".`,
    }))
}
