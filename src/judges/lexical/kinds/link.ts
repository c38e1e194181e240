import type { Fact } from '../../../model/index.js'
import type { Passage } from '../store/view.js'
import { type Direction, directionOf } from '../words/direction.js'
import { attitude } from '../words/markers.js'
import { type Coverage, coverage } from '../words/match.js'
import { tokenize } from '../words/tokens.js'
import { type Finding, formsOf, inPassages, type KindJudge, notStored, type Reading, short } from './finding.js'
import { isDamagedCopy, names, ofSomebodyElse } from './guards.js'
import { bestPassages } from './select.js'

interface Evidence {
  passage: Passage
  /** How far the causing side is there; 1 when the fact links nothing. */
  from: number
  to: number
  near: number
  direction: Direction
  /** Told of the right person. */
  whose: boolean
}

const WIDTH = { memories: 14, span: 2, keep: 6 }
const FOUND = 0.6
const TRACE = 0.34

/** One thing that leads to another. Both ends must be there, joined, and the right way round. */
export const link: KindJudge = {
  select(fact, index) {
    const passages = bestPassages(index, [fact.text], WIDTH, ({ text, span }) => {
      const [from, to] = [side(fact, 'what', text), side(fact, 'value', text)]
      return Math.min(core(from), core(to)) + 0.5 * (core(from) + core(to)) - 0.02 * span
    })
    return { passages, phrases: [fact.text] }
  },

  decide(fact, { passages }, reading) {
    const found = passages.map((passage) => weigh(fact, passage, reading)).filter(({ whose }) => whose)
    if (process.env.DBG) { const b = [...found].sort((x, y) => Math.min(y.from, y.to) + y.near - Math.min(x.from, x.to) - x.near)[0]; if (b) console.log('LINK', fact.id, 'min', Math.min(b.from, b.to).toFixed(2), 'max', Math.max(b.from, b.to).toFixed(2), 'near', b.near.toFixed(2), 'back', coverage(b.passage.text, fact.text).score.toFixed(2), b.direction, '|', fact.text, '|', b.passage.text) }
    const whole = found.filter(isWhole)
    const faithful = whole.filter((one) => !isBroken(fact, one))
    if (faithful.length > 0) return kept(faithful)
    if (whole[0]) {
      const why = whole[0].direction === 'backward' ? 'the wrong way round' : 'not joined as they were'
      return inPassages('summary_error', [whole[0].passage], `Both sides are in ${whole[0].passage.memory}, but ${why}.`, whole[0].near < 0.6)
    }
    return damagedOrGone(fact, found)
  },
}

function weigh(fact: Fact, passage: Passage, reading: Reading): Evidence {
  const [from, to] = [side(fact, 'what', passage.text), side(fact, 'value', passage.text)]
  const who = formsOf(fact.cues, 'who')
  return {
    passage,
    from: core(from),
    to: core(to),
    near: reading.similarity(fact.text, passage.text),
    direction: from && to ? directionOf(passage.text, positions(passage.text, from), positions(passage.text, to)) : 'forward',
    whose: who.length === 0 ? !ofSomebodyElse(fact, passage) : names(passage.text, who) !== undefined,
  }
}

/** Both sides found; what is missing of the weaker one is made up for by nearness of the whole. */
function isWhole({ from, to, near }: Evidence): boolean {
  const weaker = Math.min(from, to)
  return (weaker >= FOUND && near >= 0.4) || (weaker >= 0.45 && near >= 0.62) || (weaker >= 0.2 && near >= 0.82)
}

function isBroken(fact: Fact, { direction, passage }: Evidence): boolean {
  if (isDamagedCopy(fact, passage)) return true
  if (formsOf(fact.cues, 'what').length === 0) return breaksAttitude(fact, passage)
  return direction === 'backward' || direction === 'unjoined'
}

/** A fact without a causing side tells how somebody stands to something, or does with it. */
function breaksAttitude(fact: Fact, passage: Passage): boolean {
  const wanted = attitude(fact.text)
  if (wanted !== 0) return attitude(passage.text) !== wanted
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
  const best = [...found].sort((a, b) => trace(b) - trace(a))[0]
  if (!best) return notStored(`Nothing in the store speaks of ${short(fact.text)}.`, false)
  if (trace(best) >= TRACE && best.near >= 0.4) {
    return inPassages('summary_error', [best.passage], `${best.passage.memory} keeps one side of ${short(fact.text)} and only part of the other.`, true)
  }
  const lost = best.from < best.to ? 'what' : 'value'
  const side = short(formsOf(fact.cues, lost)[0] ?? fact.text)
  return notStored(`No memory joins the two sides; ${side} is not there.`, trace(best) > 0.2 || best.near > 0.75)
}

/** How far the weaker side is there beside a stronger one that surely is. */
function trace({ from, to, near }: Evidence): number {
  return Math.max(from, to) < FOUND ? 0 : Math.min(from, to) + 0.25 * Math.max(0, near - 0.5)
}

function strength({ from, to, near }: Evidence): number {
  return Math.min(from, to) + near
}

function side(fact: Fact, role: 'what' | 'value', text: string): Coverage | undefined {
  const who = formsOf(fact.cues, 'who')
  const forms = formsOf(fact.cues, role)
  if (forms.length === 0) return undefined
  return forms
    .map((form) => coverage(who.reduce((held, name) => held.replaceAll(name, ' '), form), text))
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
