import { z } from 'zod'
import { readData } from '../../../base/data-file.js'

const forms = z.record(z.string(), z.string())
const English = z.strictObject({
  note: z.string(),
  plural: forms,
  third: forms,
  ing: forms,
  participle: forms,
})
const { plural, third, ing, participle } = readData(
  new URL('../../../corpora/memfail/grammar/english.json', import.meta.url),
  English,
)

/** Plural of a noun phrase, by its last word. */
export function plurals(phrase: string): string {
  return onWord(phrase, phrase.lastIndexOf(' ') + 1, phrase.length, (noun) => {
    if (plural[noun]) return plural[noun]
    if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
    return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
  })
}

/** "carry the pot" as "carries the pot". */
export function thirdPerson(phrase: string): string {
  return onVerb(phrase, third, (verb) => {
    if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
    return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`
  })
}

/** "carry the pot" as "carrying the pot". */
export function gerund(phrase: string): string {
  return onVerb(phrase, ing, (verb) => {
    if (verb.endsWith('ie')) return `${verb.slice(0, -2)}ying`
    if (/[^eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`
    return `${doubled(verb)}ing`
  })
}

/** "carry the pot" as "carried the pot": the past participle, where the past tense is the same. */
export function pastParticiple(phrase: string): string {
  return onVerb(phrase, participle, (verb) => {
    if (verb.endsWith('e')) return `${verb}d`
    if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
    return `${doubled(verb)}ed`
  })
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const ARTICLE =
  /\b([Aa]) (?=(?:[aio]|e(?!u|we)|u(?!ni|se|su|ti|te|ku|ke)|hour|honest|heir|8|11\b|18\b)(?!ne\b|ne-|nce\b))/gi

/** "a" where "an" is said, mended. */
export function articles(text: string): string {
  return text.replace(ARTICLE, '$1n ')
}

/** Finishes a generated text: "a" or "an", one space between words, a capital at the start. */
export function finish(text: string): string {
  const spaced = text.replace(/ {2,}/g, ' ').replace(/ ([,.;:?!])/g, '$1')
  return articles(capital(spaced.trim()))
}

function doubled(verb: string): string {
  return /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(verb) || /^qui[tzp]$/.test(verb) ? verb + verb.at(-1) : verb
}

function onVerb(phrase: string, irregular: Record<string, string>, regular: (verb: string) => string): string {
  const end = phrase.indexOf(' ')
  return onWord(phrase, 0, end < 0 ? phrase.length : end, (verb) => irregular[verb] ?? regular(verb))
}

function onWord(phrase: string, from: number, to: number, change: (word: string) => string): string {
  return phrase.slice(0, from) + change(phrase.slice(from, to)) + phrase.slice(to)
}
