// How each memory system stands a model whose replies are not quite what was asked for: npm run messy. Exits with 1 when a fact is lost unseen.
import { readFileSync, writeFileSync } from 'node:fs'
import { messyMarkdown, messyTable } from './messy.js'

const FILE = 'docs/models.md'
const MARKS = /(<!-- messy -->\n)[\s\S]*?(\n<!-- end of messy -->)/

const before = await messyTable(true)
const after = await messyTable(false)
const tables = messyMarkdown(before, after)
console.log(tables)
const page = readFileSync(FILE, 'utf8')
writeFileSync(
  FILE,
  page.replace(MARKS, (_, from: string, to: string) => `${from}${tables}${to}`),
)
const lost = [...after].flatMap(([way, row]) =>
  [...row].flatMap(([system, one]) => (one === 'lost' ? [`${system}: ${way}`] : [])),
)
if (lost.length > 0) {
  console.error(`Lost unseen: ${lost.join(', ')}`)
  process.exitCode = 1
}
