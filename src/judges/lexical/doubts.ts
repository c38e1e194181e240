import { fold } from '../../base/text.js'
import { numbersInDigits } from '../../language/numbers.js'
import { indexStem } from '../../language/stems.js'
import { contentTokens, plainWords } from '../../language/tokens.js'
import type { Fact } from '../../model/index.js'
import type { Clues } from './features.js'
import { isPersonNoun } from './people.js'
import type { StoreIndex } from './store/store-index.js'
import { type Unit, unitsOf } from './store/units.js'

/** Words by which a text takes back what was said. */
const RETRACTION =
  /\b(?:not true|untrue|no truth|false|wrong|incorrect|fabricated|den(?:y|ies|ied)|correct(?:ion|ed)|amended|retract(?:s|ed|ion)?|withdr[ae]wn?|cancell?ed|annulled|revoked|struck out|strike|cut this|ignore|disregard|(?<!by )mistaken?|mix-up|mixed up|misspoke|misheard|misread|slip of the tongue|take (?:it|that) back|no wait|sorry(?=\W+(?:no|not|i|that|this|it|my|wrong|meant)\b)|apologi[sz]ed?|nonsense|in truth|rejected|disowned|forge(?:d|ry)|faked?|teasing|kidding|jok(?:e|es|ed|ing)|pranks?|april fools?|opposite|ruled out|namesake)\b/u
/** Words by which a text says something of no real world, asks it, or expects it. */
const FRAME =
  /\b(?:hoax|invented|invention|made[- ]up|fiction(?:al)?|fictitious|novel|film|movie|series|sketch|lyrics?|game|character|hero|plot|script|satirical|sample|exercise|test data|hypothetical|imagin(?:e|ed|ary)|pretend(?:s|ed|ing)?|rumou?r(?:s|ed)?|gossip|myth|alleged(?:ly)?|impersonat(?:ed|ing)|quiz|questionnaire|poll|quer(?:y|ies)|flashcards?|unanswered|unconfirmed|unverified|whether|would|might|perhaps|possibly|maybe|suppos(?:e|es|ing|ed|edly)|thought experiment|plan(?:s|ned)|intend(?:s|ed)?|promis(?:e|es|ed)|hop(?:es|ed)|almost|nearly|in (?:theory|practice|reality)|according to|what if|not (?:every\w*|all|always))\b|\?|#\p{L}/gu
