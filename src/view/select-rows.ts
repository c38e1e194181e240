import { FAILURES, OUTCOMES, type Outcome } from '../model/score.js'
import { FACT_ENDS, type FactEnd, type IndexedRow, type RunIndex } from './run-index.js'

/** Which questions of a run are wanted. What is left out narrows nothing. */
export interface RowQuery {
  /** `suite/task`, or `suite` alone. */
  task?: string
  system?: string
  /** `failed`, `uncertain`, or an outcome. */
  outcome?: string
  /** As it is written; the depth at which each task is shown unless given. */
  depth?: string
  /** Words that must all stand in the question, its facts or its ids. */
  search?: string
  /** Only facts that ended here. */
  end?: string
}

/** A question in a list. */
export interface ListedRow {
  task: string
  scenario: string
  id: string
  text: string
  system: string
  trial: number
  time: number
  outcome: Outcome | null
  /** At every depth that was asked. */
  along: { depth: string; outcome: Outcome | null }[]
  uncertain: boolean
}

/** A fact in a list, with the question that needs it. */
export interface ListedFact extends Pick<ListedRow, 'task' | 'scenario' | 'id' | 'system' | 'trial' | 'time'> {
  fact: string
  text: string
  end: FactEnd
}

/** A part of a list, and how long all of it is. */
export interface ListPage<T> {
  total: number
  from: number
  items: T[]
}

/** Rows that fit, as places in the index: finding them is one thing, writing some of them out another. */
const found = new WeakMap<RunIndex, { key: string; rows: number[] }[]>()
const KEPT = 8

/** The questions that fit, a part of them written out. */
export function listRows(index: RunIndex, query: RowQuery, from: number, most: number): ListPage<ListedRow> {
  const rows = matching(index, query)
  return { total: rows.length, from, items: rows.slice(from, from + most).map((at) => listed(index, at, query)) }
}

/** How many questions fit for every outcome, whichever is asked for. */
export function countOutcomes(index: RunIndex, query: RowQuery): Partial<Record<Outcome | 'uncertain', number>> {
  const { outcome: _, ...others } = query
  const counts: Partial<Record<Outcome | 'uncertain', number>> = {}
  const add = (name: Outcome | 'uncertain') => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const outcomeOf = outcomes(index, query.depth)
  for (const at of matching(index, others)) {
    const row = index.rows[at]!
    const outcome = outcomeOf(row)
    if (outcome) add(outcome)
    if (row.uncertain) add('uncertain')
  }
  return counts
}

/** How many needed facts ended where. */
export function countEnds(index: RunIndex, query: RowQuery): Record<FactEnd, number> {
  const counts = Object.fromEntries(FACT_ENDS.map((end) => [end, 0])) as Record<FactEnd, number>
  const { end: _, ...others } = query
  const endsIn = factEnds(index, query.depth)
  for (const at of matching(index, others)) endsIn(index.rows[at]!, (_, end) => counts[end]++)
  return counts
}

/** The facts that fit, a part of them written out. */
export function listFacts(index: RunIndex, query: RowQuery, from: number, most: number): ListPage<ListedFact> {
  const { end: wanted, ...others } = query
  const items: ListedFact[] = []
  let total = 0
  const endsIn = factEnds(index, query.depth)
  for (const at of matching(index, others))
    endsIn(index.rows[at]!, (fact, end) => {
      if (wanted !== undefined && end !== wanted) return
      if (total >= from && total < from + most) {
        const { task, scenario, id, system, trial, time } = listed(index, at, query)
        const { id: name, text } = index.facts[fact]!
        items.push({ task, scenario, id, system, trial, time, end, fact: name, text })
      }
      total++
    })
  return { total, from, items }
}

/** The place of the depth at which a row is looked at: the one named, the task's own, or the only one of a system of fixed depth. */
function depthPlaces({ depths, shown, questions }: RunIndex, named?: string): (row: IndexedRow) => number {
  const fixed = depths.indexOf('all')
  const ofTask = shown.map((own) => depths.indexOf(named ?? own ?? ''))
  return ({ question, outcomes }) =>
    fixed >= 0 && outcomes[fixed] !== ' ' ? fixed : ofTask[questions[question]!.task]!
}

