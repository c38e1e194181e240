import { lemmas } from '../../../language/morphology.js'
import { plainWords } from '../../../language/tokens.js'
import { isWord, synsets } from '../../../language/wordnet.js'
import { findAll, type PhrasePlace } from '../state/phrase.js'
import { type AnswerText, type Line, startsSentence, withoutAccents } from './answer-lines.js'

/** A place at which an answer names something. */
export interface Mention extends PhrasePlace {
  line: number
  /** By its name, not by a surname or the like. */
  whole: boolean
}

const DECADES = ['', '', 'twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties']

/** Short names that everybody uses. */
const SHORT: Record<string, string[]> = {
  'science fiction': ['sci-fi', 'scifi', 'sci fi'],
  'romantic comedy': ['rom-com', 'romcom'],
  'rhythm and blues': ['r&b', 'rnb'],
  'electronic dance music': ['edm'],
  'intelligent dance music': ['idm'],
  'world war ii': ['wwii', 'second world war', 'world war 2'],
  'united states': ['usa', 'america'],
  'united kingdom': ['uk', 'britain'],
}
const LONG = new Map(Object.entries(SHORT).flatMap(([long, shorts]) => shorts.map((short) => [short, long] as const)))

/** Names an item goes by besides its own: in letters ("CFO"), no article, no note in parentheses, no country behind it, decades in words and short. */
function namesOf(item: string): string[] {
  const plain = withoutAccents(item)
  const bare = plain.replace(/\s*\([^)]*\)/g, '').trim() || plain
  const decade = /^(19|20)(\d)0s$/.exec(bare)
  const short = decade
    ? [...(decade[1] === '19' || decade[2] === '0' ? [`${decade[2]}0s`] : []), DECADES[Number(decade[2])]!]
    : []
  const names = [
    plain,
    bare,
    bare.replace(/^(?:the|a|an) (?=\S)/i, ''),
    bare.replace(/, \p{Lu}[\p{L} ]+$/u, ''),
    bare.replace(/: .*$/, ''),
    ...short,
    ...(SHORT[bare.toLowerCase()] ?? []),
    LONG.get(bare.toLowerCase()) ?? '',
    ...(/^\p{Ll}+$/u.test(bare) ? lemmas(bare).map(({ lemma }) => lemma) : []),
    /^(?:\p{Lu}\p{Ll}+ ?){3,5}$/u.test(bare) ? bare.replace(/[^\p{Lu}]/gu, '') : '',
    ...(/(?:^| )\p{Ll}+y$/u.test(bare) ? [bare.replace(/y$/, 'ies')] : []),
  ]
  return [...new Set(names.filter((name) => name.length > 1))]
}

interface Profile {
  names: string[]
  /** For each name, letters that every text has that names it. */
  cores: string[]
  /** It is a name, with a capital. */
  proper: boolean
  /** It is a name made of a common word. */
  common: boolean
  surname: string | undefined
  /** Parts by which it may be called: "Topkapi" of "Topkapi Palace", both sides of an "of". */
  parts: string[]
}

const known = new Map<string, Profile>()

function profileOf(item: string): Profile {
  let found = known.get(item)
  if (!found) {
    const names = namesOf(item)
    const words = plainWords(item).filter((word) => !/^(?:the|a|an|of|and|in|on)$/.test(word))
    const proper = /\p{Lu}/u.test(item)
    found = {
      names,
      cores: names.map(coreOf),
      proper,
      common: proper && words.length === 1 && words.every((word) => lemmas(word).some(({ lemma }) => isCommon(lemma))),
      surname: surnameOf(item),
      parts: proper ? partsOf(withoutAccents(item)) : [],
    }
    if (known.size >= 20_000) known.clear()
    known.set(item, found)
  }
  return found
}

/** So long a part is not met by chance. */
const TELLING = 8

function partsOf(item: string): string[] {
  const sides = item
    .split(/ (?:of|to|in|and|on|for) (?:the )?/)
    .filter((side) => side !== item && side.length >= TELLING)
  const isKnown = (word: string) => lemmas(word.toLowerCase()).some(({ lemma }) => isWord(lemma))
  const rare =
    item.includes(' ') && !surnameOf(item) ? item.split(' ').filter((word) => word.length > 4 && !isKnown(word)) : []
  return [...new Set([...sides, ...rare].filter((part) => /^\p{Lu}[\p{L} ]+$/u.test(part)))]
}