const NEGATIVE = /\b(?:no|not|never|none|nobody|neither|nor|cannot)\b|n['’]t\b/gu

/** Words by which a sentence points at the one before it. */
const BACK =
  /\b(?:that|this|it|these|those|all|none|above|previous|last|former|earlier|entry|note|line|record|story|claim)\b/u

/** Words of a sentence beside those of a fact that leave it standing for itself: a date, a name before a colon. */
const BESIDE = 2
/** Words before a colon that only lead in. */
const LEAD = 12
/** Words that a memory shares with a fact to be of the same matter: so many, and so much of them. */
const SAME_MATTER = { words: 2, share: 0.35 }
const OTHERS = 12
/** Words of a sentence that speaks of what was before it, and of nothing else. */
const BRIEF = 14
/** Words of a fact that is told at length. */
const AT_LENGTH = 40
/** So much of the words of a fact is nearly all. */
const MOST = 0.8

/**
 * Whether sentences of a fact that stand word for word in memories may be meant otherwise there: as part of a longer sentence, or with
 * something behind them, or in another memory of the same matter, that takes them back.
 *
 * @param told sentences of all facts as they were said, as runs of words: these take nothing back
 */
export function isDoubtful(
  { text, cues }: Fact,
  quotes: readonly { memory: string; text: string }[],
  index: StoreIndex,
  told: ReadonlySet<string>,
): boolean {
  const words = stems(text)
  const said = wordRun(text)
  const takesBack = ({ plain, text: sentence }: Unit) =>
    RETRACTION.test(plain) && !said.includes(wordRun(sentence)) && !told.has(wordRun(sentence))
  const own = new Set(quotes.map(({ memory }) => memory))
  const inside = quotes.some(({ memory, text: piece }) => {
    const units = unitsOf(index.memory(memory)!)
    const run = wordRun(piece)
    const at = units.findIndex((unit) => wordRun(unit.text).includes(run))
    if (at < 0) return false
    const sentence = upTo(piece, units[at]!.text)
    const longer = plainWords(sentence).length > plainWords(piece).length + BESIDE && !said.includes(wordRun(sentence))
    if (longer && (!(cues.kind === 'state' || isLedIn(sentence, run)) || isSetApart(fold(sentence), [piece])))
      return true
    return units.slice(at + 1, at + 3).some((unit) => takesBack(unit) && looksBack(unit, words))
  })
  // What was told at length is not taken back in a word.
  if (inside || plainWords(text).length > AT_LENGTH) return inside
  if (cues.kind !== 'state' && isTakenBackAfter([...own], index, words, takesBack)) return true
  return index
    .candidates([text], OTHERS)
    .map(({ view }) => index.memory(view.id)!)
    .filter(({ id }) => !own.has(id))
    .some((other) => {
      const units = unitsOf(other)
      const around = (at: number) => units.slice(Math.max(0, at - 1), at + 2).map((unit) => unit.text)
      const isOfIt = (unit: Unit, at: number) =>
        isSameMatter(words, unit.text) || (looksBack(unit, words) && isSameMatter(words, around(at).join(' ')))
      return units.some((unit, at) => takesBack(unit) && isOfIt(unit, at))
    })
}

/** Whether a sentence is brief, and points at what was said before it; with a word of that, it may be longer. */
function looksBack({ text, plain }: Unit, matter: ReadonlySet<string>): boolean {
  const words = plainWords(text)
  if (words.length > BRIEF && (words.length > 1.5 * BRIEF || sharing(matter, text) === 0)) return false
  return BACK.test(plain) || RETRACTION.test(words.slice(0, 4).join(' '))
}

/** Whether the memory behind one of these begins by taking something back, in a sentence that is not about a matter of its own. */
function isTakenBackAfter(
  memories: readonly string[],
  index: StoreIndex,
  matter: ReadonlySet<string>,
  takesBack = (unit: Unit) => RETRACTION.test(unit.plain),
): boolean {
  return memories.some((id) => {
    const next = index.after(id)
    const [first] = next ? unitsOf(next) : []
    return first !== undefined && looksBack(first, matter) && takesBack(first)
  })
}

function isSameMatter(words: ReadonlySet<string>, text: string): boolean {
  return sharing(words, text) >= Math.max(SAME_MATTER.words, SAME_MATTER.share * words.size)
}

/** A sentence without what follows the piece in it as a sentence of its own: after a quotation none is seen to end. */
function upTo(piece: string, sentence: string): string {
  const end = sentence.indexOf(piece) + piece.length
  return end >= piece.length && /["”]$/.test(piece) && /^\s+\p{Lu}/u.test(sentence.slice(end))
    ? sentence.slice(0, end)
    : sentence
}

/** A few words and a colon, and then the sentence to its end: "Please keep this: …". */
function isLedIn(sentence: string, run: string): boolean {
  const [lead, rest] = sentence.split(/:\s(.*)/s)
  return rest !== undefined && plainWords(lead!).length <= LEAD && wordRun(rest) === run
}

/** Sentences as `isDoubtful` compares them. */
export function wordRun(text: string): string {
  return ` ${plainWords(text).join(' ')} `
}

/** Whether memories in other words than a fact frame it, take it back, or tell its parts of each other. */
export function isFramed({ fact, statement, near, beside }: Clues, index: StoreIndex): boolean {
  const own = [fact.text, statement].map(fold)
  const words = stems(statement)
  const { text: nearest, memory } = near[0]!
  const others = [...near, ...beside].filter((one) => one.memory !== memory)
  const same = others.map(({ text }) => text).filter((text) => sharing(words, text) >= words.size * 0.6)
  return (
    isFrame(fold(nearest), own) ||
    same.some((text) => isSetApart(fold(text), own)) ||
    isTakenBackAfter([memory], index, words) ||
    isShuffled(statement, nearest) ||
    countsOther(statement, nearest) ||
    tellsOfRelative(statement, nearest)
  )
}

/** Whether a text takes back, denies or frames something that a fact, however it is put, does not. */
function isSetApart(text: string, said: readonly string[]): boolean {
  const own = said.map(fold)
  const denials = Math.max(...own.map(negatives))
  return isFrame(text, own) || negatives(text) > denials || (negatives(text) === 0 && denials > 0)
}

function isFrame(text: string, own: readonly string[]): boolean {
  return (
    [...text.matchAll(FRAME)].some(([word]) => !own.some((one) => one.includes(word))) ||
    (RETRACTION.test(text) && !own.some((one) => RETRACTION.test(one)))
  )
}

function negatives(text: string): number {
  return text.match(NEGATIVE)?.length ?? 0
}

/** The words of a statement in another order, and hardly anything else; or its numbers or names in another order. */
function isShuffled(statement: string, text: string): boolean {
  const [wanted, found] = [statement, text].map((one) => contentTokens(one).map((token) => indexStem(token.text)))
  const shared = wanted!.filter((word) => found!.includes(word))
  const bag = shared.length >= MOST * wanted!.length && shared.length >= 0.6 * new Set(found).size
  return (
    (bag && shared.length > 2 && isOutOfOrder(shared, found!)) ||
    [NUMBER, NAME].some((mark) => isOutOfOrder(marked(statement, mark), marked(text, mark)))
  )
}

const NUMBER = /\d+(?:[.:]\d+)?/g
const NAME = /(?<![.!?:|]\s|^)\b\p{Lu}\p{Ll}+/gu

function marked(text: string, mark: RegExp): string[] {
  return (mark === NUMBER ? numbersInDigits(fold(text)) : text).match(mark) ?? []
}

function isOutOfOrder(wanted: readonly string[], found: readonly string[]): boolean {
  const places = wanted.map((word) => found.indexOf(word)).filter((at) => at >= 0)
  return places.some((at, i) => i > 0 && at < places[i - 1]!)
}

/** A number of a statement before another word. */
function countsOther(statement: string, text: string): boolean {
  const [wanted, found] = [statement, text].map((one) => plainWords(numbersInDigits(fold(one))))
  return wanted!.some((word, i) => {
    if (!/^\d/.test(word) || i + 1 >= wanted!.length) return false
    const behind = found!.flatMap((other, at) => (other === word ? [indexStem(found![at + 1] ?? '')] : []))
    return behind.length > 0 && !behind.includes(indexStem(wanted![i + 1]!))
  })
}

const POSSESSED = /(\p{Lu}\p{L}+)['’]s((?: \p{L}+){1,4})/gu

/** Somebody of the statement, and a person of theirs that it does not speak of: "Ada's twin brother". */
function tellsOfRelative(statement: string, text: string): boolean {
  const known = new Set(plainWords(statement))
  return [...text.matchAll(POSSESSED)].some(
    ([, name, behind]) =>
      known.has(plainWords(name!)[0]!) && plainWords(behind!).some((word) => !known.has(word) && isPersonNoun(word)),
  )
}

function stems(text: string): Set<string> {
  return new Set(contentTokens(text).map((token) => indexStem(token.text)))
}

function sharing(words: ReadonlySet<string>, text: string): number {
  return [...stems(text)].filter((word) => words.has(word)).length
}
