import { sentences, words } from '../../base/text.js'
import type { Memory } from '../../model/index.js'
import type { Bm25Index } from '../bm25/bm25-index.js'
import { dayOf } from '../parts/clock.js'
import { type ForgetRequest, readForgetRequest } from './forget-request.js'
import { isOneOfSeveral, spanOf } from './forget-span.js'
import { isCommon, isSaidToBe, predicateOf, repeatedValue, statementOn, valueIn, withoutValue } from './forget-value.js'
import { analyze, type SaidNote } from './note.js'

/** A statement is meant that has so much of what a request names. */
const NAMED = 0.9
/** Where none has, one is meant that is so near to it, and nearer than any other by so much; words in common count as nearness. */
const NEAR = 0.3
const LEAD = 0.1
/** Of those that are named, others that answer nearly as well as the best are meant, too. */
const NEARLY = 0.95
/** How like something must be to a thing that is named word for word. */
const ALIKE = 0.6

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
  const named = readForgetRequest(notes[request]!.memory.text)
  const meant = meantBy(named, notes.slice(0, request), near, index)
  return meant.size === 0 ? new Map() : takenOut(notes, meant, request)
}

/**
 * The same for notes that somebody has pointed at: all that they say is meant. Without a request that asked for it, the first of them becomes
 * the tombstone.
 */
export function forgottenNotes(
  notes: readonly (SaidNote | null)[],
  meant: readonly number[],
  request?: number,
): Map<number, Memory | null> {
  const statements = (text: string) =>
    sentences(text).map((statement) => ({ statement, isWhole: true, values: valueIn(statement, []) }))
  const all = new Map(meant.map((at) => [at, statements(notes[at]!.memory.text)]))
  return takenOut(notes, all, request)
}

/** What becomes of notes when statements are taken out, and their values wherever else they stand. */
function takenOut(
  notes: readonly (SaidNote | null)[],
  meant: ReadonlyMap<number, MeantStatement[]>,
  request?: number,
): Map<number, Memory | null> {
  const asked = request === undefined ? undefined : notes[request]!.memory
  const values = [...meant.values()].flatMap((parts) => parts.flatMap((part) => part.values))
  const changes = new Map<number, Memory | null>()
  for (const [at, note] of notes.entries()) {
    // What is told again in a later conversation is told anew.
    if (!note || (asked && at > request! && !isSameConversation(note.memory, asked))) continue
    const gone = (meant.get(at) ?? []).filter(({ isWhole }) => isWhole).map(({ statement }) => statement)
    const own = (meant.get(at) ?? []).flatMap((part) => part.own ?? [])
    const text = without(note.memory.text, gone, [...values, ...own])
    const { leans, about = '', value = '' } = note.cues
    const isGiven = note.isGiven && [...leans, about, value].some((given) => without(given, [], values) !== given)
    if (text !== note.memory.text || isGiven) changes.set(at, text === '' ? null : { ...note.memory, text })
  }
  if (!asked) {
    const [first] = meant.keys()
    const text = 'What was told here was taken out.'
    if (first !== undefined) changes.set(first, { ...notes[first]!.memory, text, status: 'tombstone' })
    return changes
  }
  const { about, topic } = readForgetRequest(asked.text)
  const terms = [...new Set(analyze(topic))]
  const told = [...meant.values()].flatMap((parts) =>
    parts.flatMap(({ statement, own = [] }) => [predicateOf(statement, terms), ...own]),
  )
  changes.set(request!, tombstone(asked, about, [...values, ...told]))
  return changes
}

function isSameConversation(a: Memory, b: Memory): boolean {
  return a.sources?.join() === b.sources?.join() && a.time === b.time
}

/** A statement that is meant. */
interface MeantStatement {
  statement: string
  /** All of it is to go, and not only one of several things that it names. */
  isWhole: boolean
  /** What is to go from everything else that was said. */
  values: readonly string[]
  /** What is to go from this alone: a common word that is one of a list may stand anywhere. */
  own?: readonly string[]
}

/** What a request means: statements of notes before it. Each thing in quotation marks is looked for by itself. */
function meantBy(
  { items, object, topic }: ForgetRequest,
  notes: readonly (SaidNote | null)[],
  near: Float64Array,
  index: Bm25Index,
): Map<number, MeantStatement[]> {
  const meant = new Map<number, MeantStatement[]>()
  const readings: Reading[] = items.length > 0 ? items.map((item) => itemReading(item)) : [topicReading(object, topic)]
  for (const reading of readings) {
    const answers = answersTo(reading, notes, near, index)
    // What is one of a list somewhere is to go from lists.
    const listed = reading.isItem ? answers.filter(([, { isWhole }]) => !isWhole) : []
    for (const [at, statement] of listed.length > 0 ? listed : answers)
      meant.set(at, [...(meant.get(at) ?? []), statement])
  }
  return meant
}

