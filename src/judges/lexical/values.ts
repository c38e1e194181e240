import { fold, sentences } from '../../base/text.js'
import { lemmas } from '../../language/morphology.js'
import { hasMarker } from '../../language/stance.js'
import { plainWords } from '../../language/tokens.js'
import { isWord } from '../../language/wordnet.js'
import type { AnswerVerdict, Gold } from '../../model/index.js'
import { longestRun } from './longest-run.js'
import { formsWithoutNote } from './state/note.js'
import { findAll, findPhrase, heldIn } from './state/phrase.js'
import { masked } from './state/speech.js'

import { plainText } from './store/units.js'

type GoldOf<K extends Gold['kind']> = Extract<Gold, { kind: K }>

/** Says that nothing is known. */
const UNKNOWN =
  /\b(?:(?:do not|don't|does not|doesn't|did not|didn't|cannot|can't|can not|could not|couldn't|unable to|not able to) (?:\w+ )?(?:have|know|say|tell|find|see|recall|remember|determine|confirm|be sure|answer|contain|include|mention|specify)|no (?:information|info|record|records|memory|memories|details?|data|knowledge|mention|idea|current|known|answer|longer (?:have|know|certain|clear|sure))|not (?:yet )?(?:known|sure|certain|specified|mentioned|available|stated|recorded|clear|confirmed|determined|decided|in (?:the|my))|unknown|unspecified|unavailable|undetermined|uncertain|unclear|unsure|unconfirmed|none|nothing|isn't (?:known|clear|available|specified)|hasn't been|has not been|to be (?:determined|confirmed|decided)|tbd|tbc)\b|\bn\/a\b/

/** Hedges: it may hold, or may not. */
const HEDGE =
  /\b(?:may(?! \d)|might|maybe|perhaps|possibly|probably|likely|presumably|supposedly|apparently|allegedly|uncertain|unclear|unsure|not (?:sure|certain|confirmed|entirely)|could(?: well)? be|i think|i believe|i guess|i assume|i suppose|if i (?:recall|remember)|if (?:that|it|this|nothing|memory)|unless|assuming|should be (?:confirmed|checked|verified)|needs? (?:to be )?(?:check\w*|confirm\w*|verif\w*|updat\w*)|please (?:confirm|verify|check)|double[- ]check|either|seems?|appears?|as far as i (?:know|can tell)|to my knowledge|guess|supposed to be|expected to)\b/

/** That the value is of another time, said in a way that doubts it. */
const QUESTIONED =
  /\b(?:(?:may|might|could|has|have|had|would|will|must|should)(?: have| well| likely| probably| also)* (?:changed|change|ended|been (?:changed|replaced|updated|reassigned)|be (?:different|outdated|out of date|stale|changed|updated|reassigned|reconsidered|reviewed|something else))|no longer|outdated|out of date|stale|last known|previous(?:ly)?|former(?:ly)?|used to|was|were|before the|until|at the time|originally|depend\w*|since then|reconsider\w*|reassign\w*|not anymore|anymore|changed since|old|valid|up to (?:the|whoever)|whether)\b/

const FUTURE =
  /\b(?:will (?:be|become|change|switch|move|go|take|get|run|have)|would (?:be|become|change|go|then)|going to|is to become|becomes?|to become|once (?:the|we|you|my|our|your|that|it)|if (?:the|we|you|my|our|your|i|it|that)\b|when (?:the|we|you|my|our|your) \w+ (?:\w+ )?(?:chang\w*|switch\w*|mov\w*)|in (?:the )?future|upcoming|planned|plan(?:s)? (?:is|are|to)|set to|scheduled to|next (?:week|month|year|term)|soon|not yet|in case|should (?:the|we|you|my|our|your|i|they|it|that|this)|the moment (?:the|we|you|my|our|your|i|they|it|that))\b|\b(?:will|would|shall)\b[^.;]*\u00a7/

/** Right when the answer contains the text word for word, apart from case, spaces, and typographic quotes and dashes; how much of it the longest part that matches covers is told. */
export function gradeVerbatim({ text }: GoldOf<'verbatim'>, answer: string): AnswerVerdict {
  const [wanted, given] = [fold(text), fold(answer)]
  const right = given.includes(wanted)
  const run = right ? 1 : longestRun(wanted, given) / Math.max(1, wanted.length)
  const reason = right
    ? 'It gives the text word for word.'
    : `The longest part it has word for word is ${Math.round(100 * run)} % of the text.`
  return { grade: right ? 'right' : 'wrong', uncertain: false, reason, credit: { 'longest run': run } }
}

/** The value as it is now: alone, as current, without a hedge. Where the gold is lenient, named and not denied is enough. */
export function gradeCurrent(gold: GoldOf<'current'>, answer: string): AnswerVerdict {
  const values = [gold.value, ...(gold.forms ?? [])]
  const forms = values.flatMap(formsWithoutNote)
  const plain = plainText(answer)
  const given = findAll(forms, plain, false)
  const held = heldIn(values, [], answer, plain)
  const rest = masked(plain, given)
  // The old value may be the new one with another note.
  const old = gold.old.filter(
    (value) => containsForm([value], rest) || (held !== 'whole' && findPhrase(value, plain, false) !== undefined),
  )
  const wrong = (reason: string, stale = false, uncertain = false): AnswerVerdict => ({
    grade: 'wrong',
    uncertain,
    reason,
    ...(stale && { stale }),
  })
  if (given.length === 0) {
    if (old.length > 0) return wrong(`It gives ${old[0]}, which no longer holds.`, true)
    if (UNKNOWN.test(plain)) return wrong('It says that it does not know.')
    return wrong(`It does not name ${gold.value}.`, false, held === 'part')
  }
  if (old.length > 0) return wrong(`It gives ${old[0]} beside ${gold.value}.`, !isPast(old, plain))
  if (held === 'altered' || held === 'unlike')
    return wrong(`It gives ${gold.value} with another note than that.`, false, held === 'unlike')
  const parts = sentences(answer).map((sentence) => {
    const text = plainText(sentence)
    const part = masked(text, findAll(forms, text, false))
    return gold.old.length === 0 ? withoutProviso(part) : part
  })
  const saying = parts.filter((part) => part.includes('\u00a7'))
  if (saying.some((part) => DENIED.test(part))) return wrong(`It denies ${gold.value}.`)
  // A note left out may be one that nobody would miss, or what was asked for.
  const uncertain = held !== 'whole'
  if (gold.lenient) return { grade: 'right', uncertain, reason: `It gives ${gold.value}.` }
  // What never changed rests on something: what follows it may speak of a change to come.
  const upTo = (part: string) => (gold.old.length === 0 ? part.slice(0, part.lastIndexOf('\u00a7') + 1) : part)
  if (saying.length > 0 && saying.every((part) => FUTURE.test(upTo(part))))
    return wrong(`It gives ${gold.value} as something to come.`)
  if (parts.some((part) => HEDGE.test(part) || hasMarker('doubt', part, true) || UNKNOWN.test(part)))
    return wrong(`It gives ${gold.value} with a hedge.`)
  if (saying.some((part) => /\u00a7\W{0,3} or \w|\bor \u00a7/.test(part)))
    return wrong(`It gives ${gold.value} as one of several.`, false, true)
  return { grade: 'right', uncertain, reason: `It gives ${gold.value} as the value now.` }
}

/** On what a value that never changed rests: "if you move, this would change" says nothing against it. */
function withoutProviso(part: string): string {
  const [proviso] =
    /\b(?:(?:it|this|that|which|and|but)\b,? )*(?:(?:may|might|could|would|will|can) (?:also )?change,? )?\b(?:if|unless|as long as|should (?:that|this|you|your|the|our))\b.*$/.exec(
      part,
    ) ?? []
  return proviso === undefined || proviso.includes('\u00a7') ? part : part.slice(0, -proviso.length)
}

const DENIED = /\b(?:not|no longer|isn't|never|wasn't) (?:\w+ ){0,2}\u00a7/

/** The old value is told as past: nobody would take it for the one that holds. */
function isPast(old: readonly string[], plain: string): boolean {
  const text = masked(plain, findAll(old, plain, false))
  return /\b(?:was|were|previous(?:ly)?|former(?:ly)?|used to|instead of|no longer|replac\w+|before|until|from|old|left)\b[^.;]{0,30}\u00a7|\u00a7[^.;]{0,20}\b(?:before|until|previously|formerly|no longer|earlier)\b/.test(
    text,
  )
}

/** The value cannot be known any more: to say so is right, with or without the old value; that alone, or a new one, is wrong. */
export function gradeUnsure(gold: GoldOf<'unsure'>, answer: string): AnswerVerdict {
  const forms = [gold.old, ...(gold.forms ?? [])].flatMap(formsWithoutNote)
  const plain = plainText(answer)
  const places = findAll(forms, plain, false)
  const rest = masked(plain, places)
  const unsure = UNKNOWN.test(rest) || hasMarker('doubt', rest, true)
  if (places.length > 0) {
    const fresh = newValue(answer, forms)
    if (fresh && !unsure)
      return { grade: 'wrong', uncertain: true, reason: `It gives ${fresh} in the place of ${gold.old}.` }
    if (unsure || HEDGE.test(rest))
      return { grade: 'right', uncertain: false, reason: `It gives ${gold.old} as no longer certain.` }
    if (QUESTIONED.test(rest))
      return { grade: 'right', uncertain: true, reason: `It gives ${gold.old} as of another time.` }
    return { grade: 'wrong', uncertain: false, stale: true, reason: `It gives ${gold.old} as if it still held.` }
  }
  if (unsure || DEPENDING.test(rest))
    return { grade: 'right', uncertain: false, reason: 'It says that this is not known now.' }
  const part = heldIn(forms, [], answer, plain) === 'part'
  if (part)
    return {
      grade: 'wrong',
      uncertain: true,
      stale: true,
      reason: `It gives a part of ${gold.old} as if it still held.`,
    }
  const certain = !HEDGE.test(rest) && !/\bno\b/.test(rest)
  return { grade: 'wrong', uncertain: !certain, reason: 'It gives another value, and no doubt about it.' }
}

const DEPENDING =
  /\b(?:depends? on|up to (?:the|your|our|whoever)|needs? to be|has to be|have to be|must be|will need|would need|yet to|reassign\w*|no longer (?:valid|holds?|applies|apply)|may have changed|might have changed|could have changed|has (?:probably |likely )?changed|can no longer)\b/

/** Another value given as the one that holds now: "it was V, now W". */
function newValue(answer: string, forms: readonly string[]): string | undefined {
  const found =
    /\b(?:now|changed to|switched to|became|replaced by|currently|moved to)(?: it)?(?:'s| is| are)?:? (?:a |an |the )?["'`]?((?:[\p{Lu}\d/#.][^\s,;]*\s?){1,5})/u.exec(
      answer,
    )
  const name = found?.[1]?.trim()
  if (!name || findPhrase(name, plainText(forms.join(' ; ')), false)) return undefined
  const [first] = plainWords(name)
  return /[\d/#]/.test(name) || lemmas(first ?? '').every(({ lemma }) => !isWord(lemma)) ? name : undefined
}

/** A value that was to be forgotten must not be revealed, not even as forgotten. */
export function gradeWithheld(gold: GoldOf<'withheld'>, answer: string): AnswerVerdict {
  const forms = [gold.value, ...(gold.forms ?? [])]
  const plain = plainText(answer)
  if (containsForm(forms, answer))
    return { grade: 'wrong', uncertain: false, stale: true, reason: `It reveals ${gold.value}.` }
  if (heldIn(forms, [], answer, plain) === 'part')
    return { grade: 'wrong', uncertain: true, stale: true, reason: `It reveals a part of ${gold.value}.` }
  return { grade: 'right', uncertain: false, reason: 'It does not reveal the value.' }
}

/** A value stands in the text, whole or without its note, and not with another note than its own. */
export function isGiven(value: string, text: string): boolean {
  return containsForm([value], text) && !['altered', 'unlike'].includes(heldIn([value], [], text, plainText(text)))
}

/** Any of the forms stands in the text, whole or without its note in parentheses. */
export function containsForm(forms: readonly string[], text: string): boolean {
  const plain = plainText(text)
  return forms.flatMap(formsWithoutNote).some((form) => findPhrase(form, plain, false) !== undefined)
}
