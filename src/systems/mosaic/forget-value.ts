import { escapeRegExp, fold, words } from '../../base/text.js'
import { FUNCTION_WORDS, LIGHT_WORDS } from '../../language/function-words.js'
import { lemmas } from '../../language/morphology.js'
import { isWord } from '../../language/wordnet.js'
import { analyze } from './note.js'
import { wholeStatements } from './whole-statements.js'

/** What stands between a thing and its value. */
const COPULA = /\s(?:is|are|was|were|am|be):?\s(?:at |by |for |on |to |in |called )?/
const IS_SAID = new RegExp(`^["'\u2019\u201d]?${COPULA.source}`)
/** What sets a value off from its topic: "Locker code: …". */
const SET_OFF = /[:=(\u2013\u2014]["'\s]*$|\s-\s$/
/** Says when, and is no part of a value. */
const PASSING = /(?:^|\s)(?:now|today|tonight|tomorrow|yesterday|soon|these days|at the moment)$/
/** What comes before a place. */
const PLACED = /\s(?:on|in|at|near|behind|opposite|from) /
/** Shorter values may stand anywhere. */
const SHORTEST = 4
/** Words of a request and a statement that are compared, since every run of them is looked at. */
const COMPARED = 200

/**
 * The run of words at the end of a statement that a request repeats, and that names something: a value. Where a request names nothing else
 * it may stand anywhere. Null where there is none.
 */
export function repeatedValue(request: string, text: string, topic: readonly string[]): string | null {
  const asked = ` ${firstWords(request).join(' ')} `
  let best: { run: string; names: number } | null = null
  for (const statement of wholeStatements(text)) {
    const told = firstWords(statement.replace(/[.!?]+$/, '').replace(PASSING, ''))
    for (let from = 0; from < told.length; from++) {
      let to = from
      while (to < told.length && asked.includes(` ${told.slice(from, to + 1).join(' ')} `)) to++
      const run = told.slice(from, to)
      const content = run.filter((word) => analyze(word).length > 0)
      const names = content.filter(isName).length
      const isAll = names > 0 && topic.every((term) => content.some((word) => analyze(word).includes(term)))
      const isMeant = isAll || (from > 0 && to === told.length && (names > 0 || content.length > 1))
      if (isMeant && (best === null || names > best.names)) best = { run: run.join(' '), names }
    }
  }
  // What is said to be something may begin with that: "is 8802".
  return best ? ` ${best.run}`.split(COPULA).at(-1)!.trim() : null
}

function firstWords(text: string): string[] {
  return words(text).slice(0, COMPARED)
}

/** Whether a word is a name or a number: one that the dictionary does not have. */
export function isName(word: string): boolean {
  if (FUNCTION_WORDS.has(word)) return false
  return /\p{N}/u.test(word) || !lemmas(word).some(({ lemma }) => isWord(lemma))
}

/** Whether words name nothing by themselves: one word of the dictionary. */
export function isCommon(text: string): boolean {
  const content = words(text).filter((word) => analyze(word).length > 0)
  return content.length < 2 && !content.some(isName)
}

/** The statement of a text that a topic is in; the first where none has a word of it. */
export function statementOn(text: string, topic: readonly string[]): string {
  const shared = (sentence: string) => analyze(sentence).filter((term) => topic.includes(term)).length
  // Of two, one may be the other's title.
  const isTitle = (one: string, other: string) => other.length > one.length && other.startsWith(one)
  return wholeStatements(text).reduce((best, sentence) =>
    shared(sentence) > shared(best) || (shared(sentence) === shared(best) && isTitle(best, sentence)) ? sentence : best,
  )
}

/**
 * What a statement says that something is. Behind a topic alone, where nothing says that it is one, only what is set off or names something:
 * else a value might be any words that end a sentence, and would go from all that was said.
 */
export function valueIn(statement: string, topic: readonly string[]): string[] {
  const value = fold(predicateOf(statement, topic))
    .replace(/^["'(]+|["').!?]+$/g, '')
    .replace(PASSING, '')
  const isTold = COPULA.test(statement) || SET_OFF.test(beforeValue(statement, topic)) || words(value).some(isName)
  // "Dr Okafor on Mill Street" may be spoken of as "Dr Okafor".
  const [head] = value.split(PLACED)
  const values = head !== value && words(head!).some(isName) ? [value, head!] : [value]
  return isTold ? values.filter((one) => one.length >= SHORTEST && !words(one).every(isEmpty)) : []
}

/** Whether a word stands for nothing by itself. */
function isEmpty(word: string): boolean {
  return FUNCTION_WORDS.has(word) || LIGHT_WORDS.has(word)
}

/** Whether what follows a thing says what it is. */
export function isSaidToBe(rest: string): boolean {
  return IS_SAID.test(rest)
}

/** A text with a value taken out, in whatever quotes and with whatever dashes it is written. */
export function withoutValue(text: string, value: string): string {
  const pattern = escapeRegExp(value).replace(/['"\s-]+/g, '[\\s\'"\u2018\u2019\u201c\u201d\u2010-\u2015-]+')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'), '[forgotten]')
}

/** What a statement says behind its last verb of being, or behind the topic where it has none. */
function predicateOf(told: string, topic: readonly string[]): string {
  const parts = told.split(COPULA)
  return parts.length > 1 ? parts.at(-1)! : afterTopic(told, topic)
}

/**
 * The words of a statement that tell something, and do not only say of what: behind what it is said of, or all of them where nothing says that it
 * is one; and what is written as a name.
 */
export function toldBy(statement: string, topic: readonly string[]): string {
  const isSaid = COPULA.test(statement) || SET_OFF.test(beforeValue(statement, topic))
  const names = statement.match(/(?<=\S )\p{Lu}[\p{L}\p{N}'\u2019-]+/gu) ?? []
  return isSaid ? [predicateOf(statement, topic), ...names].join(' ') : statement
}

/** What follows the last word of a topic. */
function afterTopic(told: string, topic: readonly string[]): string {
  const parts = told.split(/\s+/)
  const last = parts.findLastIndex((word) => analyze(word).some((term) => topic.includes(term)))
  return parts.slice(last + 1).join(' ')
}

/** A statement as far as the last word of a topic. */
function beforeValue(told: string, topic: readonly string[]): string {
  return told.slice(0, told.length - afterTopic(told, topic).length)
}
