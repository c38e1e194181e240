import { fold, sentences } from '../../src/base/text.js'
import { hasExclusivity, isNegated } from '../../src/language/markers.js'
import { coverage } from '../../src/language/match.js'
import { digitsOf } from '../../src/language/numbers.js'
import { contentTokens, plainWords } from '../../src/language/tokens.js'
import { isWord } from '../../src/language/wordnet.js'
import type { Meaning } from './meaning.js'
import { isKindOf } from './own-statements.js'

/*
 * What names are read as: a small model reads meaning better where nothing is odd. Things, conditions and what is done are put into plain
 * words, too, where they stand letter for letter.
 */
const NAME = 'Alex'
const THING = 'apples'
const DOES = 'sings'
const WHEN = 'when it rains'

/** Most content words of a sentence that says nothing but something about what was said before. */
const FEW_WORDS = 7
/** Fewest words in which something can be said of one time and of all others. */
const BOTH_SIDES = 12

const LOOKS_BACK = /\b(?:it|that|this|these|those|such|none|neither|kind|meant|otherwise)\b/

/** Names that no dictionary has. */
export function namesIn(text: string): string[] {
  const found = [...text.matchAll(/(?<!^|[.!?]\s)\p{Lu}[\p{L}-]{2,}/gu)].map(([name]) => fold(name))
  return found.filter((name) => !isWord(name))
}

/** Whether a sentence has little of its own, and looks back at what was said. */
export function looksBack(sentence: string, name?: string): boolean {
  const rest = name === undefined ? sentence : sentence.replaceAll(name, 'he')
  return LOOKS_BACK.test(fold(rest)) && contentTokens(rest).length <= FEW_WORDS && namesIn(rest).length === 0
}

/** What is wrong with a claim about a text; null where it follows from it. */
export async function problemOf(text: string, claim: string, meaning: Meaning): Promise<string | null> {
  if (claim.startsWith('In the situation')) return null
  const [, thing] = /^The speaker likes (.*)\.$/s.exec(claim) ?? []
  if (thing !== undefined) return unliked(text, thing, meaning)
  const [, question, end] = /^Asked "(.*)", all of these together lead to this answer alone: (.*)$/s.exec(claim) ?? []
  if (end !== undefined) return broken(text.split('\n'), question!, end, meaning)
  const [, answer] = /^Asked ".*", this is right: (.*)$/s.exec(claim) ?? []
  if (answer !== undefined)
    return isNamed(answer, text) && coverage(answer, text).score >= 0.6 ? null : `not told: ${answer}`
  const [, told] = /^About [^:]*: (.*)$/s.exec(claim) ?? []
  if (told !== undefined && !text.includes(told)) return `not told: ${told}`
  const name = claim.replace(/^About /, '').split(/[ :]/)[0]!
  for (const sentence of sentences(text))
    if (sentence !== told && (await takesBack(sentence, name, meaning))) return `taken back: ${sentence}`
  if (told !== undefined) return null
  const [, behavior, condition] = /^\S+ (.*?) only (.*)\.$/s.exec(claim)!
  return ruleProblem(text, { name, behavior: behavior!, condition: condition! }, meaning)
}

/** Every number and every name of a claim stands in a text. */
export function isNamed(claim: string, text: string): boolean {
  const there = new Set(plainWords(text).map((word) => digitsOf(word) ?? word))
  const names = [...claim.matchAll(/(?<=\s)\p{Lu}[\p{L}-]+/gu)].flatMap(([name]) => plainWords(name))
  const numbers = plainWords(claim).flatMap((word) => digitsOf(word) ?? [])
  return [...names, ...numbers].every((word) => there.has(word) || there.has(word.replace(/s$/, '')))
}

/** Whether a sentence says of what was told before that it is not so, or no longer. */
async function takesBack(sentence: string, name: string, meaning: Meaning): Promise<boolean> {
  if (!looksBack(sentence, name)) return false
  const [still] = await meaning.of(sentence.replaceAll(name, NAME), `${NAME} still does it.`)
  return still!.contradicted >= 0.8
}

async function unliked(text: string, thing: string, meaning: Meaning): Promise<string | null> {
  if (coverage(thing, text).score < 0.8) return `not named: ${text}`
  const plain = withPlain(text, thing, THING)
  if (!isMine(plain)) return `not of the speaker: ${text}`
  const [none, taken] = await meaning.of(plain, `I want no ${THING}.`, `I have ${THING} or ask for ${THING}.`)
  const isUnliked = none!.entailed > 0.1 || none!.contradicted < 0.5 || taken!.contradicted > 0.5
  return isUnliked ? `not liked: ${text}` : null
}

/** Whether a text speaks of the speaker: "I", "me", or something of mine that is nobody else. */
function isMine(text: string): boolean {
  const nouns = [...text.matchAll(/\bmy ([\p{L}-]+)/giu)].map(([, noun]) => noun!)
  return /\b(?:I|me|mine|myself)\b/.test(text) || nouns.some((noun) => !isKindOf(noun, 'person', 'animal'))
}

