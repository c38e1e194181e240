import { fold, sentences, words } from '../../base/text.js'
import { lemmas } from '../../language/morphology.js'
import { isWord } from '../../language/wordnet.js'
import type { Memory } from '../../model/index.js'
import type { Bm25Index } from '../bm25/bm25-index.js'
import { dayOf } from '../parts/clock.js'
import { withoutRequest } from './cues.js'
import { analyze, type SaidNote } from './note.js'

/** How closely a statement must answer to a request: cosine, and the share of what the request names. */
const MEANT = 0.8
const NAMED = 0.3
/** Others that answer nearly as well are meant, too. */
const NEARLY = 0.95
/** What stands between a thing and its value. */
const COPULA = /\s(?:is|are|was|were|am|be)\s(?:at |by |for |on |to |in |called )?/
/** Shorter values may stand anywhere. */
const SHORTEST = 4
/** A value that both name counts as much as a topic that is named in full. */
const QUOTED = 1
/** Words of a request and a statement that are compared, since every run of them is looked at. */
const COMPARED = 200
const SPOKEN = new Set(
  analyze('told tell said say mentioned mention talked spoke know notes note anything everything stay'),
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
  const named = withoutRequest(asked.memory.text)
  const topic = [...new Set(analyze(named))].filter((term) => !SPOKEN.has(term))
  const rarity = topic.reduce((sum, term) => sum + index.idf(term), 0)
  const answers = notes.slice(0, request).map((note, at) => {
    if (!note || note.memory.status === 'tombstone' || note.cues.isForget) return { at, score: 0 }
    if (quoted(asked.memory.text, note.memory.text) !== null) return { at, score: near[at]! + QUOTED }
    const share = topic.reduce((sum, term) => sum + (note.terms.includes(term) ? index.idf(term) : 0), 0) / rarity
    return { at, score: share >= NAMED ? near[at]! + share : 0 }
  })
  const best = answers.reduce((most, { score }) => Math.max(most, score), 0)
  if (best < MEANT) return new Map()
  const meant = answers.filter(({ score }) => score >= best * NEARLY).map(({ at }) => at)
  const values = meant.flatMap((at) => {
    const { text } = notes[at]!.memory
    const value = quoted(asked.memory.text, text)
    return value === null ? valueIn(text, topic) : [value]
  })
  const changes = new Map<number, Memory | null>()
  for (const [at, note] of notes.entries()) {
    if (!note) continue
    const text = without(note.memory.text, meant.includes(at) ? topic : [], values)
    if (text !== note.memory.text) changes.set(at, text === '' ? null : { ...note.memory, text })
  }
  const told = meant.flatMap((at) => predicateOf(statementOn(notes[at]!.memory.text, topic)))
  changes.set(request, tombstone(asked.memory, named, [...values, ...told]))
  return changes
}

/**
 * The run of words that a request and a statement share, and that names something: the one with most words that no dictionary has, or one at
 * the end of the statement. Null where there is none.
 */
function quoted(request: string, statement: string): string | null {
  const [asked, told] = [` ${words(request).slice(0, COMPARED).join(' ')} `, words(statement).slice(0, COMPARED)]
  let best: { run: string; names: number } | null = null
  for (let from = 1; from < told.length; from++) {
    let to = from
    while (to < told.length && asked.includes(` ${told.slice(from, to + 1).join(' ')} `)) to++
    const run = told.slice(from, to)
    const content = run.filter((word) => analyze(word).length > 0)
    const names = content.filter(isName).length
    const isMeant = names > 0 || (content.length > 1 && to === told.length)
    if (isMeant && (best === null || names > best.names)) best = { run: run.join(' '), names }
  }
  return best?.run ?? null
}

function isName(word: string): boolean {
  return /\p{N}/u.test(word) || !lemmas(word).some(({ lemma }) => isWord(lemma))
}

/** The statement of a text that a topic is in. */
function statementOn(text: string, topic: readonly string[]): string {
  const shared = (sentence: string) => analyze(sentence).filter((term) => topic.includes(term)).length
  return sentences(text).reduce((best, sentence) => (shared(sentence) > shared(best) ? sentence : best), '')
}

/** What a statement says that something is. */
function valueIn(text: string, topic: readonly string[]): string[] {
  const told = statementOn(text, topic)
  const parts = told.split(COPULA)
  const last = parts.length > 1 ? parts.at(-1)! : afterTopic(told, topic)
  const value = fold(last)
    .replace(/^["'(]+|["').!?]+$/g, '')
    .replace(/\s(?:now|these days|at the moment)$/, '')
  return value.length >= SHORTEST ? [value] : []
}

/** What a statement says behind its verb; all of it where that is not seen. */
function predicateOf(told: string): string {
  return told.split(COPULA).slice(1).join(' ') || told
}

/** What follows the last word of a topic. */
function afterTopic(told: string, topic: readonly string[]): string {
  const parts = told.split(/\s+/)
  const last = parts.findLastIndex((word) => analyze(word).some((term) => topic.includes(term)))
  return parts.slice(last + 1).join(' ')
}

/** A text without the statement on a topic, and without values. */
function without(text: string, topic: readonly string[], values: readonly string[]): string {
  const gone = statementOn(text, topic)
  const rest = gone === '' ? text : text.replace(gone, '').replace(/ {2,}/g, ' ').trim()
  return values.reduce((left, value) => replacedIn(left, value), rest)
}

function replacedIn(text: string, value: string): string {
  const pattern = value
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/['"\s-]+/g, '[\\s\'"\u2018\u2019\u201c\u201d\u2010-\u2015-]+')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'), '[forgotten]')
}

/** What is left of a request: what it names, without any word of what was told. */
function tombstone(request: Memory, named: string, told: readonly string[]): Memory {
  const gone = new Set(told.flatMap((value) => words(value)))
  const topic = words(named).filter((word) => !gone.has(word) && analyze(word).some((term) => !SPOKEN.has(term)))
  const about = topic.join(' ') || 'something'
  const day = request.time ? ` on ${dayOf(request.time)}` : ''
  return {
    ...request,
    text: `The user asked${day} to forget this: ${about}. It was taken out.`,
    status: 'tombstone',
  }
}
