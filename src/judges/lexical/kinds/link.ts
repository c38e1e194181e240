import { attitude } from '../../../language/markers.js'
import { type Coverage, coverage } from '../../../language/match.js'
import { leadsTo } from '../../../language/order.js'
import { tokenize } from '../../../language/tokens.js'
import type { Fact } from '../../../model/index.js'
import type { Passage } from '../store/view.js'
import { type FactReading, type Finding, formsOf, inPassages, type KindJudge, notStored, short } from './finding.js'
import { bringsStranger, names, ofRelative, ofSomebodyElse } from './guards.js'
import { decideLink, selectLink } from './link-explicit.js'
import { naming } from './naming.js'
import { bestPassages } from './select.js'

interface Evidence {
  passage: Passage
  /** Whether the fact links nothing, but tells how somebody stands to something. */
  single: boolean
  /** How far the causing side is there; 1 when there is none. */
  from: number
  to: number
  /** How much of what the passage says the fact says too. */
  own: number
  near: number
  /** The causing side leads to the other. */
  joined: boolean
  /** Told of the right person. */
  whose: boolean
}

const WIDTH = { memories: 14, span: 2, keep: 6 }
const FOUND = 0.6

/** One thing that leads to another. Both ends must be there, joined, and the right way round. */
export const link: KindJudge = {
  async select(fact, index) {
    if (isWritten(fact)) return selectLink(fact, index)
    const passages = await bestPassages(index, [fact.text], WIDTH, ({ text, span }) => {
      const [from, to] = sides(fact, text)
      return Math.min(core(from), core(to)) + 0.5 * (core(from) + core(to)) - 0.02 * span
    })
    return { passages, phrases: [fact.text] }
  },

  decide(fact, selection, reading) {
    if (isWritten(fact)) return decideLink(fact, selection)
    const { passages } = selection
    const found = passages.map((passage) => weigh(fact, passage, reading)).filter(({ whose }) => whose)
    const whole = found.filter(isWhole).filter((one) => !isBeside(fact, one))
    const faithful = whole.filter((one) => !isBroken(fact, one))
    if (faithful.length > 0) return kept(faithful)
    if (whole[0]) {
      const why = whole[0].joined ? 'of somebody else' : 'not joined as they were'
      return inPassages(
        'summary_error',
        [whole[0].passage],
        `Both sides are in ${whole[0].passage.memory}, but ${why}.`,
        whole[0].near < 0.7,
      )
    }
    return damagedOrGone(fact, found)
  },
}

/** Written with both its sides, and not derived from a sentence. */
function isWritten({ cues }: Fact): boolean {
  return cues.explicit && formsOf(cues, 'what').length > 0 && formsOf(cues, 'value').length > 0
}

function weigh(fact: Fact, passage: Passage, reading: FactReading): Evidence {
  const [from, to] = sides(fact, passage.text)
  const who = formsOf(fact.cues, 'who')
  return {
    passage,
    single: from === undefined,
    from: core(from),
    to: from === undefined ? naming(formsOf(fact.cues, 'value'), passage.text) : core(to),
    own: coverage(passage.text, fact.text).core,
    near: reading.similarity(fact.text, passage.text),
    joined:
      !from || !to || leadsTo(passage.text, positions(passage.text, from), positions(passage.text, to), new Set()),
    whose: who.length === 0 ? !ofSomebodyElse(fact, passage) : names(passage.text, who) !== undefined,
  }
}

/** Both sides found; what is missing of the weaker one is made up for by nearness of the whole. */
function isWhole({ single, from, to, near }: Evidence): boolean {
  if (single) return to >= FOUND && near >= 0.4
  const weaker = Math.min(from, to)
  return (weaker >= FOUND && near >= 0.4) || (weaker >= 0.45 && near >= 0.6) || (weaker >= 0.2 && near >= 0.82)
}

function isBroken(fact: Fact, { joined, passage }: Evidence): boolean {
  if (ofRelative(fact, passage) || bringsStranger(fact, passage)) return true
  if (formsOf(fact.cues, 'what').length === 0) return breaksAttitude(fact, passage)
  return !joined
}

/** A fact without a causing side tells how somebody stands to something, or does with it; the opposite breaks it. */
function breaksAttitude(fact: Fact, passage: Passage): boolean {
  return attitude(fact.text) * attitude(passage.text) < 0
}

/** Speaks of the same thing, but not of how somebody stands to it: another link of the chain. */
function isBeside(fact: Fact, { passage }: Evidence): boolean {
  if (formsOf(fact.cues, 'what').length > 0) return false
  if (attitude(fact.text) !== 0) return attitude(passage.text) === 0
  return coverage(formsOf(fact.cues, 'relation').join(' '), passage.text).score < 0.6
}

