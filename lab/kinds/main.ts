// Makes what packages/mosaic knows of kinds of things out of the text in `text/`. Where a question has four words in a row of any text of the suites
// ("what do I like to"), these are cut out, and such names are left out: nothing in it may know how a suite puts things.
// Run after a change of the text, and vectors.ts after it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from '../../packages/mosaic/src/kind-texts.js'
import { SuiteWords } from './suite-words.js'

const TEXT = 'lab/kinds/text'
const OUT = 'packages/mosaic/data'

/** A line of the text: a kind with names, or with statements about things of it, or a question that wants one thing. */
type Line = { kind: string; ask: string[] } & ({ names: string[] } | { things: { name: string }[] })

const suites = new SuiteWords()
const kinds = linesOf<Line>(/^[ks].*\.jsonl$/).flatMap((line): Kind[] => {
  const names = 'names' in line ? line.names : line.things.map(({ name }) => name)
  const kept = {
    kind: line.kind,
    names: [...new Set(names.filter((name) => suites.isOwn(name)))],
    ask: line.ask.map((ask) => suites.ownWords(ask)),
  }
  return suites.isOwn(kept.kind) && kept.names.length > 0 && kept.ask.length > 0 ? [kept] : []
})
const single = linesOf<{ ask: string }>(/^one.*\.jsonl$/).map(({ ask }) => suites.ownWords(ask))
write('kinds.jsonl', kinds)
write('single-questions.jsonl', single)
process.stdout.write(
  `${kinds.length} kinds, ${kinds.flatMap(({ names }) => names).length} names, ${single.length} single questions\n`,
)

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