function coreOf(name: string): string {
  const longest = plainWords(name).reduce((best, word) => (word.length > best.length ? word : best), '')
  return longest.slice(0, Math.max(2, longest.length - 1))
}

/** A word of the dictionary that is not, before all else, the name of somebody or some place. */
function isCommon(word: string): boolean {
  if (!isWord(word)) return false
  const [first] = synsets(word, 'n')
  const named = first?.pointers.some(({ symbol }) => symbol === '@i') ?? false
  return !named || (['v', 'a', 'r'] as const).some((pos) => synsets(word, pos).length > 0)
}

/** The last name of a person, or of a title, where it is no common word and long enough to tell. */
function surnameOf(item: string): string | undefined {
  const words = withoutAccents(item)
    .replace(/^(?:The|A|An) /, '')
    .split(' ')
  if (words.length < 2 || words.length > 3 || !words.every((word) => /^\p{Lu}[\p{L}.'-]*$/u.test(word)))
    return undefined
  const last = words.at(-1)!
  return last.length >= 4 && !isCommon(last.toLowerCase()) ? last : undefined
}

/** Every place at which an answer names an item. */
export function mentionsOf(item: string, text: AnswerText): Mention[] {
  const { names, cores, proper, common, surname, parts } = profileOf(item)
  const found: Mention[] = []
  const likely = cores.some((core) => text.plain.includes(core))
  text.lines.forEach((line, i) => {
    if (!likely || !cores.some((core) => line.plain.includes(core))) return
    for (const { at, end } of findAll(names, line.plain, false)) {
      if (proper && !isOwn(line, at, end, common, names)) continue
      found.push({ line: i, at, end, whole: true })
    }
  })
  if (found.length > 0) return found
  for (const part of parts) {
    const small = part.toLowerCase()
    text.lines.forEach((line, i) => {
      for (let at = line.plain.indexOf(small); at >= 0; at = line.plain.indexOf(small, at + 1)) {
        const end = at + part.length
        if (line.cased.slice(at, end) === part && !/\p{L}/u.test(`${line.cased[at - 1] ?? ''}${line.cased[end] ?? ''}`))
          found.push({ line: i, at, end, whole: false })
      }
    })
  }
  if (found.length > 0 || !surname || !text.plain.includes(surname.toLowerCase())) return found
  text.lines.forEach((line, i) => {
    for (const match of line.cased.matchAll(
      new RegExp(`(?<!\\p{L})${surname.replaceAll('.', '\\.')}(?!\\p{L})`, 'gu'),
    )) {
      const first = /(\p{Lu}[\p{L}.'-]*) $/u.exec(line.cased.slice(0, match.index))?.[1]
      if (first && !/^(?:Mr|Mrs|Ms|Dr|Prof)\.?$/.test(first) && !startsSentence(line, match.index - first.length - 1))
        continue
      found.push({ line: i, at: match.index, end: match.index + surname.length, whole: false })
    }
  })
  return found
}

/** What follows a title that opens a sentence. */
const SUBJECT =
  /^(?:[.!]?$| (?:is|was|would|has|remains|might|could|may|will|by|starring|from|feels|makes)\b|\s?[(,|:-])/

/** A name inside a longer title is another thing; a common word is a name only with its capital. */
function isOwn(line: Line, at: number, end: number, common: boolean, names: readonly string[]): boolean {
  const title = line.titles.find((one) => one.at <= at && end <= one.end)
  if (title) {
    const head = line.plain.slice(title.at, at)
    const behind = line.plain.slice(end, title.end)
    // Small words that belong to the name itself, and a subtitle, leave it what it is.
    const own = names.some((name) => name.toLowerCase().startsWith(head.trim()))
    const ends = /^\s?[:(]/.test(behind) || names.some((name) => name.toLowerCase().endsWith(behind.trim()))
    const rest = `${own ? '' : head} ${ends ? '' : behind}`
    return rest.replace(/\b(?:the|a|an|vol|part)\b|[^\p{L}\p{N}]|\d+/gu, '') === '' || rest.length > 60
  }
  if (!common) return true
  const cased = line.cased
  if (!/\p{Lu}/u.test(cased[at]!)) return false
  const neighbours = [/(\p{Lu}\p{L}+) $/u.exec(cased.slice(0, at)), /^ (\p{Lu}\p{L}+)/u.exec(cased.slice(end))]
  if (neighbours.some((found) => found && !/^(?:The|A|An|I|And|Or|Try)$/.test(found[1]!))) return false
  return !startsSentence(line, at) || line.bullet || SUBJECT.test(line.plain.slice(end))
}
