import pc from 'picocolors'
import { entryOf } from '../base/group-by.js'
import { type Depth, FAILURES, type Failure } from '../model/index.js'
import { inColumns, wrap } from './columns.js'
import { escapeForTerminal } from './escape.js'
import { outcomeAt, roleWords, shownAt, type WayStep, wayOf } from './fact-way.js'
import { clipText, count, depthWords, outcomeWords, plural } from './format.js'
import type { FactTrace, QuestionTrace, ReportData } from './report-data.js'
import { commandLines, showCommand, type TypedRun } from './show-command.js'
import { labeller, type TaskView } from './task-view.js'
import { type Paint, type TerminalOptions, TINT, wantsColor } from './terminal.js'

/** A question that failed at the depth of its task. */
interface FailedQuestion {
  trace: QuestionTrace
  /** The entry of `byDepth` at which it failed. */
  at: number
  outcome: Failure
  label: string
  depth: Depth | null
}

/** Failed questions, those of all systems by turns, and how many there were. */
export interface FailedQuestions {
  all: number
  list: FailedQuestion[]
}

/** Most characters of a text, facts of a question and memories that are shown. */
const MOST_TEXT = 300
const MOST_FACTS = 8
const MOST_FOUND = 3

/** The questions of some tasks that failed at the depth of overviews; those of yardsticks come last. */
export function failuresIn(data: ReportData, views: readonly TaskView[]): FailedQuestions {
  const label = labeller(data.summary.cells)
  const byId = new Map(views.map((view) => [view.id, view]))
  const bySystem = new Map<string, FailedQuestion[]>()
  let all = 0
  for (const trace of data.questions) {
    const view = byId.get(`${trace.suite}/${trace.task}`)
    if (!view) continue
    const at = shownAt(trace, view.depth)
    const outcome = FAILURES.find((failure) => failure === outcomeAt(trace, at))
    if (outcome === undefined) continue
    all += 1 + (trace.more ?? 0)
    const name = label(trace)
    entryOf(bySystem, name, () => []).push({ trace, at, outcome, label: name, depth: view.depth })
  }
  const isYardstick = (name: string) => (data.yardsticks ?? []).includes(name)
  const systems = [...bySystem].sort(([a], [b]) => Number(isYardstick(a)) - Number(isYardstick(b)))
  const longest = Math.max(0, ...systems.map(([, own]) => own.length))
  const turns = Array.from({ length: longest }, (_, turn) => systems.flatMap(([, own]) => own[turn] ?? []))
  return { all, list: turns.flat() }
}

/**
 * Failed questions as text: what was asked, the way of every fact, and what was found instead.
 *
 * @param more what was typed behind the run, for the command that shows more
 */
export function renderFailures(
  { all, list }: FailedQuestions,
  { most, typed, more, ...options }: TerminalOptions & { most: number; typed: TypedRun; more: readonly string[] },
): string {
  if (all === 0) return 'No question failed.\n'
  const paint = pc.createColors(options.color ?? wantsColor(process.stdout))
  const width = Math.max(40, Math.min(options.width ?? 80, 120))
  const shown = list.slice(0, most)
  const lines = [
    ...wrap(
      `${plural(all, 'failed question')}, ${all > shown.length ? `${shown.length} of them` : 'all'} below.`,
      width,
    ),
    ...shown.flatMap((failed, index) => ['', ...failureLines(failed, index + 1, width, paint)]),
  ]
  if (all > shown.length) {
    const next = Math.min(all, most * 4)
    const command = showCommand(typed, [...more, '--n', String(next)])
    lines.push('', ...commandLines('More:', command, width).map((line) => paint.bold(line)))
  }
  return `${lines.join('\n')}\n`
}

function failureLines(failed: FailedQuestion, number: number, width: number, paint: Paint): string[] {
  const { trace, at, outcome, label, depth } = failed
  const text = (words: string) => escapeForTerminal(clipText(words, MOST_TEXT))
  const place = [`${trace.suite}/${trace.task}`, label, trace.scenario, trace.id].filter(Boolean).join(' · ')
  const deep = trace.byDepth[at]!.depth === 'all' || depth === null ? '' : ` at ${depthWords(depth)}`
  const facts = trace.facts.slice(0, MOST_FACTS)
  const more = trace.facts.length - facts.length
  return [
    paint.bold(inColumns(`${number}. ${escapeForTerminal(place)}`, width).trimEnd()),
    ...indented(text(trace.text), width, 3),
    ...indented(`right answer: ${text(trace.gold)}`, width, 3),
    ...(trace.answer === undefined ? [] : indented(`answer: ${text(trace.answer)}`, width, 3)),
    `   ${paint[TINT[outcome]](outcomeWords(outcome))}${deep}`,
    ...facts.flatMap((fact) => factLines(fact, trace, at, width, paint)),
    ...(more > 0 ? [`   … and ${plural(more, 'fact')} more`] : []),
    ...foundLines(trace, width),
  ]
}

const SIGNS: Record<WayStep[1], string> = { ok: '✓', bad: '✗', off: '·' }

function factLines(fact: FactTrace, trace: QuestionTrace, at: number, width: number, paint: Paint): string[] {
  const steps = wayOf(fact, trace, at).map(([words, mark]) => `${words} ${SIGNS[mark]}`)
  const way = indented(`${steps.join(' → ')}${fact.uncertain ? ' (uncertain)' : ''}`, width, 5)
  return [
    ...indented(`${roleWords(fact)}: ${escapeForTerminal(clipText(fact.text, MOST_TEXT))}`, width, 3, 5),
    ...way.map((line) => line.replaceAll('✗', paint.red('✗'))),
  ]
}

/** What was retrieved first without carrying any of its facts. */
function foundLines({ retrieved, retrievedTotal, error }: QuestionTrace, width: number): string[] {
  if (retrieved.length === 0) return error ? [] : ['   found nothing']
  const others = retrieved.filter(({ carries }) => carries.length === 0).slice(0, MOST_FOUND)
  if (others.length === 0) return []
  const total = retrievedTotal ?? retrieved.length
  const lines = others.map(({ rank, text }) => {
    const words = escapeForTerminal(clipText(text, MOST_TEXT))
    return inColumns(`     ${rank}. ${words}`, width).trimEnd()
  })
  return [`   found instead, of ${count(total)}:`, ...lines]
}

/** @param later columns before the second line and on */
function indented(text: string, width: number, first: number, later = first): string[] {
  return wrap(text, width - Math.max(first, later)).map((line, at) => `${' '.repeat(at === 0 ? first : later)}${line}`)
}
