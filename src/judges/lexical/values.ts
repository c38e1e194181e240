import { fold, sentences } from '../../base/text.js'
import { says } from '../../language/stance.js'
import type { AnswerVerdict, Gold } from '../../model/index.js'
import { presence } from './kinds/presence.js'
import { wordString } from './store/view.js'

type GoldOf<K extends Gold['kind']> = Extract<Gold, { kind: K }>

/** Says that nothing is known, or that what was known may not hold. */
const UNKNOWN =
  /\b(?:(?:do not|don't|does not|doesn't|did not|didn't|cannot|can't|could not|couldn't) (?:have|know|say|tell|find|see|recall|remember|determine|confirm)|no (?:information|record|memory|details?|data|knowledge|mention|current|longer (?:have|know))|not (?:known|sure|certain|specified|mentioned|available|stated|recorded|in (?:the|my))|unknown|unspecified|unavailable|uncertain|unclear|unsure|none|n\/a|nothing)\b/

/** Hedges beside a value: it may hold, or may not. */
const HEDGE =
  /\b(?:may|might|maybe|perhaps|possibly|probably|likely|presumably|uncertain|unclear|unsure|not (?:sure|certain|confirmed)|could be|if (?:that|it|this|nothing)|unless|was|previously|used to|as of|last known|before the|assuming|needs? (?:to be )?(?:checked|confirmed|updated)|changed since|has changed|no longer|outdated|depends?|reconsider|confirm)\b/

const FUTURE =
  /\b(?:will (?:be|become|change|switch|move)|would (?:be|become|change)|going to (?:be|become)|once|if|when)\b/

/** Word for word, apart from case and spaces. `longest run` shows how near a miss was. */
export function gradeVerbatim({ text }: GoldOf<'verbatim'>, answer: string): AnswerVerdict {
  const [wanted, given] = [fold(text), fold(answer)]
  const right = given.includes(wanted)
  const run = right ? 1 : longestRun(wanted, given) / Math.max(1, wanted.length)
  const reason = right
    ? 'It gives the text word for word.'
    : `The longest part it has word for word is ${Math.round(100 * run)} % of the text.`
  return { grade: right ? 'right' : 'wrong', uncertain: false, reason, credit: { 'longest run': run } }
}

/** Length of the longest text that stands in both. */
export function longestRun(a: string, b: string): number {
  let before = new Int32Array(b.length + 1)
  let now = new Int32Array(b.length + 1)
  let best = 0
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const run = a[i - 1] === b[j - 1] ? before[j - 1]! + 1 : 0
      now[j] = run
      if (run > best) best = run
    }
    ;[before, now] = [now, before]
  }
  return best
}

/**
 * All values, earliest first. `partial` is the longest chain of values in the right order over all their occurrences; `greedy` is the
 * paper's, which takes the first occurrence of each and lets an early mention block the others.
 */
export function gradeSequence({ items }: GoldOf<'sequence'>, answer: string): AnswerVerdict {
  const text = wordString(answer)
  const places = items.map((item) => occurrences(text, wordString(item).trim()))
  const chain = longestChain(places)
  const [partial, greedy] = [chain / items.length, greedyShare(items, answer)]
  const missing = items.filter((_, i) => places[i]!.length === 0)
  const right = chain === items.length && lastMentionsInOrder(places)
  const reason =
    missing.length > 0
      ? `It does not name ${missing.join(', ')}.`
      : right
        ? 'It names all values in order.'
        : 'It names all values, but not in order.'
  return { grade: right ? 'right' : 'wrong', uncertain: false, reason, credit: { partial, greedy } }
}

