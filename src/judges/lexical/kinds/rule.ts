import { changesGender, otherActor } from '../../../language/actor.js'
import { isHedged, isInverted } from '../../../language/condition.js'
import { hasExclusivity, hasNegativeCondition, isNegated } from '../../../language/markers.js'
import { coverage } from '../../../language/match.js'
import { contentTokens } from '../../../language/tokens.js'
import type { Fact } from '../../../model/index.js'
import type { Passage } from '../store/view.js'
import { type FactReading, type Finding, formsOf, inPassages, type KindJudge, notStored, short } from './finding.js'
import { names, ofRelative } from './guards.js'
import { type NumberState, numberState, wantedQuantities, withoutNumbers } from './numbers.js'
import { presence } from './presence.js'
import { bestPassages, shortestEach } from './select.js'

interface Evidence {
  passage: Passage
  /** The forms of its parts were written with the fact, so that they can be asked for strictly. */
  explicit: boolean
  behavior: number
  condition: number
  number: NumberState
  exclusive: boolean
  near: number
  whose: boolean
}

const WIDTH = { memories: 16, span: 3, keep: 6 }

/** Somebody does something under a condition. The behaviour, its condition, number and "only" must be bound together. */
export const rule: KindJudge = {
  async select(fact, index) {
    const who = formsOf(fact.cues, 'who')
    const texts = [...who, ...formsOf(fact.cues, 'what'), ...formsOf(fact.cues, 'condition')]
    const passages = await bestPassages(index, texts, WIDTH, (passage) => {
      const named = names(passage.context, who) === undefined ? 0 : 0.6
      return named + behavior(fact, passage.text) + 0.9 * condition(fact, passage.text) - 0.04 * passage.span
    })
    return { passages, phrases: [summary(fact)] }
  },

  decide(fact, { passages }, reading) {
    const found = passages.map((passage) => weigh(fact, passage, reading))
    const own = found.filter(({ whose }) => whose).sort((a, b) => strength(b) - strength(a))
    const faithful = own.filter((one) => isWhole(one) && keepsOnly(fact, one) && !isTurned(fact, one.passage))
    if (faithful.length > 0) return kept(fact, faithful)
    return spread(fact, own) ?? damagedOrGone(fact, own, found)
  },
}

function weigh(fact: Fact, passage: Passage, reading: FactReading): Evidence {
  return {
    passage,
    explicit: fact.cues.explicit,
    behavior: behavior(fact, passage.text),
    condition: condition(fact, passage.text),
    number: numberState(wantedQuantities(fact), passage.text),
    exclusive: hasExclusivity(passage.text),
    near: reading.similarity(summary(fact), passage.text),
    whose: names(passage.context, formsOf(fact.cues, 'who')) !== undefined,
  }
}

/** The number of its condition beside it vouches for a behaviour that is told in other words. */
function hasBehavior({ behavior: held, number, condition: bound, near }: Evidence): boolean {
  return held >= 0.52 || (held >= 0.38 && near >= 0.58) || (held >= 0.28 && number === 'equal' && bound >= 0.2)
}

/** A number that is kept vouches for a condition that is told in other words. */
function hasCondition({ explicit, condition: held, number, near }: Evidence): boolean {
  if (explicit) return number === 'equal' ? held >= 0.3 : number === 'none' && held >= 0.75
  if (number === 'equal') return held >= 0.2
  return number === 'none' && (held >= 0.5 || (held >= 0.3 && near >= 0.8))
}

function isWhole(one: Evidence): boolean {
  return hasBehavior(one) && hasCondition(one)
}

function keepsOnly(fact: Fact, { exclusive }: Evidence): boolean {
  return fact.cues.exclusive !== true || exclusive
}

/** What the written cues of a rule tell against a passage: another doer, an exception made of the condition, or a hedge. */
function isUnlike(fact: Fact, { text }: Passage): boolean {
  const [what, conditions] = [formsOf(fact.cues, 'what'), formsOf(fact.cues, 'condition')]
  const said = [...what, ...conditions, ...(fact.evidence ?? [])].join(' ')
  const at = presence(what, text).at
  return (
    changesGender([...what, ...conditions].join(' '), text) ||
    (at.length > 0 && otherActor(text, formsOf(fact.cues, 'who'), Math.min(...at)) !== undefined) ||
    isInverted(text, said, conditions.join(' ')) ||
    isHedged(text, said)
  )
}

/** Told of somebody else, with the condition the other way round, or denied. Forms are alternatives: any one may lend its polarity. */
function isTurned(fact: Fact, passage: Passage): boolean {
  if (ofRelative(fact, passage)) return true
  if (fact.cues.explicit && isUnlike(fact, passage)) return true
  const conditions = formsOf(fact.cues, 'condition')
  const negative = conditions.some((form) => hasNegativeCondition(`when ${form}`) || /\btoo\b.*\bto\b/.test(form))
  if (passage.span === 1 && !negative && hasNegativeCondition(passage.text)) return true
  if (!fact.cues.explicit || passage.span > 1) return false
  const denied =
    negative || fact.cues.negated === true || [...formsOf(fact.cues, 'what'), ...conditions].some(isNegated)
  return !denied && isNegated(passage.text)
}

