import { FUNCTION_WORDS } from '../../../../language/function-words.js'
import { isWord } from '../../../../language/wordnet.js'
import { type AnswerText, type Line, opens } from '../answer-lines.js'
import { isKnownName } from './hints.js'

const NAME =
  /\p{Lu}[\p{L}\p{N}'.&-]*(?: (?:(?:of|the|and|de|la|le|du|des|van|von|al|in|on|to|for|a|an|&|at|with|y) )*\p{Lu}[\p{L}\p{N}'.&-]*)*/gu
const JOINT = / (?:and|&|in|of|the|to|for|on|at|with|a|an)(?: (?:the|a|an))? /
/** Somebody is said to have made it. */
const CREDIT = /^[*"]?(?: \(\d{4}\))?,? (?:by|from) \p{Lu}|^[*"]? ?(?:\(|[-\u2013|] ?)\p{Lu}\p{L}+ \p{Lu}/u
const OWNER = /\p{Lu}\p{L}+(?: \p{Lu}[\p{L}.]+)*(?:'s?|,| [-\u2013:]) [*"]?$/u

/** Whether of everything an answer names by name it is known what it is, or said whose it is. */
export function namesAreKnown(text: AnswerText): boolean {
  return text.lines.every(
    (line) =>
      line.titles.every(({ at, end }) => isExplained(line, at, end, isKnownTitle)) &&
      [...line.cased.matchAll(NAME)].every(({ 0: name, index }) => {
        const end = index + name.length
        if (line.titles.some((title) => index < title.end && title.at < end)) return true
        return isExplained(line, index, end, (one) => isKnownTitle(one) || isPlainly(one, line, index))
      }),
  )
}

function isExplained(line: Line, at: number, end: number, known: (name: string) => boolean): boolean {
  return known(line.cased.slice(at, end)) || CREDIT.test(line.cased.slice(end)) || OWNER.test(line.cased.slice(0, at))
}

const bare = (name: string) => name.replace(/[.,:;!?]+$/, '').replace(/'s?$/, '')

function isKnownTitle(name: string): boolean {
  return isKnownName(bare(name)) || name.split(/: | \(|, | - /).some((part) => isKnownName(bare(part)))
}

/** Names joined by small words are known if each is; a single word of the dictionary is none, unless it heads a list's element. */
function isPlainly(name: string, line: Line, at: number): boolean {
  return name.split(JOINT).every((part, i) => {
    const words = bare(part).split(' ')
    const opening = i === 0 && opens(line, at)
    while (words.length > 0 && isSmall(words[0]!, opening && words.length > 1)) words.shift()
    if (words.length === 0 || isKnownName(words.join(' '))) return true
    return words.length === 1 && isWord(words[0]!.toLowerCase()) && !(opening && line.bullet)
  })
}

/** A word that has its capital from the sentence. */
function isSmall(word: string, opening: boolean): boolean {
  const plain = word.toLowerCase().replace(/'\w+$/, '')
  return plain.length < 2 || FUNCTION_WORDS.has(plain) || (opening && isWord(plain) && !isKnownName(word))
}
