import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { UserError } from '../base/errors.js'
import { splitSpec } from '../base/own-file.js'
import { isSameFile } from '../base/same-file.js'
import type { OutputOptions, RunResult, TextOutput } from '../library.js'
import { wantsColor } from '../report/terminal.js'
import type { Typed } from './args.js'
import { writeOutput } from './streams.js'

const FORMATS = ['json', 'html', 'md', 'csv', 'junit', 'badge'] as const

/** Where results go, as typed: `-` is standard output, and tables go where nothing else does. */
export function outputsFrom(typed: Typed): OutputOptions {
  const { text, on } = typed
  for (const format of FORMATS) {
    const path = text[format]
    if (path === '' || (path === '-' && format === 'html')) throw new UserError(`--${format} needs the name of a file.`)
  }
  const piped = FORMATS.filter((format) => text[format] === '-')
  if (piped.length > 1)
    throw new UserError(
      `Only one of ${piped.map((format) => `--${format}`).join(', ')} can go to standard output.`,
      'Give the others a file.',
    )
  refuseOverwriting(typed)
  const stream = piped.length > 0 ? process.stderr : process.stdout
  const jobSummary = process.env.GITHUB_STEP_SUMMARY
  return {
    ...(jobSummary && { jobSummary }),
    ...Object.fromEntries(piped.map((format) => [format, writeOutput])),
    ...(!on.quiet && { text: terminalOutput(stream) }),
  }
}

/** Refuses to write a result over a file that the same command names to be read. */
function refuseOverwriting({ text, list, words }: Typed): void {
  const isOutput = (flag: string) => FORMATS.some((format) => format === flag)
  const read = [
    ...words,
    ...Object.entries(text).flatMap(([flag, value]) => (isOutput(flag) ? [] : (value ?? []))),
    ...Object.values(list).flatMap((values) => values ?? []),
  ].map((value) => splitSpec(value).name)
  for (const format of FORMATS) {
    const path = text[format]
    const over =
      path === undefined || path === '-' ? undefined : read.find((file) => existsSync(file) && isSameFile(file, path))
    if (over !== undefined)
      throw new UserError(`--${format} ${path} would be written over ${over}, which is read.`, 'Choose another place.')
  }
}

/** Text for a stream: as wide as the terminal, or as `COLUMNS` says where there is none. */
export function terminalOutput(stream: NodeJS.WriteStream): TextOutput {
  const width = stream.columns ?? (Number(process.env.COLUMNS) || 80)
  return { write: (text) => void stream.write(text), color: wantsColor(stream), width }
}

/**
 * Tells where a run was written and what comes next. Returns the exit code.
 *
 * @param hasRun it was just run: then it should be complete
 */
export function tellResult({ run, summary, html, gate, baseline }: RunResult, quiet = false, hasRun = false): number {
  const say = (text: string) => quiet || process.stderr.write(`${text}\n`)
  if (html !== null) say(`Report: ${pathToFileURL(html).href}`)
  else say(`For the report as a page: memscope report ${run} --html report.html`)
  if (summary.status === 'partial') say(`This run is not complete. Go on with: memscope run --resume ${run}`)
  if (summary.status === 'invalid' || (hasRun && summary.status === 'partial')) return 3
  const gates = [gate, baseline?.gate].filter((one) => one != null)
  for (const { title, message } of gates) process.stderr.write(`${title}\n${message}\n`)
  return gates.every(({ ok }) => ok) ? 0 : 1
}
