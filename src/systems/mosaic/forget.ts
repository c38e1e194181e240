import { words } from '../../base/text.js'
import type { Memory } from '../../model/index.js'
import type { Bm25Index } from '../bm25/bm25-index.js'
import { dayOf } from '../parts/clock.js'
import { type ForgetRequest, readForgetRequest } from './forget-request.js'
import { isOneOfSeveral, spanOf } from './forget-span.js'
import {
  isCommon,
  isName,
  isSaidToBe,
  repeatedValue,
  statementOn,
  toldBy,
  valueIn,
  withoutValue,
} from './forget-value.js'
import { analyze, type SaidNote } from './note.js'
import { wholeStatements } from './whole-statements.js'

/** A statement of the speaker's is meant that has so much of what a request names. */
const NAMED = 0.9
/**
 * How much it counts that a note says something, has all words of what is named, and tells of somebody else than is named, as logarithms of
 * odds; a note that is so likely, against all else, is meant. Fitted to the same requests as nearness.
 */
const SAYING = 0.69
const SHARED = 1
const OTHER = -1.22
const LIKELY = 0.5
/** Or where it is so many times likelier than any other note, and likelier than that nothing is. */
const CLEAR = 4
/** What tells the same thing anew: how much it counts that two notes are alike, share a name, and that the later one is news, against how much less likely it is. */
const SAME = { alike: 10, name: 2, news: 3, enough: 5 }
/** Of those that are named, others that are nearly as near as the best are meant, too. */
const NEARLY = 1.5
/** What says less is told in passing, and meant only where it is named. */
const THIN = 0.5
/** Who is near to a speaker. */
const KIN = new Set(
  `brother sister cousin mother father mum mom mama papa dad son daughter wife husband friend neighbour neighbor colleague coworker housemate flatmate
  roommate uncle aunt nephew niece grandson granddaughter grandmother grandfather nan grandad mother-in-law boyfriend girlfriend partner child kid baby`.split(
    /\s+/,
  ),
)
/** A common word is a value where so few notes have it. */
const RARE = 3
/** How like something must be to a thing that is named word for word. */
const ALIKE = 0.6

/** How near notes are to what a request names. */
export interface Nearness {
  /** Of every note, as a logarithm of odds. */
  near: Float64Array
  /** How likely nothing is meant, in the same measure. */
  nothing: number
  /** Sentences of the nearest notes that are on it, where that was found out. */
  parts?: ReadonlyMap<number, readonly string[]>
  /** The cosine of two notes. */
  likeness?(one: number, other: number): number
}

/**
 * What becomes of notes when a request to forget is followed: null for those that go, and a memory for those that lose something. The request
 * itself becomes a tombstone, which says what was forgotten and not what it was.
 *
 * @param nearness to each thing that the request names
 */
export function forgotten(
  notes: readonly (SaidNote | null)[],
  request: number,
  nearness: readonly Nearness[],
  index: Bm25Index,
): Map<number, Memory | null> {
  const named = readForgetRequest(notes[request]!.memory.text)
  const meant = meantBy(named, notes.slice(0, request), nearness, index)
  return meant.size === 0 ? new Map() : takenOut(notes, meant, request)
}

/** The few notes that a request most likely means, the likeliest first. */
export function nearestNotes(
  notes: readonly (SaidNote | null)[],
  request: number,
  nearness: readonly Nearness[],
  index: Bm25Index,
  count: number,
): number[] {
  const { topics } = readForgetRequest(notes[request]!.memory.text)
  const candidates = topics.flatMap((topic, i) =>
    candidatesFor(topic, notes.slice(0, request), nearness[i]!.near, index),
  )
  const order = candidates.filter(({ at }) => notes[at]!.weight >= THIN).toSorted((a, b) => b.score - a.score)
  return [...new Set(order.map(({ at }) => at))].slice(0, count)
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
  const whole = (text: string) => ({
    statement: text,
    isWhole: true,
    values: wholeStatements(text).flatMap((statement) => valueIn(statement, [])),
  })
  const all = new Map(meant.map((at) => [at, [whole(notes[at]!.memory.text)]]))
  return takenOut(notes, all, request)
}

