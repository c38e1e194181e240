import { withoutCommands } from '../base/text.js'

// Two columns each: East Asian scripts, fullwidth forms and pictures. None: marks that join the letter before them.
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u
const NARROW = /[©®™↔-↙]/u
const JOINED = /[\p{Mn}\p{Me}\u200B-\u200D]/u

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const letter of text) columns += JOINED.test(letter) ? 0 : WIDE.test(letter) && !NARROW.test(letter) ? 2 : 1
  return columns
}

/** At most so many columns of a text, with an ellipsis where something was left out. */
export function clipColumns(text: string, most: number): string {
  // No letter takes more than two units and several joined marks: what is far beyond the end need not be measured.
  if (text.length <= most * 8 && columnsOf(text) <= most) return text
  let kept = ''
  let columns = 0
  for (const letter of text) {
    columns += columnsOf(letter)
    if (columns > most - 1 || kept.length > most * 8) break
    kept += letter
  }
  return `${kept}…`
}

/** A text in exactly so many columns: cut, or filled up at one side. */
export function inColumns(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const kept = clipColumns(text, width)
  const room = ' '.repeat(Math.max(0, width - columnsOf(kept)))
  return align === 'left' ? kept + room : room + kept
}

/** Breaks a text into lines of at most `width` columns, at spaces; a word that is longer than a line is cut into several. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  const words = text.replace(/ %/g, '\u00a0%').replace(/k = (?=\d)/g, 'k\u00a0=\u00a0')
  for (const word of words.split(' ').flatMap((one) => piecesOf(one, width))) {
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') lines.push(line)
  // A long word that was cut may go on with what the log of a CI obeys at the beginning of a line.
  return lines.map((done) => withoutCommands(done.replaceAll('\u00a0', ' ')))
}

function piecesOf(word: string, width: number): string[] {
  if (columnsOf(word) <= width) return [word]
  const pieces: string[] = ['']
  let columns = 0
  for (const letter of word) {
    columns += columnsOf(letter)
    if (columns > width) {
      pieces.push('')
      columns = columnsOf(letter)
    }
    pieces[pieces.length - 1] += letter
  }
  return pieces
}