function kept(faithful: readonly Evidence[]): Finding {
  const ranked = [...faithful].sort((a, b) => strength(b) - strength(a))
  const best = ranked[0]!
  const shortest = new Map<string, Passage>()
  for (const one of ranked) {
    if (strength(one) < strength(best) - 0.5) continue
    const held = shortest.get(one.passage.memory)
    if (!held || one.passage.span < held.span) shortest.set(one.passage.memory, one.passage)
  }
  const uncertain = Math.min(best.from, best.to) < 0.75 || best.near < 0.6
  return inPassages('correct', [...shortest.values()], `Both sides are joined in ${best.passage.memory}.`, uncertain)
}

function damagedOrGone(fact: Fact, found: readonly Evidence[]): Finding {
  const ranked = [...found].filter((one) => !isBeside(fact, one)).sort((a, b) => trace(b) - trace(a))
  const best = ranked[0]
  if (!best) return notStored(`Nothing in the store speaks of ${short(fact.text)}.`, false)
  if (isTrace(best)) {
    const reason = `${best.passage.memory} keeps one side of ${short(fact.text)} and only part of the other.`
    return inPassages('summary_error', [best.passage], reason, true)
  }
  const lost = best.from < best.to ? 'what' : 'value'
  const side = short(formsOf(fact.cues, lost)[0] ?? fact.text)
  return notStored(
    `No memory joins the two sides; ${side} is not there.`,
    Math.min(best.from, best.to) > 0.25 || ranked.some(({ near }) => near > 0.58),
  )
}

/** One side surely there, part of the other, and little else: a damaged version and not another link of the chain. */
function isTrace({ single, from, to, own, near }: Evidence): boolean {
  if (single) return to >= 0.3 && near >= 0.5
  const [weaker, stronger] = [Math.min(from, to), Math.max(from, to)]
  return (
    (stronger >= 0.9 && weaker >= 0.25 && own >= 0.6) ||
    (stronger >= FOUND && weaker >= 0.3 && own >= 0.65) ||
    (stronger >= FOUND && weaker >= 0.4 && own >= 0.5)
  )
}

function trace(one: Evidence): number {
  return Math.min(one.from, one.to) + 0.6 * one.own + 0.2 * one.near + (isTrace(one) ? 1 : 0)
}

function strength({ from, to, near }: Evidence): number {
  return Math.min(from, to) + near
}

/** Both sides of a fact in a text. A word of the text can stand for a word of one side only: the one it is closer to. */
function sides(fact: Fact, text: string): [Coverage | undefined, Coverage | undefined] {
  const [from, to] = [side(fact, 'what', text), side(fact, 'value', text)]
  return from && to ? [without(from, to), without(to, from)] : [from, to]
}

function without(mine: Coverage, other: Coverage): Coverage {
  const matches = mine.matches.filter(
    ({ at, strength: held }) =>
      at < 0 || held >= 0.95 || !other.matches.some((one) => one.at === at && one.strength > held),
  )
  if (matches.length === mine.matches.length) return mine
  const lost = mine.matches
    .filter((match) => !matches.includes(match))
    .reduce((sum, { token, strength: held }) => sum + token.weight * held, 0)
  const total = mine.matches.reduce((sum, { token }) => sum + (token.weight >= 0.5 ? token.weight : 0), 0)
  return { ...mine, matches, core: Math.max(0, mine.core - lost / Math.max(total, 1)) }
}

function side(fact: Fact, role: 'what' | 'value', text: string): Coverage | undefined {
  const who = formsOf(fact.cues, 'who')
  const forms = formsOf(fact.cues, role)
  if (forms.length === 0) return undefined
  return forms
    .map((form) =>
      coverage(
        who.reduce((held, name) => held.replaceAll(name, ' '), form),
        text,
      ),
    )
    .reduce((best, one) => (one.core > best.core ? one : best))
}

function core(found: Coverage | undefined): number {
  return found?.core ?? 1
}

/** Where in a text the words of a side stand, repetitions included. */
function positions(text: string, { matches }: Coverage): number[] {
  const tokens = tokenize(text)
  const hit = matches.filter(({ strength: held, token }) => held >= 0.6 && token.weight >= 0.5)
  const words = new Set(hit.map(({ at }) => tokens[at]?.text))
  return tokens.filter(({ text: word, weight }) => weight > 0 && words.has(word)).map(({ at }) => at)
}
