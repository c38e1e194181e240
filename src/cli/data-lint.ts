import { resolve } from 'node:path'
import pc from 'picocolors'
import { type LintReport, lint } from '../suites/memfail/lint/index.js'
import { loadTask } from '../suites/memfail/load.js'
import type { Typed } from './args.js'
import { memfailTasks } from './data-tasks.js'

/** Violations shown a rule; the JSON has them all. */
const MOST_SHOWN = 8

/** `memscope data lint`: is a corpus what it should be? Exit 1 when a rule is broken. */
export async function lintData({ list, text }: Typed): Promise<number> {
  const folder = text.data === undefined ? undefined : resolve(text.data)
  const reports = memfailTasks(list.suite).map((task) => lint(task, folder, loadTask(task, folder, 'released')))
  const broken = reports.reduce((sum, { violations }) => sum + violations.length, 0)
  if (text.json === '-')
    process.stdout.write(`${JSON.stringify({ suite: 'memfail', violations: broken, corpora: reports }, null, 2)}\n`)
  else {
    for (const report of reports) show(report)
    process.stdout.write(`\n${broken === 0 ? 'No rule is broken.' : `${broken} violations.`}\n`)
  }
  return broken === 0 ? 0 : 1
}

function show({ task, rows, rules, violations, guessers }: LintReport): void {
  process.stdout.write(`\n${pc.bold(`memfail/${task}`)}  ${rows} rows\n`)
  const width = Math.max(...rules.map(({ name }) => name.length))
  for (const { name, about, broken } of rules) {
    const mark = broken === 0 ? pc.green('pass') : pc.red(String(broken).padStart(4))
    process.stdout.write(`  ${mark}  ${name.padEnd(width)}  ${pc.dim(about)}\n`)
    const found = violations.filter(({ rule }) => rule === name)
    for (const { row, message } of found.slice(0, MOST_SHOWN))
      process.stdout.write(`        ${row === '*' ? 'corpus' : `row ${row}`}: ${message}\n`)
    if (found.length > MOST_SHOWN)
      process.stdout.write(`        … and ${found.length - MOST_SHOWN} more (all with --json -)\n`)
  }
  const scores = Object.entries(guessers).map(([name, score]) => `${name} ${(100 * score).toFixed(1)} %`)
  if (scores.length > 0) process.stdout.write(`  ${pc.dim(`guessers: ${scores.join(', ')}`)}\n`)
}
