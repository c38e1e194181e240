// Makes what Mosaic knows of kinds of things out of the text in `text/`. Where a question has four words in a row of any text of the suites
// ("what do I like to"), these are cut out, and such names are left out: nothing in it may know how a suite puts things.
// Run after a change of the text: npm run kinds && npm run build && npm run kinds:vectors
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from '../../src/systems/mosaic/kinds.js'

const TEXT = 'tools/kinds/text'
const CORPORA = 'src/corpora'
const OUT = 'src/systems/mosaic'

/** A line of the text: a kind with names, or with statements about things of it, or a question that wants one thing. */
type Line = { kind: string; ask: string[] } & ({ names: string[] } | { things: { name: string }[] })

const runs = new Set<string>()
for (const name of readdirSync(CORPORA, { recursive: true, encoding: 'utf8' }).filter((file) => /\.jsonl?$/.test(file)))
  for (const [, value] of readFileSync(join(CORPORA, name), 'utf8').matchAll(/"((?:[^"\\]|\\.)*)"/g))
    for (const run of runsOf(value!)) runs.add(run)

const isOwn = (text: string) => !runsOf(text).some((run) => runs.has(run))
const kinds = linesOf<Line>(/^[ks].*\.jsonl$/).flatMap((line): Kind[] => {
  const names = 'names' in line ? line.names : line.things.map(({ name }) => name)
  const kept = { kind: line.kind, names: [...new Set(names.filter(isOwn))], ask: line.ask.map(ownWords) }
  return isOwn(kept.kind) && kept.names.length > 0 && kept.ask.length > 0 ? [kept] : []
})
const single = linesOf<{ ask: string }>(/^one.*\.jsonl$/).map(({ ask }) => ownWords(ask))
write('kinds.jsonl', kinds)
write('single-questions.jsonl', single)
process.stdout.write(
  `${kinds.length} kinds, ${kinds.flatMap(({ names }) => names).length} names, ${single.length} single questions\n`,
)

/** A text less all runs of four words that a suite has. */
function ownWords(text: string): string {
  const found = [...text.matchAll(/[a-z']+/gi)]
  const at = found.findIndex((_, i) => isRun(found.slice(i, i + 4).map(([word]) => word)))
  if (at < 0) return text
  const [first, last] = [found[at]!, found[at + 3]!]
  return ownWords(`${text.slice(0, first.index)}${text.slice(last.index + last[0].length)}`.replace(/\s+/g, ' ').trim())
}

/** Also where one begins or ends at an apostrophe: "know what I" of "know what I'd". */
function isRun(words: readonly string[]): boolean {
  const run = words.join(' ').toLowerCase()
  return words.length === 4 && [run, run.replace(/'\w*$/, ''), run.replace(/^\w*'/, '')].some((one) => runs.has(one))
}

function linesOf<T>(name: RegExp): T[] {
  const files = readdirSync(TEXT).filter((file) => name.test(file))
  return files.sort().flatMap((file) =>
    readFileSync(join(TEXT, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as T),
  )
}

function write(name: string, lines: readonly unknown[]): void {
  writeFileSync(join(OUT, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function runsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[a-z']+/g) ?? []
  return found.slice(3).map((_, i) => found.slice(i, i + 4).join(' '))
}
