import { FAILURES } from '../model/index.js'
import { escapeHtml } from './escape.js'
import { runHeadline } from './findings.js'
import { drawSection } from './html/draw.js'
import { firstLook } from './html/first.js'
import { PAGE_END, pageHead } from './html/frame.js'
import { sectionHtml } from './html/html-parts.js'
import { selectTraces, writeTraces } from './html/trace-list.js'
import { matrixOf } from './matrix.js'
import { PAGE_TRACES } from './question-traces.js'
import type { ReportData } from './report-data.js'
import { reportSections } from './sections/index.js'
import { showCommand, type TypedRun } from './show-command.js'
import type { Sink } from './sink.js'
import { taskViews } from './task-view.js'

/** `cap`: most failed questions shown per task and system. `typed`: how commands name the run. */
export type HtmlOptions = { cap?: number; typed?: TypedRun }

/** Characters of a page, at most: of what stands behind the first look, and of failed questions. */
const MOST_SECTIONS = 1_000_000
const MOST_FAILED = 480_000

const SKIP = '<a class="skip" href="#failed">Skip to failed questions</a>'
const STATUS = { valid: 'Valid run', invalid: 'Invalid run', partial: 'Partial run' }

/** Writes a run as one self-contained page: no script, nothing fetched, every text escaped. Returns how many failed questions it shows. */
export async function writeHtml(data: ReportData, write: Sink, options: HtmlOptions = {}): Promise<number> {
  const tasks = taskViews(data)
  const typed = options.typed ?? { run: data.summary.run.id }
  const traces = selectTraces(data, tasks, options.cap ?? PAGE_TRACES)
  const hasFailures = (task: string, label: string) => {
    const counts = traces.groups.get(task)?.get(label)?.counts
    return FAILURES.some((failure) => counts?.[failure])
  }
  const { drawn, left } = fitting(reportSections(data, tasks))
  const links = [['first', 'At a glance'], ['failed', 'Failed questions'], ...drawn, ['settings', 'Settings']]
  const { status, errors, size, reason } = runHeadline(data)
  await write(
    pageHead(data.title, [
      `<p class="status ${status}"><b>${STATUS[status]}</b> · ${escapeHtml(errors)} · ${escapeHtml(size)}</p>`,
      reason ? `<p class="reason">${escapeHtml(reason)}</p>` : '',
      SKIP,
    ]),
  )
  const items = links.map(([id, name]) => `<li><a href="#${id}">${escapeHtml(name!)}</a></li>`)
  await write(`<nav aria-label="Sections"><ul>${items.join('')}</ul></nav>\n<main>\n`)
  await write(firstLook(data, tasks, matrixOf(data, tasks), hasFailures))
  const shown = await writeTraces(data, tasks, { ...traces, typed, most: MOST_FAILED }, write)
  for (const [, , body] of drawn) await write(body)
  if (left.length > 0) {
    const command = `memscope report ${showCommand(typed).split(' ').slice(2).join(' ')} --md report.md`
    const words = `Left out, for this page would be too large: ${left.join(', ')}. All of it:`
    await write(`<section><p>${escapeHtml(words)} <code>${escapeHtml(command)}</code></p></section>`)
  }
  await write(settings(data))
  await write(PAGE_END)
  return shown
}

type DrawnSection = [id: string, name: string, body: string]

/** Sections as long as there is room for them, and the names of the others. */
function fitting(sections: ReturnType<typeof reportSections>): { drawn: DrawnSection[]; left: string[] } {
  const drawn: DrawnSection[] = []
  const left: string[] = []
  let room = MOST_SECTIONS
  for (const one of sections) {
    const body = drawSection(one)
    if (body.length > room) left.push(one.title)
    else {
      drawn.push([one.id, one.title, body])
      room -= body.length
    }
  }
  return { drawn, left }
}

/** What was run, and the fingerprints by which it can be compared. */
function settings(data: ReportData): string {
  const { run, fingerprint, timing } = data.summary
  const prints = [fingerprint.setting, ...Object.values(fingerprint.subjects)]
  const repeats = (label: string, value: string) =>
    (label === 'run' && value === run.id) || (label.startsWith('fingerprint of ') && prints.includes(value))
  const rows = [
    ['run', run.id],
    ['created', run.created],
    ...data.settings.filter(({ label, value }) => !repeats(label, value)).map(({ label, value }) => [label, value]),
    ['fingerprint of the setting', fingerprint.setting],
    ...Object.entries(fingerprint.subjects).map(([name, value]) => [`fingerprint of ${name}`, value]),
    ...Object.entries(timing).map(([name, value]) => [`timing ${name}`, String(value)]),
  ]
  const items = rows.map(([name, value]) => `<dt>${escapeHtml(name!)}</dt><dd><code>${escapeHtml(value!)}</code></dd>`)
  return sectionHtml('settings', 'Settings', [], `<dl class="settings">${items.join('')}</dl>`)
}
