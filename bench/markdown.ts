import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BenchTable } from './bench.js'

const HEADING = `# Benchmarks

Written by \`npm run bench -- --write\`; each section by the benchmark it is named after. Times depend on the machine, growth does not.
`

/** A table as Markdown: first column to the left, numbers to the right. */
export function tableMarkdown({ columns, rows }: Pick<BenchTable, 'columns' | 'rows'>): string {
  const widths = columns.map((column, i) => Math.max(column.length, 3, ...rows.map((row) => (row[i] ?? '').length)))
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, i) => (i === 0 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(columns), rule, ...rows.map(line)].join('\n')
}

/** Puts a section in its place in a file of benchmarks, and leaves all others as they are. */
export function writeSection(file: string, name: string, table: BenchTable, machine: string): void {
  const begin = `<!-- bench:${name} -->`
  const end = `<!-- /bench:${name} -->`
  const section = `${begin}\n## ${table.title}\n\n${table.note}\n\n${tableMarkdown(table)}\n\n${machine}\n${end}`
  const before = existsSync(file) ? readFileSync(file, 'utf8') : HEADING
  const start = before.indexOf(begin)
  const stop = before.indexOf(end)
  const after =
    start >= 0 && stop > start
      ? before.slice(0, start) + section + before.slice(stop + end.length)
      : `${before.trimEnd()}\n\n${section}\n`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, after)
}
