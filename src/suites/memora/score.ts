import type { Cell, ScoredQuestion } from '../../model/index.js'
import { attribute } from './attribution.js'
import { corrected, fama, type Marked, markedAsCoded, nullMarks, type Parts } from './fama.js'
import { TASKS } from './tasks.js'
import { criteriaOf, verdictsOf } from './verdicts.js'

type Scores = Record<string, number | null>

/**
 * The scores of one task, means over its questions.
 *
 * - `fama`: as in the paper, where a criterion that no judge could decide is incorrect; with `mpa`, `faa` and `reduction`, which is `fama`
 *   less `mpa`.
 * - `fama_judged`: the same over the criteria that got a verdict, the others left out of all counts.
 * - `fama_as_coded`: as the published code has it, where no verdict, an unclear one and a tie are all wrong.
 * - `fama_corrected`: every criterion once, and "avoid X" asked of forgetting, not of presence.
 * - `fama_null`, `fama_corrected_null`, `mpa_null`, `faa_null`: what an empty answer gets; as coded it is `fama_null`, too.
 * - `fama_normalised`: how much of the way from `fama_null` to 1 was gone.
 * - `evidence_presence`: share of needed facts retrieved faithfully; `evidence_forgetting`: share of outdated ones not left standing
 *   uncorrected among what was retrieved; `outdated_in_store`: share of them that the store still holds, corrected or not.
 * - `consolidation`, `mutation`: sessions to be considered, and sessions that changed something, with their greatest.
 * - counts of missed criteria by cause; see `attribute`.
 *
 * Without a reader there is no answer to score, and what is about answers is null. Where a cell has several durations, the scores that the
 * paper gives by duration are also given for each, as `fama_weekly` and so on; `fama_sum` where all three of the paper are there.
 */
export function scoreMemora(results: readonly ScoredQuestion[], { reader }: { reader: boolean }): Scores {
  if (results.length === 0) return {}
  const durations = [...new Set(results.map(({ question }) => question.tags.duration ?? ''))]
  const parts = durations.length < 2 ? [] : durations
  return {
    ...answers(results, reader),
    ...evidence(results),
    ...loads(results),
    ...attribute(results, reader),
    ...byDuration(results, parts, reader),
  }
}

/** The paper's durations. */
const DURATIONS = ['weekly', 'monthly', 'quarterly']
/** What is also given for each duration. */
const BY_DURATION = [
  ...['fama', 'fama_null', 'mpa', 'mpa_null', 'faa', 'faa_null', 'reduction'],
  ...['evidence_presence', 'evidence_forgetting', 'outdated_in_store'],
  ...['consolidation', 'consolidation_max', 'mutation', 'mutation_max'],
]

function byDuration(results: readonly ScoredQuestion[], durations: readonly string[], reader: boolean): Scores {
  const scores: Scores = {}
  for (const duration of durations) {
    const own = results.filter(({ question }) => (question.tags.duration ?? '') === duration)
    const all = { ...answers(own, reader), ...evidence(own), ...loads(own) }
    for (const name of BY_DURATION) scores[`${name}_${duration}`] = all[name] ?? null
  }
  if (DURATIONS.every((duration) => durations.includes(duration))) {
    scores.fama_sum = sumOf(DURATIONS.map((duration) => scores[`fama_${duration}`] ?? null))
  }
  return scores
}

function answers(results: readonly ScoredQuestion[], reader: boolean): Scores {
  const marked = reader ? results.map(marksOf) : []
  const judged = marked.map((one) => one?.filter(({ decided }) => decided) ?? null)
  const silent = results.map(({ question }) => nullMarks(criteriaOf(question)))
  const empty = mean(silent.map((marks) => fama(marks).fama))
  const of = (pick: (parts: Parts) => number | null, marks: readonly (Marked[] | null)[]) =>
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

function evidence(results: readonly ScoredQuestion[]): Scores {
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
function loads(results: readonly ScoredQuestion[]): Scores {
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
export function overallMemora(cells: readonly Cell[]): Scores {
  const three = TASKS.flatMap((task) => cells.filter((cell) => cell.task === task).slice(0, 1))
  const values = (name: string) => three.flatMap(({ scores }) => scores[name] ?? [])
  const all = (name: string) => (values(name).length === TASKS.length ? mean(values(name)) : null)
  const names = ['fama', 'fama_null', 'fama_corrected', 'fama_corrected_null', 'mpa', 'mpa_null', 'evidence_presence']
  const durations = new Set(
    three.flatMap(({ scores }) => Object.keys(scores).flatMap((name) => /^mpa(?!_null)(_.+)/.exec(name)?.[1] ?? [])),
  )
  return {
    ...Object.fromEntries(names.map((name) => [name, all(name)])),
    faa: mean(values('faa')),
    faa_null: mean(values('faa_null')),
    evidence_forgetting: mean(values('evidence_forgetting')),
    outdated_in_store: mean(values('outdated_in_store')),
    ...Object.assign({}, ...['', ...durations].map((ending) => together(three, ending))),
  }
}

/** The sums and counts over the tasks, of one duration or of all. */
function together(cells: readonly Cell[], ending: string): Scores {
  const of = (name: string, some = cells) => some.map(({ scores }) => scores[`${name}${ending}`] ?? null)
  const sum = (name: string) => (cells.length === TASKS.length ? sumOf(of(name)) : null)
  const changing = cells.filter(({ task }) => task !== 'reasoning')
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null)
  return {
    [`mpa_sum${ending}`]: sum('mpa'),
    [`reduction_sum${ending}`]: sum('reduction'),
    [`consolidation${ending}`]: mean(of('consolidation')),
    [`consolidation_max${ending}`]: most(known(of('consolidation_max'))),
    [`mutation${ending}`]: mean(of('mutation', changing)),
    [`mutation_max${ending}`]: most(known(of('mutation_max', changing))),
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
