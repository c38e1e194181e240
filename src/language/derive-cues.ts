import { fold, sentences, words } from '../base/text.js'
import type { CuePart, Cues } from '../model/fact.js'
import { cueStem } from './stems.js'

/**
 * Cues of a conditional rule of which only entity, behaviour, condition and the essay are published.
 *
 * The sentences of the essay that state behaviour and condition become further forms of those parts, for memories paraphrase the essay
 * and not the published columns. A number in the condition is left to the judge, which sees from the essay whether it was ever stated.
 *
 * @example ruleCues('Nimbus', 'curls up in his basket', 'when it is below 10°C', essay).exclusive // false: the essay has no "only"
 */
export function ruleCues(entity: string, behavior: string, condition: string, source: string): Cues {
  const lines = sentences(source)
  const stating = closestLine(behavior, lines)
  const conditional = closestLine(condition, lines)
  const exclusive = [stating, conditional].some((line) => line !== undefined && EXCLUSIVE.test(line))
  return {
    kind: 'rule',
    parts: [
      { role: 'who', forms: [entity] },
      { role: 'what', forms: distinct([behavior, stating]) },
      { role: 'condition', forms: distinct([condition, conditional]) },
    ],
    explicit: false,
    exclusive,
  }
}

/** Cues of something the user likes or uses, named by `preference` and told by the sentence `text`. */
export function preferenceCues(preference: string, text: string): Cues {
  return {
    kind: 'preference',
    parts: [
      { role: 'value', forms: [preference] },
      { role: 'relation', forms: [text] },
    ],
    explicit: false,
  }
}

/** Cues of an essay about one person: the name, and a detail for every sentence. */
export function profileCues(entity: string, essay: string): Cues {
  return {
    kind: 'profile',
    parts: [
      { role: 'who', forms: [entity] },
      ...sentences(essay).map((sentence): CuePart => ({ role: 'detail', forms: [sentence] })),
    ],
    explicit: false,
  }
}

/**
 * Cues of one link of a chain. `from` and `to` are the published anchors; without them they are read off the sentence: what stands on
 * the causing side and what on the caused side. A sentence that links nothing ("Mei craves spicy ramen") has only a `value`.
 *
 * @example linkCues('When I unwind I start reading travel blogs.').parts.map((part) => part.forms[0])
 * // ['I unwind', 'I start reading travel blogs', 'When']
 */
export function linkCues(text: string, from?: string, to?: string): Cues {
  const split = splitLink(text)
  const parts: CuePart[] = []
  const anchors = [from, to].filter((anchor) => anchor !== undefined && anchor !== split.who) as string[]
  const closer = (anchor: string) =>
    split.from && shared(anchor, split.from) > shared(anchor, split.to) ? 'what' : 'value'
  const ofSide = (side: 'what' | 'value') => anchors.filter((anchor) => closer(anchor) === side)
  if (split.who) parts.push({ role: 'who', forms: [split.who] })
  if (split.from) parts.push({ role: 'what', forms: distinct([split.from, ...ofSide('what')]) })
  parts.push({ role: 'value', forms: distinct([split.to, ...ofSide('value')]) })
  parts.push({ role: 'relation', forms: [split.relation] })
  return { kind: 'link', parts, explicit: false }
}

/** Shorter turns are told whole or not at all. */
const LONG_STATEMENT = 30

/**
 * Cues of a statement in free text, such as a turn of a chat that answers a question.
 *
 * @param about.retold other sentences that tell the same, any of which will do
 * @param about.focus what is asked of it: of a long text the sentence that comes closest to it is enough
 * @example statementCues('I went to a pottery class yesterday!', { who: 'Mara', retold: ['Mara took a pottery class.'] })
 */
export function statementCues(
  text: string,
  { who, retold = [], focus = [] }: { who?: string; retold?: readonly string[]; focus?: readonly string[] },
): Cues {
  const lines = words(text).length > LONG_STATEMENT ? sentences(text).filter((line) => words(line).length > 4) : []
  const narrow = lines.length > 1 ? focus.map((asked) => closestLine(asked, lines)) : []
  const what: CuePart = { role: 'what', forms: distinct([text, ...narrow, ...retold]) }
  return {
    kind: 'statement',
    parts: who === undefined ? [what] : [{ role: 'who', forms: [who] }, what],
    explicit: false,
  }
}

interface LinkSplit {
  who?: string
  from?: string
  to: string
  relation: string
}

const EXCLUSIVE =
  /\b(?:(?<!the )only(?! (?:a|an|the|that|this|one|two)\b)|exclusively|solely|nothing but|no one but|not until|never .* unless)\b/i

const SUBJECT = String.raw`(?:I|he|she|they|we|\p{Lu}\p{L}+)`
const FRONTED = /^(When|Whenever|After|Because|If|Since|Once|While|As soon as|Every time|On|Upon)\s+(.+)$/u
const MEDIAL = /^(.+?)\s+(because|whenever|when|after|if|since|once|until|before|so that|so)\s+(.+)$/
const THEN = /^(.+?)\s+(and then)\s+(.+)$/
const CAUSING =
  /^((?:To \p{L}+ )?.+?)\s+(?:(?:always|often|usually|sometimes)\s+)?(makes?|gives?|leads?|puts?|gets?|helps?|inspires?|motivates?|causes?|push(?:es)?|prompts?|encourages?|leaves?|lets?|sparks?|triggers?|drives?|has|have)\s+(.+)$/u
