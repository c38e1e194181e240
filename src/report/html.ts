import { FAILURES } from '../model/index.js'
import { patterns } from './charts/patterns.js'
import type { ReportData } from './data.js'
import { escapeHtml } from './escape.js'
import { headline } from './findings.js'
import { costs } from './html/costs.js'
import { audit, breakdowns, guessers, scores, settings, tokens } from './html/details.js'
import { firstLook } from './html/first.js'
import { overview } from './html/overview.js'
import { panel } from './html/panel.js'
import { budgets, outcomes, success } from './html/success.js'
import { besidePapers, type PageSection, suiteSections } from './html/suite-sections.js'
import { sweep } from './html/sweep.js'
import { selectTraces, writeTraces } from './html/traces.js'
import { trials } from './html/trials.js'
import { matrixOf } from './matrix.js'
import type { Sink } from './sink.js'
import { theme } from './theme.js'
import { MOST_TRACES } from './traces.js'
import { viewOf } from './view.js'

/** `cap`: most failed questions shown per task and system. */
export type HtmlOptions = { cap?: number }

const STATUS = { valid: 'Valid run', invalid: 'Invalid run', partial: 'Partial run' }
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** Writes a run as one self-contained page: no script, nothing fetched, every text escaped. Returns how many failed questions it shows. */
export async function writeHtml(data: ReportData, write: Sink, options: HtmlOptions = {}): Promise<number> {
  const tasks = viewOf(data)
  const { status, errors, size, reason } = headline(data)
  const traces = selectTraces(data, tasks, options.cap ?? MOST_TRACES)
  const hasFailures = (task: string, label: string) => {
    const counts = traces.groups.get(task)?.get(label)?.counts
    return FAILURES.some((failure) => counts?.[failure])
  }
  const parts: PageSection[] = [
    ['first', 'at a glance', firstLook(data, tasks, matrixOf(data, tasks), hasFailures)],
    ['stages', 'where facts die', overview(tasks)],
    ['sweep', 'compared', sweep(data, tasks)],
    ['success', 'success against k', success(data, tasks)],
    ['budgets', 'success against tokens', budgets(data, tasks)],
    ...suiteSections(data),
    ['figures', 'beside the papers', besidePapers(data)],
    ['outcomes', 'outcomes', outcomes(tasks)],
    ['breakdowns', 'broken down', breakdowns(data, tasks)],
    ['tokens', 'tokens', tokens(data, tasks)],
    ['costs', 'cost', costs(data)],
    ['scores', 'suite scores', scores(tasks)],
    ['trials', 'trials', trials(data)],
    ['guessers', 'guessers', guessers(tasks)],
    ['panel', 'judges', panel(data)],
    ['audit', 'audit', audit(data)],
  ]
  const present = parts.filter(([, , body]) => body !== '')
  const links = [...present, ['failed', 'failed questions'] as const, ['settings', 'settings'] as const]
  await write(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="memscope">
<title>${escapeHtml(data.title)} · Memscope</title>
<style>${theme()}</style>
</head>
<body>
${patterns()}
<a class="skip" href="#failed">Skip to failed questions</a>
<header>
<p class="status ${status}"><b>${STATUS[status]}</b> · ${escapeHtml(errors)} · ${escapeHtml(size)}</p>
${reason ? `<p class="reason">${escapeHtml(reason)}</p>` : ''}<h1>${escapeHtml(data.title)}</h1>
</header>
<nav aria-label="Sections"><ul>${links.map(([id, name]) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`).join('')}</ul></nav>
<main>
`)
  for (const [, , body] of present) await write(body)
  const shown = await writeTraces(data, tasks, traces, write)
  await write(settings(data))
  await write('</main>\n</body>\n</html>\n')
  return shown
}
