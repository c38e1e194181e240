import { FUNCTION_WORDS } from '../../language/function-words.js'
import { plainWords } from '../../language/tokens.js'

/** What parts one item of a list from the next. */
const BETWEEN = /[,;:|/\n\u2022]|\b(?:and|or)\b|&/iu
const BULLET = /^\s*(?:[-*\u2022]|\d+[.)])\s+/
const ARTICLES: ReadonlySet<string> = new Set([
  'a',
  'an',
  'the',
  'my',
  'your',
  'his',
  'her',
  'their',
  'our',
  'its',
  'some',
])

/**
 * What an answer lists besides the items that were asked for: pieces of an enumeration that are no longer than these items can be, are no part of
 * a sentence, and name none of them. Whoever lists everything has chosen nothing.
 *
 * @param names whether a piece of text names an item
 */
export function itemsBesides(
  items: readonly string[],
  answer: string,
  names: (item: string, piece: string) => boolean,
): string[] {
  const longest = 1 + Math.max(...items.map((item) => plainWords(item).length))
  const isItem = (piece: string) => {
    const words = plainWords(piece)
    while (words.length > 0 && ARTICLES.has(words[0]!)) words.shift()
    if (words.length === 0 || words.length > longest) return false
    return !FUNCTION_WORDS.has(words[0]!) && !FUNCTION_WORDS.has(words.at(-1)!)
  }
  const pieces = answer.split(/(?<=[.!?])\s+(?=\p{Lu})|\n/u).flatMap((line) => {
    const parts = line
      .replace(BULLET, '')
      .split(BETWEEN)
      .filter((part) => /[\p{L}\p{N}]/u.test(part))
    return parts.length > 1 || BULLET.test(line) ? parts : []
  })
  const besides = pieces.filter(
    (piece) => isItem(piece) && !items.some((item) => names(item, piece) || isPart(piece, item)),
  )
  return [...new Set(besides.map((piece) => plainWords(piece).join(' ')))]
}

/** A piece of an item that itself holds an "and". */
function isPart(piece: string, item: string): boolean {
  const words = plainWords(item)
  return plainWords(piece).every((word) => words.includes(word))
}
