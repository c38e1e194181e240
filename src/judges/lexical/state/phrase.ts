import { mayJoin, seamsOf } from '../../../language/compounds.js'
import { FUNCTION_WORDS, LIGHT_WORDS } from '../../../language/function-words.js'
import { lemmas } from '../../../language/morphology.js'
import { indexStem } from '../../../language/stems.js'
import { plainWords } from '../../../language/tokens.js'
import { isWord } from '../../../language/wordnet.js'
import { noteIn, noteOf } from './note.js'

/** Where a phrase stands in a text made plain. */
export interface PhrasePlace {
  at: number
  end: number
}

const GAP = '[^\\p{L}\\p{N}]+'
const ENDINGS = "(?:e|es|ed|er|ers|ing|ings|s|y|ies|'s?|s')?"
const SMALL =
  'an?|the|my|our|your|their|his|her|its|of|in|on|at|by|for|with|to|from|and|or|is|are|be|was|as|per|us|we|i|every|each|plus|then|will'

/** A phrase, ready to be looked for. `core` is in every text that has it. */
interface Pattern {
  core: string
  once: RegExp
  all: RegExp
}

const patterns = new Map<string, Pattern>()

/**
 * Finds a phrase in a text made plain: its words in order, with small words between them added or dropped. `inflect` lets words end
 * differently, for names of things ("reviews the code" is "reviewing our code"); values only take a plural. Compounds may be written as
 * one, with a hyphen, or apart ("oncall", "on-call", "on call").
 */
export function findPhrase(phrase: string, plain: string, inflect: boolean): PhrasePlace | undefined {
  const { core, once } = patternOf(phrase, inflect)
  const match = plain.includes(core) ? once.exec(plain) : null
  return match ? { at: match.index, end: match.index + match[0].length } : undefined
}