function kept(fact: Fact, faithful: readonly Evidence[]): Finding {
  const best = faithful[0]!
  const uncertain = best.behavior < 0.7 || best.condition < (best.number === 'equal' ? 0.35 : 0.65) || best.near < 0.65
  const reason = `${best.passage.memory} tells the behaviour with its condition ${cited(fact)}.`
  return inPassages('correct', shortestEach(faithful.map(({ passage }) => passage)), reason, uncertain)
}

/** Behaviour in one memory, condition in another that refers to it. */
function spread(fact: Fact, own: readonly Evidence[]): Finding | undefined {
  const told = own.find((one) => one.behavior >= 0.6)
  const bound = own.find(
    (one) =>
      one.passage.memory !== told?.passage.memory && one.behavior >= 0.3 && hasCondition(one) && keepsOnly(fact, one),
  )
  if (!told || !bound || isTurned(fact, told.passage) || isTurned(fact, bound.passage)) return undefined
  return {
    label: 'correct',
    uncertain: true,
    support: [[told.passage.memory, bound.passage.memory]],
    reason: `The behaviour is in ${told.passage.memory}, its condition ${cited(fact)} in ${bound.passage.memory}.`,
    quotes: [told, bound].map(({ passage: { memory, text } }) => ({ memory, text })),
  }
}

function damagedOrGone(fact: Fact, own: readonly Evidence[], all: readonly Evidence[]): Finding {
  const best = own.find(hasBehavior)
  if (best)
    return inPassages(
      'summary_error',
      [best.passage],
      `The behaviour is in ${best.passage.memory}, but ${lost(fact, best)}.`,
      best.behavior < 0.6 || (isWhole(best) && !(best.explicit && isTurned(fact, best.passage))),
    )
  const strange = all.find((one) => !one.whose && one.behavior >= 0.8 && isWhole(one) && one.near >= 0.7)
  if (strange)
    return inPassages('summary_error', [strange.passage], `${strange.passage.memory} tells it of somebody else.`, true)
  const trace = own[0]
  return notStored(
    `Nothing in the store tells that ${short(summary(fact))}.`,
    trace !== undefined && (trace.behavior >= 0.35 || trace.condition >= 0.6 || trace.near >= 0.62),
  )
}

function lost(fact: Fact, { number, condition: held, passage }: Evidence): string {
  if (number === 'missing') return `the number in ${cited(fact)} is lost`
  if (number === 'different' || number === 'unbound') return `the number in ${cited(fact)} has changed`
  if (held < 0.5) return `its condition ${cited(fact)} is nowhere near`
  return hasExclusivity(passage.text)
    ? `its condition ${cited(fact)} is not the same`
    : `not that it holds only ${cited(fact)}`
}

function strength({ behavior: held, condition: bound, number, near }: Evidence): number {
  return held + 0.9 * bound + 0.8 * near + (number === 'equal' ? 0.4 : 0)
}

function behavior(fact: Fact, text: string): number {
  const forms = formsOf(fact.cues, 'what')
  return Math.max(...(fact.cues.explicit ? forms : forms.slice(0, 1)).map((form) => told(unnamed(fact, form), text)))
}

function told(form: string, text: string): number {
  const { score, core } = coverage(form, text)
  return 0.5 * (score + core)
}

/** Derived cues also know the sentence of the source; what it says beside the behaviour is a second wording of the condition. */
function condition(fact: Fact, text: string): number {
  const forms = formsOf(fact.cues, 'condition')
  if (fact.cues.explicit) {
    const rest = forms.map((form) => withoutNumbers(unnamed(fact, form)))
    // A form that is all number leaves nothing else to look for.
    return rest.some((form) => contentTokens(form).length === 0) ? 1 : presence(rest, text).share
  }
  const exact = (form: string) => coverage(withoutNumbers(besideBehavior(fact, form)), text).exact
  const [stated, source] = forms
  return Math.max(exact(stated!), source === undefined ? 0 : 0.85 * exact(source))
}

/** What a sentence says beside the behaviour; the whole of it when there is nothing else. */
function besideBehavior(fact: Fact, sentence: string): string {
  const [told = ''] = formsOf(fact.cues, 'what')
  const tokens = contentTokens(unnamed(fact, sentence))
  const beside = tokens.filter((token) => coverage(token.text, told).exact < 0.8)
  return (beside.some(({ weight }) => weight === 1) ? beside : tokens).map((token) => token.text).join(' ')
}

function unnamed(fact: Fact, text: string): string {
  return formsOf(fact.cues, 'who').reduce((held, name) => held.replaceAll(name, ' '), text)
}

function summary(fact: Fact): string {
  return ['who', 'what', 'condition'].map((role) => formsOf(fact.cues, role as 'who')[0] ?? '').join(' ')
}

function cited(fact: Fact): string {
  return short(formsOf(fact.cues, 'condition')[0] ?? '')
}
