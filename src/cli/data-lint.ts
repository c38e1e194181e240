import pc from 'picocolors'
import type { LocalEmbedder } from '../gateway/embed/index.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import type { LintedCorpus } from '../model/index.js'
import type { Typed } from './args.js'
import { homeAt, openEmbedder } from './compose.js'
import { askedData } from './data-suite.js'

/** Violations shown a rule; the JSON has them all. */
const MOST_SHOWN = 8

/** `memscope data lint`: is a corpus what it should be? Exit 1 when a rule is broken. */
export async function lintData(typed: Typed): Promise<number> {
  const { suite, work, options } = await askedData('lint', typed)
  const json = typed.text.json === '-'
  const corpora: LintedCorpus['report'][] = []
  let embedder: LocalEmbedder | undefined
  try {
    const lent = {
      judgeFacts: createLexicalJudge().judgeFacts,
      embedder: async () => (embedder ??= await openEmbedder('minilm', homeAt(typed.text.home))),
    }
    for await (const corpus of work.run({ ...options, ...lent })) {
      corpora.push(corpus.report)
      if (!json) show(`${suite.name}/${corpus.name}`, work.unit, corpus)
    }
  } finally {
    await embedder?.close()
  }
  const broken = corpora.reduce((sum, { violations }) => sum + violations.length, 0)
  if (json) process.stdout.write(`${JSON.stringify({ suite: suite.name, violations: broken, corpora }, null, 2)}\n`)
  else process.stdout.write(`\n${broken === 0 ? 'No rule is broken.' : `${broken} violations.`}\n`)
  return broken === 0 ? 0 : 1
}

function show(title: string, unit: string, { report: { rows, rules, violations }, notes }: LintedCorpus): void {
  process.stdout.write(`\n${pc.bold(title)}  ${rows} ${unit}\n`)
  const width = Math.max(...rules.map(({ name }) => name.length))
  for (const { name, about, broken } of rules) {
    const mark = broken === 0 ? pc.green('pass') : pc.red(String(broken).padStart(4))
    process.stdout.write(`  ${mark}  ${name.padEnd(width)}  ${pc.dim(about)}\n`)
    const found = violations.filter(({ rule }) => rule === name)
    for (const { row, message } of found.slice(0, MOST_SHOWN))
      process.stdout.write(`        ${placeOf(row)}: ${message}\n`)
    if (found.length > MOST_SHOWN)
      process.stdout.write(`        … and ${found.length - MOST_SHOWN} more (all with --json -)\n`)
  }
  for (const note of notes) process.stdout.write(`  ${pc.dim(note)}\n`)
}

function placeOf(row: string): string {
  if (row === '*') return 'corpus'
  return /^\d/.test(row) || /^[\w-]+$/.test(row) ? `row ${row}` : row
}
