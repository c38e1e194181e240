import { sentences } from '../../base/text.js'

/** What announces that its value stands on the next line: "My locker code is:". */
const ANNOUNCING = /(?::|\b(?:is|are|was|were))$/

/** Sentences of a text, each as it stands there; one that only announces a value is one with what follows it. */
export function wholeStatements(text: string): string[] {
  const found: { from: number; to: number }[] = []
  let at = 0
  for (const sentence of sentences(text)) {
    const from = text.indexOf(sentence, at)
    // White space within a sentence may have been folded.
    if (from < 0) return sentences(text)
    at = from + sentence.length
    const last = found.at(-1)
    if (last && ANNOUNCING.test(text.slice(last.from, last.to))) last.to = at
    else found.push({ from, to: at })
  }
  return found.map(({ from, to }) => text.slice(from, to))
}