/** What becomes of notes when statements are taken out, and their values wherever else they stand. */
function takenOut(
  notes: readonly (SaidNote | null)[],
  meant: ReadonlyMap<number, MeantStatement[]>,
  request?: number,
): Map<number, Memory | null> {
  const asked = request === undefined ? undefined : notes[request]!.memory
  const values = [...meant.values()]
    .flatMap((parts) => parts.flatMap((part) => part.values))
    .filter((value) => !isCommon(value) || isRare(value, notes))
  const changes = new Map<number, Memory | null>()
  for (const [at, note] of notes.entries()) {
    // What is told again in a later conversation is told anew.
    const isLater = asked && at > request! && !isSameConversation(note?.memory ?? asked, asked)
    if (!note || (isLater && !meant.has(at))) continue
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
  const { about, topics } = readForgetRequest(asked.text)
  const terms = [...new Set(analyze(topics.join(' ')))]
  const told = [...meant.values()].flatMap((parts) =>
    parts.flatMap(({ statement, own = [] }) => [toldBy(statement, terms), ...own]),
  )
  changes.set(request!, tombstone(asked, about, [...values, ...told]))
  return changes
}

/** Whether few notes have a word: one that many have says nothing of what was told. */
function isRare(value: string, notes: readonly (SaidNote | null)[]): boolean {
  const has = notes.filter((note) => note && withoutValue(note.memory.text, value) !== note.memory.text)
  return has.length <= RARE
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

/** What a request means: statements of notes before it. Each thing is looked for by itself. */
function meantBy(
  { items, object, topics }: ForgetRequest,
  notes: readonly (SaidNote | null)[],
  nearness: readonly Nearness[],
  index: Bm25Index,
): Map<number, MeantStatement[]> {
  const meant = new Map<number, MeantStatement[]>()
  for (const [i, topic] of topics.entries()) {
    const reading = items.length > 0 ? itemReading(topic) : topicReading(object, topic)
    const answers = answersTo(reading, notes, nearness[i]!, index)
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

/** A note that a topic may mean. */
interface Candidate {
  at: number
  text: string
  /** How much of the topic's words it has. */
  share: number
  /** How likely it is meant, as a logarithm of odds. */
  score: number
}

function candidatesFor(
  topic: string,
  notes: readonly (SaidNote | null)[],
  near: Float64Array,
  index: Bm25Index,
): Candidate[] {
  const wanted = [...new Set(analyze(topic))].map((term) => ({ term, rarity: index.idf(term) }))
  const all = wanted.reduce((sum, { rarity }) => sum + rarity, 0)
  if (all === 0) return []
  return notes.flatMap((note, at) => {
    if (!isForgettable(note)) return []
    const { text } = note.memory
    const share = wanted.reduce((sum, { term, rarity }) => sum + (note.terms.includes(term) ? rarity : 0), 0) / all
    return [
      { at, text, share, score: near[at]! + SAYING * note.weight + SHARED * share + OTHER * strangers(text, topic) },
    ]
  })
}

function answersTo(
  { topic, isItem, isNamedIn, read }: Reading,
  notes: readonly (SaidNote | null)[],
  { near, nothing, parts, likeness = () => 0 }: Nearness,
  index: Bm25Index,
): [number, MeantStatement][] {
  const terms = [...new Set(analyze(topic))]
  const answers = candidatesFor(topic, notes, near, index)
    .filter(({ share }) => !isItem || share >= ALIKE)
    .map((one) => {
      const isNamed = isNamedIn(one.text) || (!isItem && one.share >= NAMED && isOfSpeaker(notes[one.at]!, terms[0]!))
      return { ...one, isNamed }
    })
  // One word beside a value that stands without it says what that is: something else may have the word by chance.
  const said = terms.length === 1 ? answers.filter(({ text, share }) => share < NAMED && isNamedIn(text)) : []
  const named = said.length > 0 ? said : answers.filter(({ isNamed }) => isNamed)
  const meaning = answers.filter(({ at }) => notes[at]!.weight >= THIN)
  const [best, next] = (named.length > 0 || isItem ? named : meaning).toSorted((a, b) => b.score - a.score)
  if (!best) return []
  if (best.isNamed)
    return named.filter(({ score }) => best.score - score <= NEARLY).map(({ at, text }) => [at, read(text)])
  const isLikely = best.score - logSum([nothing, ...answers.map(({ score }) => score)]) >= Math.log(LIKELY)
  const isClear = best.score > nothing && (!next || best.score - next.score >= Math.log(CLEAR))
  if (!isLikely && !isClear) return []
  const names = namesIn(best.text)
  const isSame = ({ at, text, score }: { at: number; text: string; score: number }) => {
    const alike = SAME.alike * likeness(best.at, at)
    const named = namesIn(text).some((name) => names.includes(name)) ? SAME.name : 0
    const news = notes[Math.max(at, best.at)]!.cues.isNews ? SAME.news : 0
    return alike + named + news - (best.score - score) > SAME.enough
  }
  return [best, ...answers.filter((one) => one !== best && isSame(one))].flatMap(({ at, text }) => {
    const said = parts?.get(at) ?? [at === best.at ? read(text).statement : statementOn(text, terms)]
    return said.map((statement): [number, MeantStatement] => [
      at,
      { statement, isWhole: true, values: valueIn(statement, terms) },
    ])
  })
}

/** The logarithm of the sum of odds. */
function logSum(logarithms: readonly number[]): number {
  const most = logarithms.reduce((one, other) => Math.max(one, other))
  return most + Math.log(logarithms.reduce((sum, one) => sum + Math.exp(one - most), 0))
}

/** Names in a text: what is written as one within a sentence, and no word of the dictionary. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{N}-]{2,}/gu)]
    .map(([name]) => name.toLowerCase())
    .filter(isName)
}

/** Whether a note is something that somebody told and may want forgotten. */
export function isForgettable(note: SaidNote | null | undefined): note is SaidNote {
  return !!note?.isTelling && note.memory.status !== 'tombstone' && !note.cues.isForget
}

/** Whether a note is of whoever says it: by its words, or since it begins with what is asked for ("Diet: …"). */
function isOfSpeaker({ isOwn, terms }: SaidNote, asked: string): boolean {
  return isOwn || terms[0] === asked
}

/** One where a text tells of somebody near to the speaker whom a topic does not name, and one the other way round. */
function strangers(text: string, topic: string): number {
  const [told, named] = [kinIn(text), kinIn(topic)]
  return Number(told.some((word) => !named.includes(word))) + Number(named.some((word) => !told.includes(word)))
}

function kinIn(text: string): string[] {
  return words(text)
    .map((word) => word.replace(/'s$/, ''))
    .filter((word) => KIN.has(word))
}

/** A thing in quotation marks: statements that have it, or something very like it. */
function itemReading(item: string): Reading {
  const placesIn = (text: string) =>
    wholeStatements(text)
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
      for (const statement of wholeStatements(text)) {
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
  // A shorter one may begin a longer one.
  const longest = statements.toSorted((a, b) => b.length - a.length)
  const rest = longest.reduce((left, statement) => left.replaceAll(statement, ''), text)
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