/** The value as it is now: alone, as current, without a hedge. */
export function gradeCurrent(gold: GoldOf<'current'>, answer: string): AnswerVerdict {
  const forms = [gold.value, ...(gold.forms ?? [])]
  const saying = sentences(answer).filter((sentence) => isNamed(forms, sentence))
  const old = gold.old.filter((value) => isNamed([value], withoutForms(answer, forms)))
  const wrong = (reason: string, stale = false): AnswerVerdict => ({
    grade: 'wrong',
    uncertain: false,
    reason,
    ...(stale && { stale }),
  })
  if (saying.length === 0) {
    if (old.length > 0) return wrong(`It gives ${old[0]}, which no longer holds.`, true)
    const near = presence(forms, answer).share
    const reason = UNKNOWN.test(fold(answer)) ? 'It says that it does not know.' : `It does not name ${gold.value}.`
    return { grade: 'wrong', uncertain: near > 0.4, reason }
  }
  if (old.length > 0) return wrong(`It gives ${old[0]} beside ${gold.value}.`, true)
  if (saying.every((sentence) => FUTURE.test(fold(withoutForms(sentence, forms)))))
    return wrong(`It gives ${gold.value} as something to come.`)
  if (sentences(answer).some((sentence) => says('doubt', withoutForms(sentence, forms)) || isDoubtful(sentence, forms)))
    return wrong(`It gives ${gold.value} with a hedge.`)
  return { grade: 'right', uncertain: false, reason: `It gives ${gold.value} as the value now.` }
}

/** The value cannot be known any more: to say so is right, with or without the old value; that alone, or a new one, is wrong. */
export function gradeUnsure(gold: GoldOf<'unsure'>, answer: string): AnswerVerdict {
  const forms = [gold.old, ...(gold.forms ?? [])]
  const rest = fold(withoutForms(answer, forms))
  const named = isNamed(forms, answer)
  const unsure = UNKNOWN.test(rest) || says('doubt', rest)
  if (named) {
    const hedged = unsure || HEDGE.test(rest)
    return hedged
      ? { grade: 'right', uncertain: !unsure, reason: `It gives ${gold.old} as no longer certain.` }
      : { grade: 'wrong', uncertain: false, stale: true, reason: `It gives ${gold.old} as if it still held.` }
  }
  if (unsure) return { grade: 'right', uncertain: false, reason: 'It says that this is not known now.' }
  return { grade: 'wrong', uncertain: true, reason: `It gives another value, and no doubt about it.` }
}

/** A value that was to be forgotten must not be revealed, not even as forgotten. */
export function gradeWithheld(gold: GoldOf<'withheld'>, answer: string): AnswerVerdict {
  const forms = [gold.value, ...(gold.forms ?? [])]
  if (isNamed(forms, answer))
    return { grade: 'wrong', uncertain: false, stale: true, reason: `It reveals ${gold.value}.` }
  const { literal } = presence(forms, answer)
  if (literal >= 0.6)
    return { grade: 'wrong', uncertain: true, stale: true, reason: `It reveals a good part of ${gold.value}.` }
  return { grade: 'right', uncertain: literal >= 0.34, reason: 'It does not reveal the value.' }
}

/** Any of the forms stands in the text word for word, or with parts of it in parentheses left out. */
export function isNamed(forms: readonly string[], text: string): boolean {
  const there = wordString(text)
  return forms.some((form) => {
    const bare = form.replace(/\s*\([^)]*\)/g, '')
    return there.includes(wordString(form)) || (bare.trim() !== '' && there.includes(wordString(bare)))
  })
}

function isDoubtful(sentence: string, forms: readonly string[]): boolean {
  const rest = fold(withoutForms(sentence, forms))
  return /\b(?:maybe|perhaps|possibly|might be|may be|could be|not sure|i think|i believe|probably|presumably)\b/.test(
    rest,
  )
}

function withoutForms(text: string, forms: readonly string[]): string {
  const folded = fold(text)
  return forms.reduce((rest, form) => rest.replaceAll(fold(form), ' '), folded)
}

function occurrences(text: string, wanted: string): number[] {
  const found: number[] = []
  const spaced = ` ${wanted} `
  for (let at = text.indexOf(spaced); at >= 0; at = text.indexOf(spaced, at + 1)) found.push(at)
  return found
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

/** Nothing after the chain takes it back: the last mentions are in order too. */
function lastMentionsInOrder(places: readonly (readonly number[])[]): boolean {
  const firsts = places.map((list) => list[0]!)
  const lasts = places.map((list) => list.at(-1)!)
  const rising = (list: readonly number[]) => list.every((at, i) => i === 0 || at > list[i - 1]!)
  return rising(firsts) || rising(lasts)
}

function greedyShare(items: readonly string[], answer: string): number {
  const text = answer.toLowerCase()
  let last = -1
  let count = 0
  for (const item of items) {
    const at = text.indexOf(item.toLowerCase())
    if (at <= last) continue
    count++
    last = at
  }
  return count / items.length
}