const PURPOSE = /^(I\s.+?|\p{Lu}\p{L}+\s.+?)\s+(to|in order to)\s+(\p{Ll}.+)$/u
const AFFECTING = /^(.+?)\s+(\p{L}+)\s+(me|him|them|us)\s+(.+)$/u

/** Cause and effect of a sentence, by the connective that joins them. */
function splitLink(text: string): LinkSplit {
  const sentence = text.trim().replace(/[.!]+$/, '')
  const who = nameIn(sentence)
  const found =
    fronted(sentence) ??
    medial(sentence) ??
    then(sentence) ??
    causing(sentence) ??
    affecting(sentence) ??
    purpose(sentence)
  if (found) return { ...found, ...(who ? { who } : {}) }
  const [, verb, rest] = new RegExp(`^${SUBJECT}\\s+(\\p{L}+)\\s+(.+)$`, 'u').exec(sentence) ?? []
  return { ...(who ? { who } : {}), to: rest ?? sentence, relation: verb ?? '' }
}

function fronted(sentence: string): LinkSplit | undefined {
  const match = FRONTED.exec(sentence)
  if (!match) return undefined
  const [, relation, rest] = match as unknown as [string, string, string]
  const subjects = [...rest.matchAll(new RegExp(`(?<=\\s|,)${SUBJECT}\\s+`, 'gu'))]
  const last = subjects.at(-1)
  if (!last) return undefined
  return { from: rest.slice(0, last.index).trim().replace(/,$/, ''), to: rest.slice(last.index).trim(), relation }
}

/** "A because B": B causes A. "A until B", "A before B", "A so B": A comes first. */
function medial(sentence: string): LinkSplit | undefined {
  const match = MEDIAL.exec(sentence)
  if (!match) return undefined
  const [, before, relation, after] = match as unknown as [string, string, string, string]
  const forward = /^(?:until|before|so|so that)$/.test(relation) || /\b(?:makes?|helps?|lets?|gives?)\b/.test(after)
  return forward ? { from: before, to: after, relation } : { from: after, to: before, relation }
}

function then(sentence: string): LinkSplit | undefined {
  const match = THEN.exec(sentence)
  return match ? { from: match[1]!, to: match[3]!, relation: match[2]! } : undefined
}

function causing(sentence: string): LinkSplit | undefined {
  const match = CAUSING.exec(sentence)
  if (!match || match[1] === 'I' || match[1] === nameIn(sentence)) return undefined
  return { from: match[1]!, to: match[3]!, relation: match[2]! }
}

function affecting(sentence: string): LinkSplit | undefined {
  const match = AFFECTING.exec(sentence)
  return match && !/^I$/.test(match[1]!)
    ? { from: match[1]!, to: `${match[2]} ${match[4]}`, relation: match[2]! }
    : undefined
}

function purpose(sentence: string): LinkSplit | undefined {
  const match = PURPOSE.exec(sentence)
  return match ? { from: match[1]!, to: match[3]!, relation: match[2]! } : undefined
}

const NO_NAME =
  /^(?:to|on|in|at|a|an|the|when|whenever|after|because|if|since|once|while|before|do|not|and|or|of|for|with|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?s?$/i

/** A capitalised word that does not open the sentence, or opens it before a verb in the third person: a name. */
function nameIn(sentence: string): string | undefined {
  if (/\b(?:I|I'm|me|my|we|us|our)\b/.test(sentence)) return undefined
  const inner = [...sentence.matchAll(/(?<=\p{L}[\p{L},']*\s)\p{Lu}\p{L}+/gu)]
    .map(([word]) => word)
    .findLast((word) => !NO_NAME.test(word))
  const opening = /^(\p{Lu}\p{Ll}+)\s+(?:can\s|will\s|\p{Ll}+s\s)/u.exec(sentence)?.[1]
  return opening !== undefined && !NO_NAME.test(opening) && inner === undefined ? opening : inner
}

/** The line that shares most words with a phrase; rare words of the text weigh more. */
export function closestLine(phrase: string, lines: readonly string[]): string | undefined {
  const stems = new Set(words(phrase).map(cueStem))
  const spread = new Map<string, number>()
  const lineStems = lines.map((line) => new Set(words(line).map(cueStem)))
  for (const set of lineStems) for (const stem of set) spread.set(stem, (spread.get(stem) ?? 0) + 1)
  let best: { line: string; score: number } | undefined
  lines.forEach((line, i) => {
    let score = 0
    for (const stem of lineStems[i]!)
      if (stems.has(stem) && stem.length > 2) score += Math.log(1 + lines.length / spread.get(stem)!)
    if (score > (best?.score ?? 0)) best = { line, score }
  })
  return best?.line
}

function shared(a: string, b: string): number {
  const stems = new Set(words(b).map(cueStem))
  return words(a).filter((word) => stems.has(cueStem(word))).length
}

function distinct(forms: readonly (string | undefined)[]): string[] {
  const seen = new Map<string, string>()
  for (const form of forms) if (form !== undefined && !seen.has(fold(form))) seen.set(fold(form), form)
  return [...seen.values()]
}
