import { fold, sentences } from '../../../base/text.js'
import { contentTokens, expressionTokens, wordsOf } from '../../../language/tokens.js'

/** A sentence, bullet or cell row of an answer. */
export interface Line {
  /** Without accents and signs of lists, case kept. */
  cased: string
  /** The same in small letters; positions agree with `cased`. */
  plain: string
  /** Heading or label above it, in small letters. */
  heading: string
  /** Struck through or ticked off. */
  done: boolean
  /** It is an element of a list. */
  bullet: boolean
  /** Where titles stand: between asterisks or quotes. */
  titles: readonly { at: number; end: number }[]
}

/** An answer, read once for all its criteria. */
export interface AnswerText {
  lines: readonly Line[]
  plain: string
  /** Positions of base forms among the lines: which lines have a word, and where. */
  words: ReadonlyMap<string, readonly Spot[]>
  /** Nothing specific is said: it asks back, or admits to knowing nothing. */
  vague: boolean
}

export interface Spot {
  line: number
  at: number
}

const HEADING = /^\s*(?:#{1,6}\s+(.*?)\s*#*|\*\*([^*]+?):?\*\*:?|[*_]([^*_]+?):?[*_]:?|([^.!?:|]{2,60}):)\s*$/
const BULLET = /^\s*(?:[-*+\u2022\u2013\u2014]\s+|\(?\d{1,2}[.)]\s+)/
const TICKED = /^\s*(?:[-*+]\s+)?(?:\[[xX\u2713]\]|\u2705|\u2714)/
const BOX = /^\s*\[[ xX\u2713]?\]\s*|^\s*[\u2705\u2714\u2610]\s*/
const TITLE = /\*([^*]+)\*|"([^"]+)"/g
/** A title between single quotes. */
const SINGLE = /(?<![\p{L}\p{N}])'(\p{Lu}[^'"]*(?:'\p{Ll}[^'"]*)*)'(?!\p{L})/gu
/** Between two initials, lest the second end a sentence. */
const INITIALS = /(?<=(?<!\p{L})\p{Lu}\.)(?=\p{Lu}\.)/gu
const CHANGE = /[^\p{L}\p{N}]/u
/** A longer sentence is read in pieces, and no longer line is a heading: patterns that look around take the square of a length. */
const LONGEST = 1000
const PIECE = new RegExp(String.raw`\S.{0,${LONGEST - 1}}(?=\s|$)|\S{1,${LONGEST}}`, 'gu')

const known = new Map<string, AnswerText>()
const MOST = 64

/** Lines and words of an answer. The last answers are remembered, for each is read once a criterion. */
export function readAnswer(answer: string): AnswerText {
  let found = known.get(answer)
  if (!found) {
    found = parse(answer)
    if (known.size >= MOST) known.clear()
    known.set(answer, found)
  }
  return found
}

function parse(answer: string): AnswerText {
  const lines: Line[] = []
  let heading = ''
  let fresh = false
  for (const written of answer.split('\n')) {
    const raw = written.replace(/\s+/g, ' ')
    if (raw.trim() === '') {
      if (!fresh) heading = ''
      continue
    }
    if (/^[\s|:-]+$/.test(raw)) continue
    const title = raw.length > LONGEST ? null : HEADING.exec(raw)
    const bullet = (BULLET.test(raw) || BOX.test(raw)) && !title
    const label = /^\s*(?:[-*+]\s+)?\*\*([^*]+?):?\*\*:?\s*\S/.exec(raw)
    const done = TICKED.test(raw.trim()) || /^\s*(?:[-*+]\s+)?~~/.test(raw)
    const text = raw
      .replace(BULLET, '')
      .replace(BOX, '')
      .replaceAll('~~', '')
      .replace(/\*\*|__/g, '')
      .replace(/\s*\|\s*/g, ' | ')
      .replace(INITIALS, ' ')
    const above = label ? fold(label[1]!) : heading
    for (const sentence of sentences(text))
      for (const [piece] of sentence.matchAll(PIECE)) lines.push(lineOf(piece, above, done, bullet))
    if (title) heading = fold(title[1] ?? title[2] ?? title[3] ?? title[4] ?? '')
    fresh = title !== null
  }
  return { lines, plain: lines.map(({ plain }) => plain).join(' \n '), words: spotsIn(lines), vague: isVague(answer) }
}

function lineOf(text: string, heading: string, done: boolean, bullet: boolean): Line {
  const cased = withoutAccents(text).replace(SINGLE, '"$1"')
  const titles = [...cased.matchAll(TITLE)].map((match) => ({
    at: match.index + 1,
    end: match.index + match[0].length - 1,
  }))
  return { cased, plain: cased.toLowerCase(), heading, done, bullet, titles }
}

/** As `plainText`, but in the case it has. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s_]+/g, ' ')
    .trim()
}

function spotsIn(lines: readonly Line[]): Map<string, Spot[]> {
  const found = new Map<string, Spot[]>()
  const add = (word: string, spot: Spot) => {
    const spots = found.get(word)
    if (spots) spots.push(spot)
    else found.set(word, [spot])
  }
  lines.forEach(({ plain }, line) => {
    for (const token of [...contentTokens(plain), ...expressionTokens(plain)])
      for (const word of wordsOf(token)) add(word, { line, at: token.at })
  })
  return found
}

const ASKS_BACK =
  /\b(?:tell me|let me know|could you|can you share|what kind|which (?:kind|one)|depends (?:on|what)|i(?: do not|'m not|don't| can't| cannot| couldn't)(?: \w+)? (?:have|know|sure|say|see|find|compare|certain)|no (?:record|information|details|data)|nothing (?:saved|stored|on record))\b/

function isVague(answer: string): boolean {
  const plain = fold(answer)
  return plain.trim() === '' || (ASKS_BACK.test(plain) && plain.length < 400 && !/[*"\n]/.test(answer))
}

/** Whether a position lies at the start of a sentence, where every word has a capital. */
export function startsSentence({ cased }: Line, at: number): boolean {
  let before = at - 1
  while (before >= 0 && CHANGE.test(cased[before]!) && !/[.!?]/.test(cased[before]!)) before--
  return before < 0 || /[.!?]/.test(cased[before]!)
}