/** How a request is read: what it is looked for by, and what it would mean in a text. */
interface Reading {
  topic: string
  isItem: boolean
  isNamedIn(text: string): boolean
  read(text: string): MeantStatement
}

function answersTo(
  { topic, isItem, isNamedIn, read }: Reading,
  notes: readonly (SaidNote | null)[],
  near: Float64Array,
  index: Bm25Index,
): [number, MeantStatement][] {
  const wanted = [...new Set(analyze(topic))].map((term) => ({ term, rarity: index.idf(term) }))
  const all = wanted.reduce((sum, { rarity }) => sum + rarity, 0)
  if (all === 0) return []
  const answers = notes.flatMap((note, at) => {
    if (!note || note.isReply || note.memory.status === 'tombstone' || note.cues.isForget) return []
    const shared = wanted.filter(({ term }) => note.terms.includes(term)).map(({ rarity }) => rarity)
    const share = shared.reduce((sum, rarity) => sum + rarity, 0) / all
    if (isItem && share < ALIKE) return []
    const { text } = note.memory
    const isNamed = isNamedIn(text) || (!isItem && share >= NAMED)
    return [{ at, text, isNamed, rarest: Math.max(0, ...shared), near: near[at]!, score: near[at]! + share }]
  })
  const named = answers.filter(({ isNamed }) => isNamed)
  const [best, next] = (named.length > 0 || isItem ? named : answers).toSorted((a, b) => b.score - a.score)
  if (!best) return []
  if (best.isNamed)
    return named.filter(({ score }) => score >= best.score * NEARLY).map(({ at, text }) => [at, read(text)])
  // The rarest word of a request says most: what lacks it is not meant where something else has it.
  const hasRarest = answers.every(({ rarest }) => rarest <= best.rarest)
  const isNearest = best.near >= NEAR && best.score - (next?.score ?? 0) >= LEAD
  return hasRarest && isNearest ? [[best.at, read(best.text)]] : []
}

/** A thing in quotation marks: statements that have it, or something very like it. */
function itemReading(item: string): Reading {
  const placesIn = (text: string) =>
    sentences(text)
      .flatMap((statement) => {
        const span = spanOf(statement, item)
        return span && span.likeness >= ALIKE ? [{ statement, span }] : []
      })
      .toSorted((a, b) => b.span.likeness - a.span.likeness)
  return {
    topic: item,
    isItem: true,
    isNamedIn: (text) => placesIn(text).length > 0,
    read: (text) => {
      const { statement, span } = placesIn(text)[0]!
      const isWhole = !isOneOfSeveral(statement, span)
      // Of a thing that is said to be something, that is the value.
      const isTopic = isWhole && isSaidToBe(statement.slice(span.to))
      const said = [statement.slice(span.from, span.to), item]
      if (!isWhole && isCommon(item)) return { statement, isWhole, values: [], own: said }
      return { statement, isWhole, values: isTopic ? valueIn(statement, analyze(item)) : said }
    },
  }
}

/** Words for something: statements with a value that the request repeats, or else on what it names. */
function topicReading(object: string, topic: string): Reading {
  const terms = [...new Set(analyze(topic))]
  return {
    topic,
    isItem: false,
    isNamedIn: (text) => repeatedValue(object, text, terms) !== null,
    read: (text) => {
      const value = repeatedValue(object, text, terms)
      const onTopic = statementOn(text, terms)
      if (value === null) return { statement: onTopic, isWhole: true, values: valueIn(onTopic, terms) }
      for (const statement of sentences(text)) {
        const span = spanOf(statement, value)
        if (span?.likeness !== 1) continue
        const values = [statement.slice(span.from, span.to), value]
        return { statement, isWhole: !isOneOfSeveral(statement, span), values }
      }
      return { statement: onTopic, isWhole: true, values: [value] }
    },
  }
}

/** A text without some of its statements, and without values. */
function without(text: string, statements: readonly string[], values: readonly string[]): string {
  const rest = statements.reduce((left, statement) => left.replaceAll(statement, ''), text)
  return values.reduce(withoutValue, statements.length > 0 ? rest.replace(/ {2,}/g, ' ').trim() : text)
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
