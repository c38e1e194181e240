import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CORPORA = 'src/corpora'

/** Tells text apart that has four words in a row of any text of the suites ("what do I like to"): nothing that ships may know how a suite puts things. */
export class SuiteWords {
  #runs = new Set<string>()

  constructor() {
    const files = readdirSync(CORPORA, { recursive: true, encoding: 'utf8' }).filter((file) => /\.jsonl?$/.test(file))
    for (const name of files)
      for (const [, value] of readFileSync(join(CORPORA, name), 'utf8').matchAll(/"((?:[^"\\]|\\.)*)"/g))
        for (const run of runsOf(value!)) this.#runs.add(run)
  }

  /** Whether no suite has four words of a text in a row. */
  isOwn(text: string): boolean {
    return !runsOf(text).some((run) => this.#runs.has(run))
  }

  /** A text less all runs of four words that a suite has. */
  ownWords(text: string): string {
    const found = [...text.matchAll(/[a-z']+/gi)]
    const at = found.findIndex((_, i) => this.#isRun(found.slice(i, i + 4).map(([word]) => word)))
    if (at < 0) return text
    const [first, last] = [found[at]!, found[at + 3]!]
    const rest = `${text.slice(0, first.index)}${text.slice(last.index + last[0].length)}`
    return this.ownWords(rest.replace(/\s+/g, ' ').trim())
  }

  /** Also where one begins or ends at an apostrophe: "know what I" of "know what I'd". */
  #isRun(words: readonly string[]): boolean {
    const run = words.join(' ').toLowerCase()
    const forms = [run, run.replace(/'\w*$/, ''), run.replace(/^\w*'/, '')]
    return words.length === 4 && forms.some((one) => this.#runs.has(one))
  }
}

function runsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[a-z']+/g) ?? []
  return found.slice(3).map((_, i) => found.slice(i, i + 4).join(' '))
}
