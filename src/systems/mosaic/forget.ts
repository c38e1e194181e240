import { fold, sentences, words } from '../../base/text.js'
import { FUNCTION_WORDS } from '../../language/function-words.js'
import { lemmas } from '../../language/morphology.js'
import { isWord } from '../../language/wordnet.js'
import type { Memory } from '../../model/index.js'
import type { Bm25Index } from '../bm25/bm25-index.js'
import { dayOf } from '../parts/clock.js'
import { withoutRequest } from './cues.js'
import { analyze, type SaidNote } from './note.js'

/** A statement is meant that has so much of what a request names. */
const NAMED = 0.9
/** Where none has, one is meant that is so near to it, and nearer than any other by so much; words in common count as nearness. */
const NEAR = 0.3
const LEAD = 0.1
/** Of those that are named, others that answer nearly as well as the best are meant, too. */
const NEARLY = 0.95
/** What stands between a thing and its value. */
const COPULA = /\s(?:is|are|was|were|am|be)\s(?:at |by |for |on |to |in |called )?/
/** Shorter values may stand anywhere. */
const SHORTEST = 4
/** Words of a request and a statement that are compared, since every run of them is looked at. */
const COMPARED = 200
const SPOKEN = new Set(
  analyze(
    'told tell said say mentioned mention talked spoke know gave give notes note noted records record entry fact memory mind privacy reasons ' +
      'hold keep stay bring want wish request anything everything whatever longer good altogether completely entirely ' +
      'kept remember stored store shared share private rather one',
  ),
)

/**
 * What becomes of notes when a request to forget is followed: null for those that go, and a memory for those that lose something. The request
 * itself becomes a tombstone, which says what was forgotten and not what it was.
 *
 * @param near how alike every note is to the request
 */
export function forgotten(
  notes: readonly (SaidNote | null)[],
  request: number,
  near: Float64Array,
  index: Bm25Index,
): Map<number, Memory | null> {
  const asked = notes[request]!
  const topicText = topicOf(asked.memory.text)
  const topic = [...new Set(analyze(topicText))]
  const rarity = topic.reduce((sum, term) => sum + index.idf(term), 0)
  const answers = notes.slice(0, request).flatMap((note, at) => {
    if (!note || note.isReply || note.memory.status === 'tombstone' || note.cues.isForget) return []
    const isQuoted = quoted(asked.memory.text, note.memory.text, topic) !== null
    const share = topic.reduce((sum, term) => sum + (note.terms.includes(term) ? index.idf(term) : 0), 0) / rarity
    return [{ at, isNamed: isQuoted || share >= NAMED, near: near[at]!, score: near[at]! + share }]
  })
  const named = answers.filter(({ isNamed }) => isNamed)
  const [best, next] = (named.length > 0 ? named : answers).toSorted((a, b) => b.score - a.score)
  const isNearest = best !== undefined && best.near >= NEAR && best.score - (next?.score ?? 0) >= LEAD
  if (!best || !(best.isNamed || isNearest)) return new Map()
  const meant = best.isNamed ? named.filter(({ score }) => score >= best.score * NEARLY).map(({ at }) => at) : [best.at]
  const values = meant.flatMap((at) => {
    const { text } = notes[at]!.memory
    const value = quoted(asked.memory.text, text, topic)
    return value === null ? valueIn(text, topic) : [value]
  })
  const changes = new Map<number, Memory | null>()
  for (const [at, note] of notes.entries()) {
    if (!note) continue
    const text = without(note.memory.text, meant.includes(at) ? topic : null, values)
    const isGround = note.isGiven && note.cues.leans.some((clause) => without(clause, null, values) !== clause)
    if (text !== note.memory.text || isGround) changes.set(at, text === '' ? null : { ...note.memory, text })
  }
  const told = meant.flatMap((at) => predicateOf(statementOn(notes[at]!.memory.text, topic), topic))
  changes.set(request, tombstone(asked.memory, topicText, [...values, ...told]))
  return changes
}

