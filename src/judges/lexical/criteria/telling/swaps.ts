import { kin } from '../../../../language/relations.js'
import { contentTokens, type Token, wordsOf } from '../../../../language/tokens.js'
import { isWord, senseCount } from '../../../../language/wordnet.js'
import type { AnswerText } from '../answer-lines.js'
import { measuresIn } from '../numbers/measures.js'
import { standInsOf } from './paraphrases.js'

/** Said in many ways, and rarely what matters. */
const GENERIC =
  /^(?:meetings?|events?|sessions?|visits?|time|reviews?|appointments?|activit(?:y|ies)|attendance|items?|work)$/
/** Words this far apart in a line still belong together. */
const NEXT = 2
/** Words with so long a beginning in common are of one stem when one is all of the beginning, or a letter more is shared. */
const STEM = 5
const REACH = 1

/**
 * A word in whose place a line has another, between the same neighbours: "risk memo" where there is "budget memo". Undefined when there
 * is none, or when the other can stand for it.
 */
export function swapIn(value: string, text: AnswerText, line: number): { word: string; other: string } | undefined {
  const wanted = contentTokens(measuresIn(value, false).rest)
  const here = text.lines[line]
  if (!here || wanted.length < 2) return undefined
  const given = contentTokens(here.plain)
  const around = text.lines
    .slice(Math.max(0, line - REACH), line + REACH + 1)
    .flatMap(({ plain }) => contentTokens(plain))
  const strangers = given.filter((one) => !wanted.some((other) => alike(other, one)))
  for (const [i, word] of wanted.entries()) {
    if (word.weight < 1 || GENERIC.test(word.text) || !names(word) || around.some((one) => alike(word, one))) continue
    for (const other of strangers) {
      if (!names(other)) continue
      const before = i > 0 && given.some((one) => isBeside(one, other, -1) && alike(wanted[i - 1]!, one))
      const behind = i + 1 < wanted.length && given.some((one) => isBeside(one, other, 1) && alike(wanted[i + 1]!, one))
      const edge = i === 0 ? behind : i === wanted.length - 1 ? before : before && behind
      if (i === 0 && word.lemmas.some(({ lemma }) => senseCount(lemma, 'v') > 0)) continue
      if (edge) return { word: word.text, other: other.text }
    }
  }
  return undefined
}

function isBeside(one: Token, other: Token, side: 1 | -1): boolean {
  const gap = (one.at - other.at) * side
  return gap > 0 && gap <= NEXT
}

/** It may stand for a thing or a quality; verbs are said in too many ways. */
function names({ text, lemmas, weight }: Token): boolean {
  return (
    weight >= 1 &&
    !/^\d/.test(text) &&
    lemmas.some(({ lemma }) => senseCount(lemma, 'n') + senseCount(lemma, 'a') > 0 || !isWord(lemma))
  )
}

function alike(a: Token, b: Token): boolean {
  const [mine, its] = [[...wordsOf(a)], [...wordsOf(b)]]
  if (mine.some((word) => its.includes(word))) return true
  const [short, long] = a.text.length < b.text.length ? [a.text, b.text] : [b.text, a.text]
  if (short.length >= STEM && (long.startsWith(short) || long.startsWith(short.slice(0, STEM + 1)))) return true
  return mine.some((word) =>
    its.some((other) => {
      const tie = kin(word).get(other)?.relation
      return standInsOf(word)?.has(other) || (tie !== undefined && tie !== 'related' && tie !== 'similar')
    }),
  )
}
