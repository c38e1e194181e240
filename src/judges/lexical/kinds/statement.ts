import { isNegated } from '../../../language/markers.js'
import { opposes } from '../../../language/opposites.js'
import { isSaid } from '../../../language/strangers.js'
import { contentTokens } from '../../../language/tokens.js'
import type { Fact } from '../../../model/index.js'
import type { Passage } from '../store/view.js'
import { alteredAmounts } from './amount.js'
import { hasCore } from './core.js'
import { type FactReading, type Finding, formsOf, inPassages, type KindJudge, notStored, short } from './finding.js'
import { names, ofRelative } from './guards.js'
import { numberState, wantedQuantities } from './numbers.js'
import { presence } from './presence.js'
import { bestPassages } from './select.js'
import { impersonal, remnantOf, type Scale, traceOf } from './trace.js'

const WIDTH = { memories: 24, span: 3, keep: 16 }
/** A part is there when this much of one of its forms is. */
const THERE = 0.75
/** What is left of a statement that lost a part, with vectors and without; fitted on half of our own damaged versions. */
const VECTORS: Scale = { weights: { near: 1.94, own: 1, told: 0.49 }, gone: 0.55, blurred: 0.81, clear: 1.4 }
const WORDS: Scale = { weights: { near: 0, own: 1, told: 1.04 }, gone: 0.1, blurred: 0.37, clear: 0.8 }

/** A statement of no more telling words than this is vague. */
const VAGUE = 3
const NOWHERE: FactReading = { similarity: () => 0, vectors: false }

/** Anything else: every part must be found, bound together in one passage. */
export const statement: KindJudge = {
  async select(fact, index) {
    const texts = [fact.text, ...fact.cues.parts.flatMap((part) => part.forms)]
    const who = formsOf(fact.cues, 'who')
    const score = (passage: Passage) => {
      const { own, told } = traceOf(fact.text, passage.text, NOWHERE)
      return share(fact, passage) + (isNamed(fact, passage) ? 1 : 0) + 0.5 * (own + told) - 0.05 * passage.span
    }
    const passages = await bestPassages(index, texts, WIDTH, score, who)
    const found = passages.some((passage) => isWhole(fact, passage))
    const open = found ? [] : passages.filter((passage) => mayBlur(fact, passage))
    const altered = found ? [] : alteredAmounts(fact, index)
    return {
      passages: [...passages, ...altered],
      altered,
      phrases: [],
      texts: open.length > 0 ? [fact.text, ...open.map(({ text }) => text)].map((text) => impersonal(text, who)) : [],
    }
  },

  decide(fact, { passages, altered = [], asSaid }, reading) {
    const whole = passages.filter((passage) => isWhole(fact, passage))
    const faithful = whole.filter((passage) => !isTurned(fact, passage))
    const isBare = fact.cues.parts.length === 0
    if (faithful.length > 0)
      return inPassages('correct', faithful, `All its parts are together in ${faithful[0]!.memory}.`, isBare)
    const isOpen = (passage: Passage) => !asSaid?.has(passage)
    const turned = whole.find(isOpen)
    if (turned) return inPassages('summary_error', [turned], `Its parts are in ${turned.memory}, but changed.`, false)
    const other = altered.find(isOpen)
    if (other) return inPassages('summary_error', [other], `${other.memory} tells another amount of the same.`, false)
    return blurred(fact, passages.filter(isOpen), reading)
  },
}

/** Something is told of the right one that may be what is left of it. */
function blurred(fact: Fact, passages: readonly Passage[], reading: FactReading): Finding {
  const who = formsOf(fact.cues, 'who')
  const left = remnantOf(
    impersonal(fact.text, who),
    passages.filter((passage) => mayBlur(fact, passage)),
    ({ text }) => impersonal(text, who),
    reading.vectors ? VECTORS : WORDS,
    reading,
  )
  if (left?.state === 'clear' || left?.state === 'blurred') {
    const reason = `${left.passage.memory} keeps only something of ${short(fact.text)}.`
    return inPassages('summary_error', [left.passage], reason, left.state === 'blurred')
  }
  const vague = passages.some((passage) => mayBlur(fact, passage) && isVague(impersonal(passage.text, who)))
  return notStored(`Nothing in the store says ${short(fact.text)}.`, left?.state === 'doubtful' || vague)
}

/** Says so little that it may be meant for anything. */
function isVague(text: string): boolean {
  return contentTokens(text).filter(({ weight }) => weight >= 0.5).length <= VAGUE
}

function mayBlur(fact: Fact, passage: Passage): boolean {
  return passage.span === 1 && isNamed(fact, passage) && hasCore(fact, passage.text)
}

function isNamed(fact: Fact, { context }: Passage): boolean {
  const who = formsOf(fact.cues, 'who')
  return who.length === 0 || names(context, who) !== undefined
}

function isWhole(fact: Fact, passage: Passage): boolean {
  return partsOf(fact).every((part) => partScore(part, passage) >= THERE)
}

/** A statement with nothing but its text is its text, and every name in it. */
function partsOf({ text, cues: { parts } }: Fact): Fact['cues']['parts'] {
  if (parts.length > 0) return parts
  const inside = [...text.matchAll(/(?<![.!?]\s|^)\b\p{Lu}\p{Ll}+/gu)].map(([name]) => name)
  return [text, ...new Set(inside)].map((form) => ({ role: 'what', forms: [form] }))
}

function isTurned(fact: Fact, passage: Passage): boolean {
  const number = numberState(wantedQuantities(fact), passage.text)
  const parts = partsOf(fact)
    .filter(({ role }) => role !== 'who')
    .flatMap(({ forms }) => forms)
  return (
    ofRelative(fact, passage) ||
    opposes(passage.text, parts.join(' ')) ||
    (passage.span === 1 && isDenied(fact, passage.text)) ||
    (number !== 'none' && number !== 'equal')
  )
}

const DENIED = /\b(?:not|never|cannot|no longer|\p{L}+n't|refuses? to|declines? to)\b(.*)$/iu

/** Denied in the passage or in the fact, but not in both. A form that itself denies ("avoids", "without") bears its own denial. */
function isDenied(fact: Fact, text: string): boolean {
  const there = isNegated(text)
  if (fact.cues.negated !== undefined) return there !== fact.cues.negated
  const said = isNegated(fact.text)
  if (there === said || fact.cues.parts.some(({ forms }) => forms.some(isNegated))) return false
  if (there) return true
  const [, rest = ''] = DENIED.exec(fact.text) ?? []
  const verb = contentTokens(rest)[0]
  return verb !== undefined && isSaid(verb.text, text)
}

function share(fact: Fact, passage: Passage): number {
  const scores = partsOf(fact).map((part) => partScore(part, passage))
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** Who it is about may be named anywhere in the memory; the rest must be in the passage. */
function partScore({ role, forms }: Fact['cues']['parts'][number], passage: Passage): number {
  if (role === 'who') return names(passage.context, forms) === undefined ? 0 : 1
  return presence(forms, passage.text).share
}