/**
 * The run of words at the end of a statement that a request repeats, and that names something: a value. Where a request names nothing else
 * it may stand anywhere. Null where there is none.
 */
function quoted(request: string, text: string, topic: readonly string[]): string | null {
  const asked = ` ${firstWords(request).join(' ')} `
  let best: { run: string; names: number } | null = null
  for (const statement of sentences(text)) {
    const told = firstWords(statement)
    for (let from = 1; from < told.length; from++) {
      let to = from
      while (to < told.length && asked.includes(` ${told.slice(from, to + 1).join(' ')} `)) to++
      const run = told.slice(from, to)
      const content = run.filter((word) => analyze(word).length > 0)
      const names = content.filter(isName).length
      const isAll = topic.every((term) => content.some((word) => analyze(word).includes(term)))
      const isMeant = to === told.length ? names > 0 || content.length > 1 : names > 0 && isAll
      if (isMeant && (best === null || names > best.names)) best = { run: run.join(' '), names }
    }
  }
  return best?.run.split(COPULA).at(-1) ?? null
}

function firstWords(text: string): string[] {
  return words(text).slice(0, COMPARED)
}

function isName(word: string): boolean {
  if (FUNCTION_WORDS.has(word)) return false
  return /\p{N}/u.test(word) || !lemmas(word).some(({ lemma }) => isWord(lemma))
}

/** The statement of a text that a topic is in; the first where none has a word of it. */
function statementOn(text: string, topic: readonly string[]): string {
  const shared = (sentence: string) => analyze(sentence).filter((term) => topic.includes(term)).length
  return sentences(text).reduce((best, sentence) => (shared(sentence) > shared(best) ? sentence : best))
}

/** What a statement says that something is. */
function valueIn(text: string, topic: readonly string[]): string[] {
  const value = fold(predicateOf(statementOn(text, topic), topic))
    .replace(/^["'(]+|["').!?]+$/g, '')
    .replace(/\s(?:now|these days|at the moment)$/, '')
  return value.length >= SHORTEST ? [value] : []
}

/** What a statement says behind its last verb of being, or behind the topic where it has none. */
function predicateOf(told: string, topic: readonly string[]): string {
  const parts = told.split(COPULA)
  return parts.length > 1 ? parts.at(-1)! : afterTopic(told, topic)
}

/** What follows the last word of a topic. */
function afterTopic(told: string, topic: readonly string[]): string {
  const parts = told.split(/\s+/)
  const last = parts.findLastIndex((word) => analyze(word).some((term) => topic.includes(term)))
  return parts.slice(last + 1).join(' ')
}

/** A text without the statement on a topic, where there is one, and without values. */
function without(text: string, topic: readonly string[] | null, values: readonly string[]): string {
  const rest = topic === null ? text : text.replace(statementOn(text, topic), '').replace(/ {2,}/g, ' ').trim()
  return values.reduce((left, value) => replacedIn(left, value), rest)
}

function replacedIn(text: string, value: string): string {
  const pattern = value
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/['"\s-]+/g, '[\\s\'"\u2018\u2019\u201c\u201d\u2010-\u2015-]+')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'), '[forgotten]')
}

/** What a request names: its words, but for those that ask and those that speak of remembering. */
export function topicOf(request: string): string {
  const said = withoutRequest(request).match(/\S+/g) ?? []
  return said.filter((word) => analyze(word).some((term) => !SPOKEN.has(term))).join(' ')
}

/** What is left of a request: what it names, without any word of what was told. */
function tombstone(request: Memory, named: string, told: readonly string[]): Memory {
  const gone = new Set(told.flatMap((value) => words(value)))
  const about =
    words(named)
      .filter((word) => !gone.has(word))
      .join(' ') || 'something'
  const day = request.time ? ` on ${dayOf(request.time)}` : ''
  return {
    ...request,
    text: `The user asked${day} to forget this: ${about}. It was taken out.`,
    status: 'tombstone',
  }
}
