/** Unicode-normalised, lower-cased, white space collapsed, typographic quotes and dashes made plain. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/** Words of a text, folded; numbers and inner apostrophes and hyphens kept. */
export function words(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+(?:['\-.:][\p{L}\p{N}]+)*/gu) ?? []
}

const ABBREVIATION = /(?:^|[\s("'])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|no|vol|fig|approx|e\.g|i\.e|a\.m|p\.m|u\.s)\.$/i

/** No abbreviation is longer, with what stands before it. */
const ENDING = 16

/** A longer sentence is read in pieces: patterns that look around take the square of a length, and nobody writes such a sentence. */
const LONGEST_SENTENCE = 2000
const PIECE = new RegExp(String.raw`\S.{0,${LONGEST_SENTENCE - 1}}(?=\s|$)|\S{1,${LONGEST_SENTENCE}}`, 'gu')

/** Sentences of a text, in order, trimmed. Abbreviations, initials and decimal numbers do not end one. */
export function sentences(text: string): string[] {
  const found: string[] = []
  for (const line of text.split(/\n+/)) {
    let start = 0
    for (const match of line.matchAll(/(?<![.!?])[.!?]+["'\u201d\u2019)\]]*(?=\s+|$)/g)) {
      const end = match.index + match[0].length
      const head = line.slice(start, end)
      const next = line.slice(end).trimStart()
      const ends = next === '' || /^["'\u201c\u2018([]*[\p{Lu}\p{N}]/u.test(next)
      const last = head.slice(-ENDING)
      if (!ends || (match[0].startsWith('.') && ABBREVIATION.test(last)) || /(?:^|\s)\p{Lu}\.$/u.test(last)) continue
      if (head.trim()) found.push(head.trim())
      start = end
    }
    const rest = line.slice(start).trim()
    if (rest) found.push(rest)
  }
  return found.some(({ length }) => length > LONGEST_SENTENCE) ? found.flatMap(piecesOf) : found
}

function piecesOf(sentence: string): string[] {
  return sentence.length > LONGEST_SENTENCE ? (sentence.match(PIECE) ?? []) : [sentence]
}

/** Longest run of white space that patterns are shown. */
const LONGEST_GAP = 200
const GAP = new RegExp(String.raw`([^\S\n]{${LONGEST_GAP}})[^\S\n]+`, 'g')

/** The text with endless runs of white space made short, line ends kept: patterns that allow for spaces take the square of their number. */
export function withoutGaps(text: string): string {
  return text.length > LONGEST_GAP ? text.replace(GAP, '$1') : text
}

/** Sequences that terminals obey: colours, cursors, titles, links. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-Z\\^-~]/g
/** Control characters but for tabs and line ends, and marks that turn the direction of what follows. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A text of somebody else, such as an error of a server or a log of a memory, as it may be shown on a terminal or in the log of a CI: nothing in
 * it is obeyed.
 */
export function printable(text: string): string {
  return withoutCommands(text.replace(SEQUENCE, '').replace(CONTROL, ''))
}

/**
 * Nothing in the text is a command of a CI that reads its log: GitHub obeys `::add-mask::…` at the beginning of a line, which wrapping may make of
 * any word, and `##[…]` anywhere, as Azure `##vso[…]` and TeamCity `##teamcity[…]`.
 */
export function withoutCommands(text: string): string {
  return text.replace(/(?<=^|\s):{2,}/g, (colons) => [...colons].join(' ')).replace(/##(?=\w*\[)/g, '# #')
}

/** JSON with everything escaped that a terminal or the log of a CI would obey. What is read from it is the same. */
export function printableJson(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|#(?=#\w*\[)/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The beginning of a text, and how much of it was left out: `abcd… [2 more characters]`. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const rest = (text.length - most).toLocaleString('en-US')
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}… [${rest} more characters]`
}

/** A text as a pattern that fits this text alone. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
