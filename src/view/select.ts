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
  for (const at of matching(index, others)) {
    const row = index.rows[at]!
    const outcome = outcomeOf(index, row, query.depth)
    if (outcome) add(outcome)
    if (row.uncertain) add('uncertain')
  }
  return counts
}

/** How many needed facts ended where. */
export function countEnds(index: RunIndex, query: RowQuery): Record<FactEnd, number> {
  const counts = Object.fromEntries(FACT_ENDS.map((end) => [end, 0])) as Record<FactEnd, number>
  const { end: _, ...others } = query
  for (const at of matching(index, others))
    for (const [, end] of endsIn(index, index.rows[at]!, query.depth)) counts[end]++
  return counts
}

/** The facts that fit, a part of them written out. */
export function listFacts(index: RunIndex, query: RowQuery, from: number, most: number): ListPage<ListedFact> {
  const { end: wanted, ...others } = query
  const items: ListedFact[] = []
  let total = 0
  for (const at of matching(index, others)) {
    const row = index.rows[at]!
    for (const [fact, end] of endsIn(index, row, query.depth)) {
      if (wanted !== undefined && end !== wanted) continue
      if (total >= from && total < from + most) {
        const { task, scenario, id, system, trial, time } = listed(index, at, query)
        items.push({
          task,
          scenario,
          id,
          system,
          trial,
          time,
          end,
          fact: index.facts[fact]!.id,
          text: index.facts[fact]!.text,
        })
      }
      total++
    }
  }
  return { total, from, items }
}

/** The depth at which a row is looked at: the one named, the task's own, or the only one of a system of fixed depth. */
function depthPlace(
  { depths, shown, questions }: RunIndex,
  { question, outcomes }: IndexedRow,
  named?: string,
): number {
  const fixed = depths.indexOf('all')
  if (fixed >= 0 && outcomes[fixed] !== ' ') return fixed
  return depths.indexOf(named ?? shown[questions[question]!.task] ?? '')
}

function outcomeOf(index: RunIndex, row: IndexedRow, depth?: string): Outcome | null | undefined {
  const sign = row.outcomes[depthPlace(index, row, depth)]
  return sign === undefined || sign === ' ' ? undefined : (OUTCOMES[Number(sign)] ?? null)
}

function endsIn(index: RunIndex, row: IndexedRow, depth?: string): [fact: number, end: FactEnd][] {
  const at = depthPlace(index, row, depth)
  return row.facts.flatMap(([fact, ends]) => {
    const end = FACT_ENDS[Number(ends[at] === ' ' ? Number.NaN : ends[at])]
    return end === undefined ? [] : [[fact, end] as [number, FactEnd]]
  })
}

function matching(index: RunIndex, query: RowQuery): number[] {
  const key = JSON.stringify([query.task, query.system, query.outcome, query.depth, query.search?.toLowerCase()])
  const known = found.get(index) ?? []
  found.set(index, known)
  const same = known.find((one) => one.key === key)
  if (same) return same.rows
  const rows = index.rows.flatMap((row, at) => (fits(index, row, query) ? [at] : []))
  known.unshift({ key, rows })
  known.length = Math.min(known.length, KEPT)
  return rows
}

function fits(index: RunIndex, row: IndexedRow, { task, system, outcome, depth, search }: RowQuery): boolean {
  const question = index.questions[row.question]!
  const name = index.tasks[question.task]!
  if (task !== undefined && name !== task && !name.startsWith(`${task}/`)) return false
  if (system !== undefined && index.contestants[row.contestant] !== system) return false
  const ended = outcomeOf(index, row, depth)
  if (ended === undefined) return false
  if (
    outcome === 'failed'
      ? !FAILURES.some((failure) => failure === ended)
      : outcome === 'uncertain'
        ? !row.uncertain
        : outcome !== undefined && ended !== outcome
  )
    return false
  if (search === undefined || search.trim() === '') return true
  const all = searched(index, row)
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

const texts = new WeakMap<IndexedRow, string>()

/** All that can be found of a row, in small letters. Made once: somebody who types asks many times. */
function searched({ questions, facts }: RunIndex, row: IndexedRow): string {
  const known = texts.get(row)
  if (known !== undefined) return known
  const { text, id, scenario } = questions[row.question]!
  const all = [text, id, scenario, ...row.facts.map(([fact]) => facts[fact]!.text)].join('\n').toLowerCase()
  texts.set(row, all)
  return all
}

function listed(index: RunIndex, at: number, { depth }: RowQuery): ListedRow {
  const row = index.rows[at]!
  const { task, scenario, id, text } = index.questions[row.question]!
  return {
    ...{ task: index.tasks[task]!, scenario, id, text, system: index.contestants[row.contestant]! },
    ...{ trial: row.trial, time: row.time, uncertain: row.uncertain },
    outcome: outcomeOf(index, row, depth) ?? null,
    along: [...row.outcomes].flatMap((sign, i) =>
      sign === ' ' ? [] : [{ depth: index.depths[i]!, outcome: OUTCOMES[Number(sign)] ?? null }],
    ),
  }
}
