import { FAILURES, type Outcome } from '../../model/index.js'
import { runCautions } from '../cautions.js'
import { swatch } from '../charts/patterns.js'
import { escapeHtml } from '../escape.js'
import { outcomeAt, shownAt } from '../fact-way.js'
import { taskFinding } from '../findings.js'
import { count, outcomeWords, plural } from '../format.js'
import { LETTERS } from '../letters.js'
import type { ReportData } from '../report-data.js'
import { showCommand, type TypedRun } from '../show-command.js'
import type { Sink } from '../sink.js'
import { labeller, type TaskView } from '../task-view.js'
import { failuresAnchor } from './first.js'
import { anchor } from './html-parts.js'
import { traceHtml } from './trace.js'
import { type TraceGroup, TraceSelection } from './trace-selection.js'

const BUCKETS: Outcome[] = [...FAILURES, 'error']

/** What is shown of failed questions: groups by task and system. */
export interface ShownTraces {
  cap: number
  /** By task, then by the name of the system. */
  groups: Map<string, Map<string, TraceGroup>>
}

/** Chooses what is shown of failed questions, at most `cap` of each task and system. */
export function selectTraces(data: ReportData, tasks: readonly TaskView[], cap: number): ShownTraces {
  const label = labeller(data.summary.cells)
  const depthOfTask = new Map(tasks.map((task) => [task.id, task.depth]))
  const selection = new TraceSelection(cap)
  const keys = new Map<string, Set<string>>()
  for (const trace of data.questions) {
    if (trace.byDepth.length === 0) continue
    const id = `${trace.suite}/${trace.task}`
    const name = label(trace)
    const at = shownAt(trace, depthOfTask.get(id) ?? null)
    selection.add(`${id}\n${name}`, outcomeAt(trace, at), trace)
    keys.set(id, (keys.get(id) ?? new Set()).add(name))
  }
  const groupsOf = (id: string, names: Set<string>) =>
    new Map([...names].map((name) => [name, selection.get(`${id}\n${name}`)!]))
  return { cap, groups: new Map([...keys].map(([id, names]) => [id, groupsOf(id, names)])) }
}

/**
 * Failed questions by task and system, each to open, as many as there is room for: `most` characters, shared by all groups. Of those that
 * are left out the command stands that shows them.
 */
export async function writeTraces(
  data: ReportData,
  tasks: readonly TaskView[],
  { cap, groups, typed, most }: ShownTraces & { typed: TypedRun; most: number },
  write: Sink,
): Promise<number> {
  const trials = new Set(data.summary.cells.map((cell) => cell.trial)).size > 1
  const all = [...groups.values()].flatMap((own) => [...own.values()])
  await write(head(cap, all))
  let shown = 0
  let room = most
  let waiting = all.length
  for (const [id, systems] of groups) {
    const task = tasks.find((one) => one.id === id)
    await write(taskHead(id, task, [...systems.values()]))
    for (const [name, group] of systems) {
      const own = fitting(group, room / waiting--, (trace) => traceHtml(trace, task?.depth ?? null, trials))
      const text = own.join('')
      room -= text.length
      shown += own.length
      await write(`${groupHead(id, name, group)}${text}${restHtml(id, group, own.length, typed)}</details>\n`)
    }
    await write('</details>\n')
  }
  await write('</section>\n')
  return shown
}

/** Questions of a group in their order until one does not fit; the first always does. */
function fitting({ shown }: TraceGroup, room: number, draw: (trace: TraceGroup['shown'][number]) => string): string[] {
  const texts: string[] = []
  let used = 0
  for (const trace of shown) {
    const text = draw(trace)
    used += text.length
    if (texts.length > 0 && used > room) break
    texts.push(text)
  }
  return texts
}

/** A task with what was found of it. */
function taskHead(id: string, task: TaskView | undefined, groups: readonly TraceGroup[]): string {
  const total = groups.reduce((sum, group) => sum + group.total, 0)
  const words =
    task &&
    [taskFinding(task), ...runCautions(task)].join(' ').replaceAll(' %', '\u00a0%').replaceAll('k = ', 'k\u00a0=\u00a0')
  const found = words ? `<p class="found">${escapeHtml(words)}${depths(task)}</p>` : ''
  const summary = `<b>${escapeHtml(id)}</b> <span class="ci">${plural(total, 'question')}</span>`
  const into = `<span class="into" id="${anchor('failed', id)}"></span>`
  return `<details class="group"><summary>${summary}</summary>${into}${found}\n`
}

function groupHead(id: string, name: string, { total, counts }: TraceGroup): string {
  const parts = Object.entries(counts).map(([outcome, n]) => `${count(n)} ${outcomeWords(outcome as Outcome)}`)
  // The anchor stands inside: a link that leads into closed details opens them.
  const told = `<span class="ci">${escapeHtml(parts.join(', '))}</span>`
  const summary = `<b>${escapeHtml(name)}</b> ${plural(total, 'question')} ${told}`
  return `<details class="group by"><summary>${summary}</summary><span class="into" id="${failuresAnchor(id, name)}"></span>\n`
}

function restHtml(id: string, { total, shown: [first] }: TraceGroup, shown: number, typed: TypedRun): string {
  if (total <= shown || !first) return ''
  const command = showCommand(typed, [id, '--failed', '--system', first.subject.system, '--n', String(total)])
  return `<p class="rest">Showing ${count(shown)} of ${count(total)}; all: <code>${escapeHtml(command)}</code></p>`
}

function depths(task: TaskView | undefined): string {
  if (!task) return ''
  const [what, shown] = task.ks.length > 0 ? ['k =', task.ks] : ['tokens =', task.budgets]
  return shown.length > 1 ? ` <span class="ci">Letters: outcomes at ${what} ${shown.join(', ')}.</span>` : ''
}

// Radio buttons and sibling selectors: filtering without a script.
function head(cap: number, groups: readonly TraceGroup[]): string {
  const any = groups.length > 0
  const intro = [
    'Questions that failed at some depth, could not be measured, or rest on an uncertain verdict;',
    'the coloured name is the outcome at the depth of the matrix. Open one to see where each of its facts was lost.',
    `At most ${plural(cap, 'question')} per task and system ${cap === 1 ? 'is' : 'are'} shown, failures and rare outcomes first.`,
  ]
  const words = any ? intro.join(' ') : 'No question failed.'
  const start = `<section id="failed"><h2>Failed questions</h2><p class="intro">${words}</p>\n`
  if (!any) return start
  const option = (value: string, words: string, checked = '') =>
    `<input type="radio" name="only" id="only-${value}"${checked}><label for="only-${value}">${words}</label>`
  const drawn = (outcome: Outcome) => `${swatch(outcome)} <b>${LETTERS[outcome]}</b> ${outcomeWords(outcome)}`
  const here = BUCKETS.filter((outcome) => groups.some(({ counts }) => counts[outcome]))
  const lettered = (outcome: Outcome) =>
    groups.some(({ shown }) => shown.some(({ byDepth }) => byDepth.some((entry) => entry.outcome === outcome)))
  const elsewhere = BUCKETS.filter((outcome) => !here.includes(outcome) && lettered(outcome))
  const options = [
    option('all', 'all', ' checked'),
    ...here.map((outcome) => option(outcome, drawn(outcome))),
    ...elsewhere.map(
      (outcome) => `<span class="letter">${drawn(outcome)} <span class="ci">at other depths only</span></span>`,
    ),
  ]
  return `${start}<div class="filter" role="radiogroup" aria-label="Show only one outcome">${options.join('')}</div>\n`
}
