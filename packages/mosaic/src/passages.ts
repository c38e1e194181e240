import { sentences } from 'memscope/retrieval'

/** What is longer, in characters, is kept in parts: a budget of tokens has better use than all that was said beside what is asked for. */
const LONGEST = 300
/** A paragraph is one thought, but for one that is longer. */
const LONGEST_PARAGRAPH = 2000
/** Code that somebody shows: what its language is called, and the code. */
const CODE = /(```[\s\S]*?(?:```|$))/
const WORD = /[\p{L}\p{N}]/u
const FENCED = /^```([^\n`]{0,40}\n)?([\s\S]*?)(?:```)?$/

/** A text in parts of about the same length, which end where paragraphs do; all of it, word for word. Code stands by itself. */
export function passagesOf(text: string): string[] {
  if (text.length <= LONGEST) return [text]
  const passages = text.split(CODE).flatMap((part) => {
    const [, language = '', code] = FENCED.exec(part) ?? []
    if (code === undefined) return divided(part)
    if (part.length <= LONGEST || !WORD.test(code)) return [part]
    return divided(code).map((one) => `\`\`\`${language}${one}\n\`\`\``)
  })
  return withWords(passages)
}

/** Passages of which those without a word are one with what is before them. */
function withWords(passages: readonly string[]): string[] {
  const found: string[][] = []
  for (const passage of passages) {
    if (found.length > 0 && !WORD.test(passage)) found.at(-1)!.push(passage)
    else found.push([passage])
  }
  return found.map((parts) => parts.join('\n'))
}

function divided(text: string): string[] {
  const length = text.length / Math.ceil(text.length / LONGEST)
  const parts: string[] = []
  let from = 0
  for (const { start, end } of piecesOf(text)) {
    // Ends where a piece begins that would bring it further from its length.
    if (start > from && (start + end) / 2 - from > length) {
      parts.push(text.slice(from, start).trim())
      from = start
    }
  }
  return [...parts, text.slice(from).trim()].filter(Boolean)
}

/** Where lines begin and end, and sentences of lines that are very long. What announces a value is one with the line behind it. */
function piecesOf(text: string): { start: number; end: number }[] {
  return [...text.matchAll(/[^\n]*:[ \t]*\n+[^\n]+|[^\n]+/g)].flatMap(({ 0: line, index }) => {
    if (line.length <= LONGEST_PARAGRAPH) return [{ start: index, end: index + line.length }]
    let end = index
    return sentences(line).map((sentence) => {
      const start = text.indexOf(sentence, end)
      end = start + sentence.length
      return { start, end }
    })
  })
}
