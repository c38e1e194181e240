import { meanOfKnown } from '../../base/sums.js'
import {
  type Cell,
  type ScenarioCost,
  type Score,
  type ScoredQuestion,
  type ScoreInfo,
  scoresOf,
  scoreValue,
} from '../../model/index.js'
import { COST_SCORES, costScores } from '../beside-papers.js'
import { attribute, CAUSES } from './attribution.js'
import { DURATIONS } from './days.js'
import {
  corrected,
  criteriaOf,
  type FamaParts,
  fama,
  type Marked,
  markedAsCoded,
  nullMarks,
  verdictsOf,
} from './fama.js'
import { TASKS } from './trace.js'

type Values = Record<string, number | null>

function aside(name: string, about: string): ScoreInfo {
  return { name, about, aside: true }
}

/** The scores, means over questions unless they say otherwise. What is about answers is null where nobody answered. */
export const SCORES: readonly ScoreInfo[] = [
  { name: 'fama', about: 'as in the paper: a criterion that no judge could decide is incorrect', floor: 'fama_null' },
  { name: 'mpa', about: 'memory presence accuracy', floor: 'mpa_null' },
  { name: 'faa', about: 'forgetting absence accuracy', floor: 'faa_null' },
  { name: 'reduction', about: 'fama less mpa' },
  { name: 'fama_judged', about: 'over the criteria that got a verdict, the others left out of all counts' },
  { name: 'fama_as_coded', about: 'as the published code has it: no verdict, an unclear one and a tie are all wrong' },
  {
    name: 'fama_corrected',
    about: 'every criterion once, and "avoid X" asked of forgetting, not of presence',
    floor: 'fama_corrected_null',
  },
  ...['fama', 'fama_corrected', 'mpa', 'faa'].map((name) => aside(`${name}_null`, `${name} of an empty answer`)),
  { name: 'fama_normalised', about: 'how much of the way from fama_null to 1 was gone' },
  { name: 'evidence_presence', about: 'share of needed facts retrieved faithfully' },
  {
    name: 'evidence_forgetting',
    about: 'share of outdated facts not left standing uncorrected among what was retrieved',
  },
  { name: 'outdated_in_store', about: 'share of outdated facts that the store still holds, corrected or not' },
  aside('consolidation', 'sessions to be considered'),
  aside('consolidation_max', 'most of them'),
  aside('mutation', 'sessions that changed something'),
  aside('mutation_max', 'most of them'),
  aside('fama_sum', 'fama of the paper’s three durations together'),
  aside('mpa_sum', 'mpa of the three tasks together'),
  aside('reduction_sum', 'reduction of the three tasks together'),
  { name: 'criteria', about: 'how many there are' },
  { name: 'criteria_missed', about: 'how many were missed' },
  { name: 'criteria_unjudged', about: 'how many no judge could decide' },
  ...[...CAUSES, 'cause_unknown'].map((name) => ({ name, about: 'missed criteria by their first cause' })),
  ...COST_SCORES,
]

/**
 * The scores of one task. Where a cell has several durations, those that the paper gives by duration are also given for each, and `fama_sum`
 * where all three of the paper are there.
 */
export function scoreMemora(results: readonly ScoredQuestion[], { reader }: { reader: boolean }): Score[] {
  if (results.length === 0) return []
  const durations = [...new Set(results.map(({ question }) => question.tags.duration ?? ''))]
  return [
    ...scoresOf({ ...meansOf(results, reader), ...attribute(results, reader) }),
    ...(durations.length < 2 ? [] : byDuration(results, durations, reader)),
  ]
}

/** What is also given for each duration. */
const BY_DURATION = [
  'fama',
  'fama_null',
  'mpa',
  'mpa_null',
  'faa',
  'faa_null',
  'reduction',
  'evidence_presence',
  'evidence_forgetting',
  'outdated_in_store',
  'consolidation',
  'consolidation_max',
  'mutation',
  'mutation_max',
]

function byDuration(results: readonly ScoredQuestion[], durations: readonly string[], reader: boolean): Score[] {
  const scores = durations.flatMap((duration) => {
    const own = results.filter(({ question }) => (question.tags.duration ?? '') === duration)
    const all = meansOf(own, reader)
    return BY_DURATION.map((name): Score => ({ name, subset: duration, value: all[name] ?? null }))
  })
  const published = Object.values(DURATIONS)
  if (!published.every((duration) => durations.includes(duration))) return scores
  const sum = sumOf(published.map((duration) => scoreValue(scores, 'fama', duration)))
  return [...scores, { name: 'fama_sum', value: sum }]
}

function meansOf(results: readonly ScoredQuestion[], reader: boolean): Values {
  return { ...answers(results, reader), ...evidence(results), ...loads(results) }
}