/** Every place at which any of the phrases stands, longest phrase first where they overlap. */
export function findAll(phrases: readonly string[], plain: string, inflect: boolean): PhrasePlace[] {
  const found: PhrasePlace[] = []
  for (const phrase of [...phrases].sort((a, b) => b.length - a.length)) {
    const { core, all } = patternOf(phrase, inflect)
    if (!plain.includes(core)) continue
    for (const match of plain.matchAll(all)) {
      const place = { at: match.index, end: match.index + match[0].length }
      if (!found.some(({ at, end }) => place.at < end && at < place.end)) found.push(place)
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

function patternOf(phrase: string, inflect: boolean): Pattern {
  const key = `${inflect ? '~' : '='}${phrase}`
  let pattern = patterns.get(key)
  if (!pattern) {
    const source = `(?<![\\p{L}\\p{N}])${sourceOf(phrase, inflect)}(?![\\p{L}\\p{N}])`
    pattern = { core: coreOf(phrase), once: new RegExp(source, 'u'), all: new RegExp(source, 'gu') }
    if (patterns.size >= 20_000) patterns.clear()
    patterns.set(key, pattern)
  }
  return pattern
}

/** The beginning of its longest word, as far as inflection leaves it alone. */
function coreOf(phrase: string): string {
  const longest = plainWords(phrase).reduce(
    (best, word) => (!isSmall(word) && word.length > best.length ? word : best),
    '',
  )
  const stem = indexStem(longest)
  const at = seamsOf(longest).at.filter((place) => place < stem.length)
  // A word that may come apart has only its pieces in every text.
  const pieces = [0, ...at].map((from, i) => stem.slice(from, at[i]))
  return pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '').split(',')[0]!
}

function sourceOf(phrase: string, inflect: boolean): string {
  const all = plainWords(phrase)
  const content = all.filter((word) => !isSmall(word))
  const one = (word: string) => (inflect ? inflected(word) : plural(word))
  const pairs = new Set(
    Array.from(phrase.matchAll(/(\p{L}+)-(?=(\p{L}+))/gu), ([, a, b]) => plainWords(`${a} ${b}`).join(' ')),
  )
  const joins = (a: string, b: string) => mayJoin(a, b) || pairs.has(`${a} ${b}`)
  // "Live in" without "in" is another thing.
  if (content.length <= 1) return joined(all, one, () => ARTICLE, joins)
  // Small words may come and go in names of things, in values only where there are some.
  const own = content.map((word, i) => {
    const end = all.indexOf(word)
    return i === 0 ? [] : all.slice(all.lastIndexOf(content[i - 1]!, end - 1) + 1, Math.max(0, end))
  })
  const telling = joined(content, one, (i) => (inflect || own[i]!.length > 0 ? fillerOf(own[i]!) : ''), joins)
  // A small word may be part of another: "on-call rotation".
  return all.length === content.length ? telling : `(?:${telling}|${joined(all, one, () => '', joins)})`
}

/** Small words that may stand between two others: the usual ones, and those that do. */
function fillerOf(own: readonly string[]): string {
  return `(?:(?:${[SMALL, ...own.map(escaped)].join('|')})${GAP}){0,3}`
}

const ARTICLE = `(?:(?:a|an|the|my|our|your|their)${GAP})?`

/** Patterns of words in a row; between a letter and a figure ("r19", "9h"), and in a compound, there may be nothing at all. */
function joined(
  list: readonly string[],
  one: (word: string) => string,
  between: (i: number) => string,
  joins: (first: string, second: string) => boolean,
): string {
  const isNumber = (word: string) => /^\p{N}/u.test(word)
  return list
    .map((word, i) => {
      if (i === 0) return one(word)
      const close = isNumber(word) !== isNumber(list[i - 1]!) || joins(list[i - 1]!, word)
      return `${close ? `(?:${GAP}${between(i)})?` : `${GAP}${between(i)}`}${one(word)}`
    })
    .join('')
}

/** "5:35am" is no "am". */
const TELLING = new Set(['no', 'not', 'am'])

function isSmall(word: string): boolean {
  return FUNCTION_WORDS.has(word) && !TELLING.has(word)
}

function inflected(word: string): string {
  return /^\p{L}{4,}$/u.test(word) ? `${seamed(indexStem(word), word)}(?:[bdgklmnprt])?${ENDINGS}` : plural(word)
}

function plural(word: string): string {
  if (/^\p{N}+(?:,\p{N}+)+$/u.test(word)) return escaped(word).replaceAll(',', ',?')
  if (/^\p{N}/u.test(word)) return `${escaped(word)}(?:st|nd|rd|th)?`
  return word.length > 3 && word.endsWith('s')
    ? `${seamed(word.slice(0, -1), word)}(?:'?s|s')?`
    : `${seamed(word, word)}(?:'?s)?`
}

/** The beginning of a word, with room where the word may come apart. */
function seamed(start: string, word: string): string {
  const { at, open } = seamsOf(word)
  const places = at.filter((place) => place < start.length)
  const pieces = [0, ...places].map((from, i) => escaped(start.slice(from, places[i])))
  return pieces.join(open ? '[-\\s]?' : '-?')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/**
 * How much of a value a text has. `part`: something of it was lost; `altered`: the value with another note than its own, `unlike` when that
 * is likely; `replaced`: another value stands in its place.
 */
export type MatchState = 'whole' | 'bare' | 'part' | 'altered' | 'unlike' | 'replaced' | 'none'

/** So much of a value, by weight of its words, is a remnant of it. */
const REMNANT = 0.25

/**
 * How much of a value a text has, by the best of its forms. `bare` is the whole of it without a note in parentheses that has no figure;
 * `names` are those of its thing, whose words say nothing of the value.
 */
export function heldIn(forms: readonly string[], names: readonly string[], text: string, plain: string): MatchState {
  if (forms.some((form) => findPhrase(form, plain, false))) return 'whole'
  const noted = forms.flatMap((form) => noteOf(form) ?? [])
  const fates = noted.map(({ head, note }) => noteIn(note, findAll([head], plain, false), plain))
  for (const [fate, held] of NOTE_FATES) if (fates.includes(fate)) return held
  const own = new Set(names.flatMap(plainWords).map(indexStem))
  const there = plainWords(text)
  const results = forms.map((form) => remnant(form, own, there, text))
  return results.includes('part') ? 'part' : results.includes('replaced') ? 'replaced' : 'none'
}

/** What a value is held as when its note fared so, best first. A note in words is often left out in telling; a figure is not. */
const NOTE_FATES: readonly [ReturnType<typeof noteIn>, MatchState][] = [
  ['kept', 'whole'],
  ['altered', 'altered'],
  ['unlike', 'unlike'],
  ['words dropped', 'bare'],
  ['figures dropped', 'part'],
]

function remnant(form: string, own: ReadonlySet<string>, there: readonly string[], text: string): MatchState {
  const wanted = plainWords(form).filter((word) => !isSmall(word))
  const stems = there.map(indexStem)
  let [held, total, most] = [0, 0, 0]
  const found = wanted.map((word) => {
    const isName = new RegExp(`(?<!\\p{L})${capitalised(word)}`, 'u').test(form)
    const weight = isName && !own.has(indexStem(word)) ? 1 : weightOf(word, own)
    // A name in small letters is a common word: "health" is nothing of "Bramble Health".
    const at = isName && isWord(word) && !text.includes(rawOf(word, form)) ? -1 : stems.indexOf(indexStem(word))
    total += weight
    if (at >= 0) [held, most] = [held + weight, Math.max(most, weight)]
    return at
  })
  if (total === 0 || held / total < REMNANT || most < 0.5) return 'none'
  return isReplaced(form, wanted, found, there, text, own) ? 'replaced' : 'part'
}

/** A word with its capital, as it stands in a form. */
function rawOf(word: string, form: string): string {
  const at = form.toLowerCase().indexOf(word)
  return at < 0 ? word : form.slice(at, at + word.length)
}

/** Names and numbers single a value out; words of the dictionary less, and those of its thing hardly. */
function weightOf(word: string, own: ReadonlySet<string>): number {
  if (own.has(indexStem(word))) return 0.1
  if (/^\p{N}/u.test(word)) return 1
  return isWord(word) ? (LIGHT_WORDS.has(word) ? 0.3 : 0.6) : 1
}

/** Something else stands where a missing word of the value would: a number for a number, a name for a name, a flag for a flag. */
function isReplaced(
  form: string,
  wanted: readonly string[],
  found: readonly number[],
  there: readonly string[],
  text: string,
  own: ReadonlySet<string>,
): boolean {
  const technical = /[/\\=#@]|--|[a-z][._:]\w|\w[._:][a-z]/i.test(form)
  return wanted.some((word, i) => {
    if (found[i]! >= 0) return false
    const beside = [found[i - 1] ?? -1, found[i + 1] ?? -1]
    const neighbours = [
      ...(beside[0]! >= 0 ? [there[beside[0]! + 1], there[beside[0]! + 2]] : []),
      ...(beside[1]! >= 0 ? [there[beside[1]! - 1], there[beside[1]! - 2]] : []),
    ].filter((other) => other !== undefined && !wanted.includes(other) && !isSmall(other) && !own.has(indexStem(other)))
    const isNumber = /^\p{N}/u.test(word)
    const isName = !isNumber && !isWord(word)
    return neighbours.some((other) => {
      if (/^\p{N}/u.test(other!)) return isNumber || technical
      if (technical) return true
      return (
        isName &&
        (lemmas(other!).every(({ lemma }) => !isWord(lemma)) || new RegExp(`\\b${capitalised(other!)}`).test(text))
      )
    })
  })
}

function capitalised(word: string): string {
  return escaped(word[0]!.toUpperCase() + word.slice(1))
}