/** What became of a row at a depth; undefined where it was not asked there. */
function outcomes(index: RunIndex, depth?: string): (row: IndexedRow) => Outcome | null | undefined {
  const placeOf = depthPlaces(index, depth)
  return (row) => {
    const sign = row.outcomes[placeOf(row)]
    return sign === undefined || sign === ' ' ? undefined : (OUTCOMES[Number(sign)] ?? null)
  }
}

/** Tells where each fact of a row ended at a depth. No list is made of them: somebody waits for all of a run. */
function factEnds(
  index: RunIndex,
  depth?: string,
): (row: IndexedRow, tell: (fact: number, end: FactEnd) => void) => void {
  const placeOf = depthPlaces(index, depth)
  return (row, tell) => {
    const at = placeOf(row)
    for (const [fact, ends] of row.facts) {
      const end = ends[at] === ' ' ? undefined : FACT_ENDS[Number(ends[at])]
      if (end !== undefined) tell(fact, end)
    }
  }
}

function matching(index: RunIndex, query: RowQuery): number[] {
  const key = JSON.stringify([query.task, query.system, query.outcome, query.depth, query.search?.toLowerCase()])
  const known = found.get(index) ?? []
  found.set(index, known)
  const same = known.find((one) => one.key === key)
  if (same) return same.rows
  const fits = fitting(index, query)
  const rows: number[] = []
  for (let at = 0; at < index.rows.length; at++) if (fits(index.rows[at]!, at)) rows.push(at)
  known.unshift({ key, rows })
  known.length = Math.min(known.length, KEPT)
  return rows
}

/** Whether a row is wanted. What is the same for all rows is worked out once. */
function fitting(index: RunIndex, query: RowQuery): (row: IndexedRow, at: number) => boolean {
  const { task, system, outcome, depth } = query
  const isTask = index.tasks.map((name) => task === undefined || name === task || name.startsWith(`${task}/`))
  const isSystem = index.contestants.map((name) => system === undefined || name === system)
  const outcomeOf = outcomes(index, depth)
  const words = query.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  const texts = words.length === 0 ? [] : searchTexts(index)
  const isOutcome = (row: IndexedRow, ended: Outcome | null) => {
    if (outcome === undefined) return true
    if (outcome === 'uncertain') return row.uncertain
    return outcome === 'failed' ? FAILURES.some((failure) => failure === ended) : ended === outcome
  }
  return (row, at) => {
    if (!isTask[index.questions[row.question]!.task] || !isSystem[row.contestant]) return false
    const ended = outcomeOf(row)
    return ended !== undefined && isOutcome(row, ended) && words.every((word) => texts[at]!.includes(word))
  }
}

const searched = new WeakMap<RunIndex, string[]>()

/** All that can be found of every row, in small letters. Made once: somebody who types asks many times. */
export function searchTexts(index: RunIndex): string[] {
  const known = searched.get(index)
  if (known) return known
  const { questions, facts } = index
  const all = index.rows.map((row) => {
    const { text, id, scenario } = questions[row.question]!
    return [text, id, scenario, ...row.facts.map(([fact]) => facts[fact]!.text)].join('\n').toLowerCase()
  })
  searched.set(index, all)
  return all
}

function listed(index: RunIndex, at: number, { depth }: RowQuery): ListedRow {
  const row = index.rows[at]!
  const { task, scenario, id, text } = index.questions[row.question]!
  return {
    task: index.tasks[task]!,
    scenario,
    id,
    text,
    system: index.contestants[row.contestant]!,
    trial: row.trial,
    time: row.time,
    uncertain: row.uncertain,
    outcome: outcomes(index, depth)(row) ?? null,
    along: [...row.outcomes].flatMap((sign, i) =>
      sign === ' ' ? [] : [{ depth: index.depths[i]!, outcome: OUTCOMES[Number(sign)] ?? null }],
    ),
  }
}
