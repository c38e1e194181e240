import type { Phrases } from '../schema.js'
import { between, grid, listed, type Maker, some, vary } from '../thread.js'

/** Everyday sentences in other languages. */
export function phraseMaker(phrases: Phrases): Maker {
  return (random) => {
    const rows = some(phrases.rows, between(3, 5, random), random)
    const [first, second, third] = some(phrases.languages, 3, random)
    const said = (row: (typeof rows)[number], language: string) => row.said[phrases.languages.indexOf(language)]!
    const notes = (language: string, count: number) => some(phrases.notes[language]!, count, random).join(' ')
    return [
      {
        ask: vary(
          '{How does one say|How would you say|What is} {list} in {language}? {It is for a leaflet for guests.|The hostel wants a sheet of phrases.|A visitor asked.|Somebody is printing signs.}',
          random,
          { list: listed(rows.map((row) => `"${row.english}"`)), language: first! },
        ),
        answer: `${rows.map((row) => `- ${row.english}: ${said(row, first!)}`).join('\n')}\n\n${notes(first!, 3)}`,
      },
      {
        ask: vary('{And in|The same in} {a} and {b}, {please|side by side}?', random, { a: second!, b: third! }),
        answer: `${grid(
          ['English', second!, third!],
          rows.map((row) => [row.english, said(row, second!), said(row, third!)]),
        )}\n\n${notes(second!, 2)}\n\n${notes(third!, 2)}`,
        joins: true,
      },
    ]
  }
}