function answers(results: readonly ScoredQuestion[], reader: boolean): Values {
  const marked = reader ? results.map(marksOf) : []
  const judged = marked.map((one) => one?.filter(({ decided }) => decided) ?? null)
  const repaired = marked.map((one) => one && corrected(one))
  const silent = results.map(({ question }) => nullMarks(criteriaOf(question)))
  const of = (part: keyof FamaParts, marks: readonly (Marked[] | null)[]) =>
    meanOfKnown(marks.map((one) => one && fama(one)[part]))
  const [scored, presence, empty] = [of('fama', marked), of('mpa', marked), of('fama', silent)]
  return {
    fama: scored,
    mpa: presence,
    faa: of('faa', marked),
    reduction: scored === null || presence === null ? null : scored - presence,
    fama_judged: of('fama', judged),
    fama_as_coded: reader ? meanOfKnown(results.map(asCoded)) : null,
    fama_corrected: of('fama', repaired),
    fama_null: empty,
    fama_corrected_null: of('fama', silent.map(corrected)),
    mpa_null: of('mpa', silent),
    faa_null: of('faa', silent),
    fama_normalised: scored === null || empty === null || empty === 1 ? null : (scored - empty) / (1 - empty),
  }
}

/** The criteria of a question, met or not, and whether anybody could tell; null when there are no verdicts at all. */
function marksOf({ question, verdict }: ScoredQuestion): (Marked & { decided: boolean })[] | null {
  const verdicts = verdictsOf(verdict)
  if (!verdicts) return null
  return criteriaOf(question).map((criterion, at) => {
    const answer = verdicts[at]?.answer ?? null
    return { criterion, met: answer === criterion.expected, decided: answer !== null }
  })
}

function asCoded({ question, verdict }: ScoredQuestion): number | null {
  const verdicts = verdictsOf(verdict)
  if (!verdicts) return null
  return fama(criteriaOf(question).map((criterion, at) => markedAsCoded(criterion, verdicts[at]))).fama ?? 0
}

function evidence(results: readonly ScoredQuestion[]): Values {
  const share = <T>(list: readonly T[], of: (one: T) => boolean) =>
    list.length === 0 ? null : list.filter(of).length / list.length
  return {
    evidence_presence: meanOfKnown(results.map(({ facts }) => share(facts, ({ retrieved }) => retrieved))),
    evidence_forgetting: meanOfKnown(results.map(({ outdated }) => share(outdated, ({ standing }) => !standing))),
    outdated_in_store: meanOfKnown(results.map(({ outdated }) => share(outdated, ({ live }) => live))),
  }
}

/** How many sessions a question rests on, and how many changed what it asks for. */
function loads(results: readonly ScoredQuestion[]): Values {
  const of = (tag: string) =>
    results.flatMap(({ question }) => (question.tags[tag] === undefined ? [] : [Number(question.tags[tag])]))
  const [sessions, changes] = [of('consolidation'), of('mutation')]
  return {
    consolidation: meanOfKnown(sessions),
    consolidation_max: most(sessions),
    mutation: meanOfKnown(changes),
    mutation_max: most(changes),
  }
}

/**
 * The three tasks together, each alike: means of `fama` and its parts, and the sums that the paper's Table 5 gives. Null unless all three
 * are there; only what is about forgetting is the mean of the tasks that ask for it. Sessions a question rests on are counted as in its
 * Table 1, where changes are those of remembering and recommending. Where there are several durations, sums and counts are also given for each.
 */
export function overallMemora(cells: readonly Cell[], cost: ScenarioCost | null): Score[] {
  const three = TASKS.flatMap((task) => cells.filter((cell) => cell.task === task).slice(0, 1))
  const values = (name: string) => three.flatMap(({ scores }) => scoreValue(scores, name) ?? [])
  const all = (name: string) => (values(name).length === TASKS.length ? meanOfKnown(values(name)) : null)
  const names = ['fama', 'fama_null', 'fama_corrected', 'fama_corrected_null', 'mpa', 'mpa_null', 'evidence_presence']
  const durations = new Set(three.flatMap(({ scores }) => scores.flatMap(({ subset }) => subset ?? [])))
  return [
    ...scoresOf({
      ...Object.fromEntries(names.map((name) => [name, all(name)])),
      faa: meanOfKnown(values('faa')),
      faa_null: meanOfKnown(values('faa_null')),
      evidence_forgetting: meanOfKnown(values('evidence_forgetting')),
      outdated_in_store: meanOfKnown(values('outdated_in_store')),
    }),
    ...[undefined, ...durations].flatMap((duration) => scoresOf(together(three, duration), duration)),
    ...scoresOf(costScores(cost)),
  ]
}

/** The sums and counts over the tasks, of one duration or of all. */
function together(cells: readonly Cell[], duration: string | undefined): Values {
  const of = (name: string, some = cells) => some.map(({ scores }) => scoreValue(scores, name, duration))
  const sum = (name: string) => (cells.length === TASKS.length ? sumOf(of(name)) : null)
  const changing = cells.filter(({ task }) => task !== 'reasoning')
  return {
    mpa_sum: sum('mpa'),
    reduction_sum: sum('reduction'),
    consolidation: meanOfKnown(of('consolidation')),
    consolidation_max: most(of('consolidation_max')),
    mutation: meanOfKnown(of('mutation', changing)),
    mutation_max: most(of('mutation_max', changing)),
  }
}

/** Null when one of them is not known. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum: number | null, value) => (sum === null || value === null ? null : sum + value), 0)
}

function most(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
