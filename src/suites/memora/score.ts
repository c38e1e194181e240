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
import { attribute } from './attribution.js'
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
  ...['fama', 'fama_corrected', 'mpa', 'faa'].map(
    (name): ScoreInfo => ({ name: `${name}_null`, about: `${name} of an empty answer`, aside: true }),
  ),
  { name: 'fama_normalised', about: 'how much of the way from fama_null to 1 was gone' },
  { name: 'evidence_presence', about: 'share of needed facts retrieved faithfully' },
  {
    name: 'evidence_forgetting',
    about: 'share of outdated facts not left standing uncorrected among what was retrieved',
  },
  { name: 'outdated_in_store', about: 'share of outdated facts that the store still holds, corrected or not' },
  { name: 'consolidation', about: 'sessions to be considered', aside: true },
  { name: 'consolidation_max', about: 'most of them', aside: true },
  { name: 'mutation', about: 'sessions that changed something', aside: true },
  { name: 'mutation_max', about: 'most of them', aside: true },
  { name: 'fama_sum', about: 'fama of the paper’s three durations together', aside: true },
  { name: 'mpa_sum', about: 'mpa of the three tasks together', aside: true },
  { name: 'reduction_sum', about: 'reduction of the three tasks together', aside: true },
  { name: 'criteria', about: 'how many there are' },
  { name: 'criteria_missed', about: 'how many were missed' },
  { name: 'criteria_unjudged', about: 'how many no judge could decide' },
  ...['never_stored', 'damaged', 'partial_retrieval', 'outdated_kept', 'misread', 'cause_unknown'].map(
    (name): ScoreInfo => ({ name, about: 'missed criteria by their first cause' }),
  ),
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
    ...scoresOf({
      ...answers(results, reader),
      ...evidence(results),
      ...loads(results),
      ...attribute(results, reader),
    }),
    ...(durations.length < 2 ? [] : byDuration(results, durations, reader)),
  ]
}

/** What is also given for each duration. */
const BY_DURATION = [
  ...['fama', 'fama_null', 'mpa', 'mpa_null', 'faa', 'faa_null', 'reduction'],
  ...['evidence_presence', 'evidence_forgetting', 'outdated_in_store'],
  ...['consolidation', 'consolidation_max', 'mutation', 'mutation_max'],
]

function byDuration(results: readonly ScoredQuestion[], durations: readonly string[], reader: boolean): Score[] {
  const scores = durations.flatMap((duration) => {
    const own = results.filter(({ question }) => (question.tags.duration ?? '') === duration)
    const all: Values = { ...answers(own, reader), ...evidence(own), ...loads(own) }
    return BY_DURATION.map((name): Score => ({ name, subset: duration, value: all[name] ?? null }))
  })
  const published = Object.values(DURATIONS)
  if (!published.every((duration) => durations.includes(duration))) return scores
  const sum = sumOf(published.map((duration) => scoreValue(scores, 'fama', duration)))
  return [...scores, { name: 'fama_sum', value: sum }]
}

function answers(results: readonly ScoredQuestion[], reader: boolean): Values {
  const marked = reader ? results.map(marksOf) : []
  const judged = marked.map((one) => one?.filter(({ decided }) => decided) ?? null)
  const silent = results.map(({ question }) => nullMarks(criteriaOf(question)))
  const empty = mean(silent.map((marks) => fama(marks).fama))
  const of = (pick: (parts: FamaParts) => number | null, marks: readonly (Marked[] | null)[]) =>
    mean(marks.map((one) => (one === null ? null : pick(fama(one)))))
  const scored = of(({ fama }) => fama, marked)
  const presence = of(({ mpa }) => mpa, marked)
  return {
    fama: scored,
    mpa: presence,
    faa: of(({ faa }) => faa, marked),
    reduction: scored === null || presence === null ? null : scored - presence,
    fama_judged: of(({ fama }) => fama, judged),
    fama_as_coded: reader ? mean(results.map((one) => asCoded(one))) : null,
    fama_corrected: of(
      ({ fama }) => fama,
      marked.map((one) => one && corrected(one)),
    ),
    fama_null: empty,
    fama_corrected_null: mean(silent.map((marks) => fama(corrected(marks)).fama)),
    mpa_null: mean(silent.map((marks) => fama(marks).mpa)),
    faa_null: mean(silent.map((marks) => fama(marks).faa)),
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
  const share = (count: number, of: number) => (of === 0 ? null : count / of)
  return {
    evidence_presence: mean(
      results.map(({ facts }) => share(facts.filter(({ retrieved }) => retrieved).length, facts.length)),
    ),
    evidence_forgetting: mean(
      results.map(({ outdated }) => share(outdated.filter(({ standing }) => !standing).length, outdated.length)),
    ),
    outdated_in_store: mean(
      results.map(({ outdated }) => share(outdated.filter(({ live }) => live).length, outdated.length)),
    ),
  }
}

/** How many sessions a question rests on, and how many changed what it asks for. */
function loads(results: readonly ScoredQuestion[]): Values {
  const of = (tag: string) =>
    results.flatMap(({ question }) => (question.tags[tag] === undefined ? [] : [Number(question.tags[tag])]))
  const [sessions, changes] = [of('consolidation'), of('mutation')]
  return {
    consolidation: mean(sessions),
    consolidation_max: most(sessions),
    mutation: mean(changes),
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
  const all = (name: string) => (values(name).length === TASKS.length ? mean(values(name)) : null)
  const names = ['fama', 'fama_null', 'fama_corrected', 'fama_corrected_null', 'mpa', 'mpa_null', 'evidence_presence']
  const durations = new Set(three.flatMap(({ scores }) => scores.flatMap(({ subset }) => subset ?? [])))
  return [
    ...scoresOf({
      ...Object.fromEntries(names.map((name) => [name, all(name)])),
      faa: mean(values('faa')),
      faa_null: mean(values('faa_null')),
      evidence_forgetting: mean(values('evidence_forgetting')),
      outdated_in_store: mean(values('outdated_in_store')),
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
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null)
  return {
    mpa_sum: sum('mpa'),
    reduction_sum: sum('reduction'),
    consolidation: mean(of('consolidation')),
    consolidation_max: most(known(of('consolidation_max'))),
    mutation: mean(of('mutation', changing)),
    mutation_max: most(known(of('mutation_max', changing))),
  }
}

/** Null when one of them is not known. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum: number | null, value) => (sum === null || value === null ? null : sum + value), 0)
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function most(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values)
}