/** What breaks a chain: a fact that denies what it should tell, or an end that nobody names. */
async function broken(
  facts: readonly string[],
  question: string,
  end: string,
  meaning: Meaning,
): Promise<string | null> {
  if (!isNamed(end, facts.join('\n'))) return `not named: ${end}`
  for (const [at, fact] of facts.entries()) {
    const from = sharedRun(facts[at - 1] ?? question, fact)
    const to = at === facts.length - 1 ? end : sharedRun(facts[at + 1]!, fact)
    const plain = withPlain(withPlain(fact, to, 'the garden'), from, 'the bell')
    const [nothing, leads] = await meaning.of(
      plain,
      'The bell has nothing to do with the garden.',
      'The bell leads to the garden.',
    )
    const isDenied =
      isNegated(plain) ||
      /\bused to\b/.test(plain) ||
      nothing!.entailed >= 0.3 ||
      (/\b(?:no|not|none|nor|nothing|neither)\b/i.test(plain) && leads!.contradicted >= 0.8)
    if (isDenied) return `denied: ${fact}`
  }
  return null
}

/** The longest run of words that two texts have in common. */
function sharedRun(one: string, other: string): string {
  const [a, b] = [one, other].map((text) => text.replace(/[.,;:?!]/g, '').split(/\s+/)) as [string[], string[]]
  let best: string[] = []
  for (const [i] of a.entries())
    for (const [j] of b.entries()) {
      let n = 0
      while (i + n < a.length && j + n < b.length && fold(a[i + n]!) === fold(b[j + n]!)) n++
      if (n > best.length) best = b.slice(j, j + n)
    }
  return best.join(' ')
}

/** A text in which words, and an article before them, are put plainly. */
function withPlain(text: string, words: string, plain: string): string {
  const at = fold(text).indexOf(fold(words))
  if (words === '' || at < 0) return text
  const before = text.slice(0, at).replace(plain.startsWith('the ') ? /\b(?:the|an?) $/i : /$^/, '')
  const put = before.trim() === '' ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain
  return `${before}${put}${text.slice(at + words.length)}`
}

interface Rule {
  name: string
  behavior: string
  condition: string
}

async function ruleProblem(text: string, rule: Rule, meaning: Meaning): Promise<string | null> {
  const { behavior, condition } = rule
  const told = sentences(text)
  const whole = told.filter((one) => coverage(behavior, one).score >= 0.7 && coverage(condition, one).score >= 0.6)
  for (const one of whole) {
    const why = await wholeProblem(one, rule, meaning)
    if (why !== null) return `${why}: ${one}`
  }
  if (whole.length > 0) return null
  const nearest = (part: string) =>
    told.reduce((best, one) => (coverage(part, one).score > coverage(part, best).score ? one : best), told[0]!)
  const [does, when] = [nearest(behavior), nearest(condition)]
  if (coverage(behavior, does).score < 0.5) return 'nobody does it'
  if (coverage(condition, when).score < 0.4 || !isNamed(condition, text)) return 'the condition is not told'
  for (const one of told) if (one !== does && one !== when && (await isTie(one, rule.name, meaning))) return null
  return 'nothing ties the two'
}

/** What is wrong with a sentence that tells all of a rule. */
async function wholeProblem(sentence: string, { name, behavior, condition }: Rule, meaning: Meaning) {
  if (!isNamed(condition, sentence)) return 'another number or name'
  if (!hasExclusivity(sentence)) return 'other times will do, too'
  if (!isActor(sentence, name, behavior)) return 'of somebody else'
  const isPlain = sentence.includes(behavior) && fold(sentence).includes(fold(condition))
  const plain = withPlain(withPlain(sentence, condition, WHEN), behavior, DOES).replaceAll(name, NAME)
  if (!isPlain) {
    const [same] = await meaning.of(sentence.replaceAll(name, NAME), `${NAME} ${behavior} only ${condition}.`)
    return same!.contradicted >= 0.5 ? 'told otherwise' : null
  }
  const [same, other] = await meaning.of(
    plain,
    `${NAME} ${DOES} only ${WHEN}.`,
    `${NAME} ${DOES} when it does not rain.`,
  )
  if (other!.entailed > 0.8) return 'turned round'
  return same!.entailed < 0.6 ? 'told otherwise' : null
}

/** Nobody stands between a name and what is done. */
function isActor(sentence: string, name: string, behavior: string): boolean {
  const verb = behavior.split(' ')[0]!
  const at =
    [verb, verb.slice(0, -1), verb.slice(0, -2)]
      .map((form) => sentence.search(new RegExp(`\\b${form}\\b`, 'i')))
      .find((place) => place >= 0) ?? -1
  const from = sentence.lastIndexOf(name, at < 0 ? sentence.length : at)
  if (at < 0 || from < 0) return at < 0
  const between = plainWords(sentence.slice(from + name.length, at))
  return !between.some((word) => isKindOf(word, 'person', 'animal')) && !/\bof $/.test(sentence.slice(0, from))
}

/** A sentence that says what happens at a time it points back to, and what at others. */
async function isTie(sentence: string, name: string, meaning: Meaning): Promise<boolean> {
  const said = sentence.split(': ').at(-1)!
  const text = fold(said)
  const points = LOOKS_BACK.test(text) || /\b(?:then|so)\b|^(?:with|after|at|in|for) /.test(text)
  const isHedged = /\b(?:may|might|whether|perhaps)\b/.test(text)
  if (!points || isHedged || plainWords(said).length <= BOTH_SIDES || !/[,;] /.test(said)) return false
  if (namesIn(said.replaceAll(name, 'he')).length > 0) return false
  const [apart] = await meaning.of(said.replaceAll(name, NAME), 'The two have nothing to do with each other.')
  return apart!.contradicted >= 0.12
}
