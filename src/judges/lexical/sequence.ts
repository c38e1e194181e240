import { fold } from '../../base/text.js'
import { eventsTold } from '../../language/events.js'
import type { AnswerVerdict, Gold } from '../../model/index.js'
import { formsWithoutNote } from './state/note.js'
import { findAll, type PhrasePlace } from './state/phrase.js'
import { plainText } from './store/units.js'
import { isGiven } from './values.js'

/** Words that put what stands beside them at the end or at the beginning of a series. */
const LATEST =
  /\b(?:now|currently|current|latest|most recent(?:ly)?|newest|today|these days|at present|nowadays|finally|last(?:ly)?|ended up|in the end)\b/
const EARLIEST =
  /\b(?:first|originally|initially|at first|earliest|oldest|to begin with|started (?:out )?(?:with|on|as)|started|began)\b/
const BACKWARDS =
  /\b(?:before that|prior to that|preceded by|before it|earlier still|(?:latest|newest|most recent|last|current)(?: one)? (?:first|to (?:the )?(?:earliest|oldest|first))|reverse (?:chronological )?order|from (?:the )?(?:latest|newest|most recent)|came after|replaced|after (?=\u00a7))\b|<-|\u2190/

/**
 * All values, earliest first. `partial` is the longest chain of values in the right order over all their occurrences, with what the answer
 * says about their order; `greedy` is the paper's, which takes the first occurrence of each and lets an early mention block the others.
 */
export function gradeSequence({ items }: Extract<Gold, { kind: 'sequence' }>, answer: string): AnswerVerdict {
  const plain = plainText(answer)
  const places = items.map((item) => (isGiven(item, answer) ? findAll(formsWithoutNote(item), plain, false) : []))
  const told = toldOrder(answer, plain, places)
  const plainChain = longestChain(places.map((list) => list.map(({ at }) => at)))
  const chain = told ? longestChain(told.map((rank) => (rank === null ? [] : [rank]))) : plainChain
  const missing = items.filter((_, i) => places[i]!.length === 0)
  const right = missing.length === 0 && (told ? chain === items.length : inOrder(places))
  const credit = { partial: chain / items.length, greedy: greedyShare(items, answer) }
  const reason =
    missing.length > 0
      ? `It does not name ${missing.join(', ')}.`
      : right
        ? 'It names all values in order.'
        : 'It names all values, but not in order.'
  // Words that order may order otherwise than they were read.
  return { grade: right ? 'right' : 'wrong', uncertain: missing.length === 0 && told !== null, reason, credit }
}

/**
 * The same of events that may be told in any words. Only those that stand there word for word and in order are surely right, and only who
 * tells none of them and admits to knowing nothing is surely wrong.
 */
export function gradeEvents(
  gold: Extract<Gold, { kind: 'sequence' }>,
  answer: string,
  refuses: boolean,
): AnswerVerdict {
  const verbatim = gradeSequence(gold, answer)
  if (verbatim.grade === 'right') return verbatim
  const { items } = gold
  const told = eventsTold(items, answer)
  const chain = longestChain(items.map((_, event) => told.flatMap((at, place) => (at === event ? [place] : []))))
  const missing = items.filter((_, event) => !told.includes(event))
  const reason =
    missing.length > 0
      ? `It does not seem to tell ${missing.join(', ')}.`
      : `It seems to tell all events${chain === items.length ? '' : ', but not'} in order.`
  return {
    grade: chain === items.length ? 'right' : 'wrong',
    uncertain: !refuses || missing.length < items.length,
    reason,
    credit: { partial: chain / items.length },
  }
}

/** The place of every value in the series where the answer tells it by numbers, dates or words; null where only the order of mention does. */
function toldOrder(
  answer: string,
  plain: string,
  places: readonly (readonly PhrasePlace[])[],
): (number | null)[] | null {
  const firsts = places.map((list) => list[0])
  if (firsts.some((place) => place === undefined)) return null
  const lines = firsts.map((place) => lineAt(answer, plain, place!.at))
  for (const read of [numberOf, dateOf]) {
    const ranks = lines.map(read)
    if (
      ranks.every((rank) => rank !== null) &&
      new Set(ranks).size === ranks.length &&
      new Set(lines).size === lines.length
    )
      return ranks
  }
  const around = firsts.map((place) => clauseAround(plain, place!, places.flat()))
  if (BACKWARDS.test(masked(plain, places.flat()))) {
    const end = plain.length
    return firsts.map((place) => end - place!.at)
  }
  const moved = firsts.map((place, i) => {
    if (LATEST.test(around[i]!)) return plain.length + 1
    return EARLIEST.test(around[i]!) ? -1 : place!.at
  })
  return new Set(moved).size === moved.length && moved.some((rank, i) => rank !== firsts[i]!.at) ? moved : null
}

function lineAt(answer: string, plain: string, at: number): string {
  const lines = answer
    .split('\n')
    .map((line) => plainText(line))
    .filter((line) => line !== '')
  let start = 0
  for (const line of lines) {
    const begin = plain.indexOf(line, start)
    if (begin <= at && at < begin + line.length) return line
    start = begin + line.length
  }
  return ''
}

function numberOf(line: string): number | null {
  const found = /^\W*(\d{1,2})[.):]\s/.exec(line)
  return found ? Number(found[1]) : null
}

function dateOf(line: string): number | null {
  const found = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/.exec(line)
  return found ? Number(found[1]) * 10_000 + Number(found[2]) * 100 + Number(found[3]) : null
}

/** What stands around a value up to the next sign or value. */
function clauseAround(plain: string, { at, end }: PhrasePlace, all: readonly PhrasePlace[]): string {
  const before = Math.max(0, ...all.filter((other) => other.end <= at).map((other) => other.end))
  const after = Math.min(plain.length, ...all.filter((other) => other.at >= end).map((other) => other.at))
  const head =
    plain
      .slice(before, at)
      .split(/[,;.\n]/)
      .at(-1) ?? ''
  const tail = plain.slice(end, after).split(/[,;.\n]|\band\b|\bthen\b/)[0] ?? ''
  return `${head} ${tail}`
}

function masked(plain: string, places: readonly PhrasePlace[]): string {
  let text = plain
  for (const { at, end } of [...places].sort((a, b) => b.at - a.at))
    text = `${text.slice(0, at)}\u00a7${text.slice(end)}`
  return text
}

/** The most values, each at one of its places, that stand in the right order. */
function longestChain(places: readonly (readonly number[])[]): number {
  const ends: number[] = []
  for (const list of places) {
    for (const at of [...list].sort((a, b) => b - a)) {
      const length = ends.findIndex((end) => end >= at)
      if (length < 0) ends.push(at)
      else ends[length] = at
    }
  }
  return ends.length
}

/** The first mentions are in order, or the last ones: what was said before or after may name them in any. */
function inOrder(places: readonly (readonly PhrasePlace[])[]): boolean {
  const rising = (list: readonly number[]) => list.every((at, i) => i === 0 || at > list[i - 1]!)
  return rising(places.map((list) => list[0]!.at)) || rising(places.map((list) => list.at(-1)!.at))
}

/** The paper's partial credit: values whose first mention stands after that of the last one counted. */
export function greedyShare(items: readonly string[], answer: string): number {
  const text = fold(answer)
  let [last, count] = [-1, 0]
  for (const item of items) {
    const at = text.indexOf(fold(item))
    if (at <= last) continue
    count++
    last = at
  }
  return count / items.length
}
