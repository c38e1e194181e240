import { FUNCTION_WORDS, LIGHT_WORDS } from '../../../language/function-words.js'
import { lemmas } from '../../../language/morphology.js'
import { plainWords } from '../../../language/tokens.js'
import { isWord } from '../../../language/wordnet.js'
import { indexStem } from '../store/store-index.js'

/** Where a phrase stands in a text made plain. */
export interface Place {
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
 * differently, for names of things ("reviews the code" is "reviewing our code"); values only take a plural.
 */
export function findPhrase(phrase: string, plain: string, inflect: boolean): Place | undefined {
  const { core, once } = patternOf(phrase, inflect)
  const match = plain.includes(core) ? once.exec(plain) : null
  return match ? { at: match.index, end: match.index + match[0].length } : undefined
}

/** Every place at which any of the phrases stands, longest phrase first where they overlap. */
export function findAll(phrases: readonly string[], plain: string, inflect: boolean): Place[] {
  const found: Place[] = []
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
  return indexStem(longest).split(',')[0]!
}

function sourceOf(phrase: string, inflect: boolean): string {
  const all = plainWords(phrase)
  const content = all.filter((word) => !isSmall(word))
  const one = (word: string) => (inflect ? inflected(word) : plural(word))
  // "Live in" without "in" is another thing.
  if (content.length <= 1) return joined(all, one, () => ARTICLE)
  // Small words may come and go in names of things, in values only where there are some.
  const own = content.map((word, i) => {
    const end = all.indexOf(word)
    return i === 0 ? [] : all.slice(all.lastIndexOf(content[i - 1]!, end - 1) + 1, Math.max(0, end))
  })
  return joined(content, one, (i) => (inflect || own[i]!.length > 0 ? fillerOf(own[i]!) : ''))
}

/** Small words that may stand between two others: the usual ones, and those that do. */
function fillerOf(own: readonly string[]): string {
  return `(?:(?:${[SMALL, ...own.map(escaped)].join('|')})${GAP}){0,3}`
}

const ARTICLE = `(?:(?:a|an|the|my|our|your|their)${GAP})?`

/** Patterns of words in a row; between a letter and a figure there may be nothing at all ("r19", "9h"). */
function joined(list: readonly string[], one: (word: string) => string, between: (i: number) => string): string {
  const isNumber = (word: string) => /^\p{N}/u.test(word)
  return list
    .map((word, i) => {
      if (i === 0) return one(word)
      const close = isNumber(word) !== isNumber(list[i - 1]!)
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
  return /^\p{L}{4,}$/u.test(word) ? `${escaped(indexStem(word))}(?:[bdgklmnprt])?${ENDINGS}` : plural(word)
}

function plural(word: string): string {
  if (/^\p{N}+(?:,\p{N}+)+$/u.test(word)) return escaped(word).replaceAll(',', ',?')
  if (/^\p{N}/u.test(word)) return `${escaped(word)}(?:st|nd|rd|th)?`
  return word.length > 3 && word.endsWith('s') ? `${escaped(word.slice(0, -1))}(?:'?s|s')?` : `${escaped(word)}(?:'?s)?`
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/** How much of a value a text has. `part`: something of it was lost; `replaced`: another value stands in its place. */
export type Held = 'whole' | 'bare' | 'part' | 'replaced' | 'none'

/** So much of a value, by weight of its words, is a remnant of it. */
const REMNANT = 0.25

/**
 * How much of a value a text has, by the best of its forms. `bare` is the whole of it without a single word in parentheses; `names` are
 * those of its thing, whose words say nothing of the value.
 */
export function heldIn(forms: readonly string[], names: readonly string[], text: string, plain: string): Held {
  if (forms.some((form) => findPhrase(form, plain, false))) return 'whole'
  const bare = forms.flatMap((form) => bareOf(form) ?? [])
  if (bare.some((form) => findPhrase(form, plain, false))) return 'bare'
  const own = new Set(names.flatMap(plainWords).map(indexStem))
  const there = plainWords(text)
  const results = forms.map((form) => remnant(form, own, there, text))
  return results.includes('part') ? 'part' : results.includes('replaced') ? 'replaced' : 'none'
}

/** A value without a note of one word: "Salt (book)" is also called "Salt". */
function bareOf(form: string): string[] | undefined {
  const bare = form.replace(/\s*\(\s*[\p{L}\p{N}-]+\s*\)/gu, '').trim()
  return bare !== form && bare !== '' ? [bare] : undefined
}

function remnant(form: string, own: ReadonlySet<string>, there: readonly string[], text: string): Held {
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
