import { z } from 'zod'
import { readData } from '../../../../base/data-file.js'

/** Each row: a word, and words or expressions in which people say it otherwise at work and at home. */
const Rows = z.array(z.array(z.string()).min(2))

let held: { standIns: ReadonlyMap<string, ReadonlySet<string>>; expressions: RegExp } | undefined

function table() {
  if (!held) {
    const rows = readData(new URL('./paraphrases.json', import.meta.url), Rows)
    const standIns = new Map<string, Set<string>>()
    const tie = (a: string, b: string) => standIns.set(a, (standIns.get(a) ?? new Set()).add(b))
    for (const [first, ...others] of rows) {
      for (const other of others) {
        tie(first!, other)
        tie(other, first!)
      }
    }
    const long = [...standIns.keys()].filter((word) => /[ -]/.test(word)).sort((a, b) => b.length - a.length)
    const source = long.map((word) => word.replace(/[.&]/g, '\\$&').replace(/ /g, '(?: \\w+)? ')).join('|')
    held = { standIns, expressions: new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'gu') }
  }
  return held
}

/** Words and expressions in which a word is said otherwise. */
export function standInsOf(word: string): ReadonlySet<string> | undefined {
  return table().standIns.get(word)
}

const NUMBERS: readonly [RegExp, string[]][] = [
  [/\b(?:1|one|a) year and a half\b|\byear-and-a-half\b/, ['18', 'month']],
  [/\bhalf a year\b|\bhalf-year\b/, ['6', 'month']],
  [/\b(?:one|a|1)[ -]year\b/, ['12', 'month']],
  [/\b(?:two|2)[ -]years?\b/, ['24', 'month']],
  [/\btwelve months\b|\b12 months\b/, ['year']],
  [/\b(?:a|one) quarter\b(?! of (?:an hour|the year))/, ['25', '3', 'month']],
  [/\b(?:a|one) fifth\b/, ['20']],
  [/\b(?:a|one) tenth\b/, ['10']],
  [/\b(?:a|one) third\b/, ['33', '30']],
  [/\bhalf\b/, ['50']],
  [/\bthree[ -]quarters\b/, ['75']],
  [/\b(?:double|twice)\b/, ['100', '2']],
  [/\b(?:a )?fortnight\b/, ['2', '14', 'week', 'day']],
  [/\bfirst (?:phase|quarter|stage|half)\b/, ['1']],
  [/\bsecond (?:phase|quarter|stage|half)\b/, ['2']],
  [/\bthird (?:phase|quarter|stage)\b/, ['3']],
  [/\bfourth (?:phase|quarter|stage)\b/, ['4']],
]

/** What else stands in a line besides its single words: expressions of the table, and numbers said in words. */
export function extraWords(plain: string): string[] {
  const found = [...plain.matchAll(table().expressions)].map(({ 0: text }) => text)
  const known = found.flatMap((text) => (standInsOf(text) ? [text] : shortened(text)))
  for (const [pattern, words] of NUMBERS) if (pattern.test(plain)) known.push(...words)
  return known
}

/** "Go carefully through" is "go through". */
function shortened(text: string): string[] {
  const words = text.split(' ')
  return words.map((_, i) => words.filter((_word, other) => other !== i).join(' ')).filter((one) => standInsOf(one))
}
