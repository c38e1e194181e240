import { isNegated } from '../../../language/markers.js'
import { coverage } from '../../../language/match.js'
import { leadsTo } from '../../../language/order.js'
import { tokenize } from '../../../language/tokens.js'
import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import type { Passage } from '../store/view.js'
import { type Finding, formsOf, inPassages, notStored, type Selection, short } from './finding.js'
import { findOtherPerson } from './guards.js'
import { type Presence, presence } from './presence.js'
import { bestPassages, shortestEach } from './select.js'

interface Evidence {
  passage: Passage
  from: Presence
  to: Presence
  /** How much of what the passage says the fact says too. */
  own: number
}

const WIDTH = { memories: 14, span: 2, keep: 8 }
/** A side is there when this much of one of its forms is. */
const THERE = 0.75

/** Passages that may carry a link whose sides were written with it. */
export async function selectLink(fact: Fact, index: StoreIndex): Promise<Selection> {
  const [what, value] = [formsOf(fact.cues, 'what'), formsOf(fact.cues, 'value')]
  const passages = await bestPassages(index, [fact.text, ...what, ...value], WIDTH, ({ text, span }) => {
    const [from, to] = [presence(what, text).share, presence(value, text).share]
    return from + to + 0.3 * coverage(text, fact.text).core - 0.1 * span
  })
  return { passages, phrases: [], texts: [] }
}

/** Both sides must be there, in one passage, of the right person and the right way round. With the first alone it is told in wider words. */
export function decideLink(fact: Fact, { passages }: Selection): Finding {
  const found = passages.map((passage) => weigh(fact, passage))
  const whole = found.filter(({ from, to }) => Math.min(from.share, to.share) >= THERE)
  const faithful = whole.filter((one) => brokenBy(fact, one) === undefined)
  if (faithful.length > 0) return kept(faithful)
  if (whole[0]) {
    const reason = `Both sides are in ${whole[0].passage.memory}, but ${brokenBy(fact, whole[0])}.`
    return inPassages('summary_error', [whole[0].passage], reason, false)
  }
  return widened(fact, found)
}

function weigh(fact: Fact, passage: Passage): Evidence {
  return {
    passage,
    from: presence(formsOf(fact.cues, 'what'), passage.text),
    to: presence(formsOf(fact.cues, 'value'), passage.text),
    own: coverage(passage.text, fact.text).core,
  }
}

function brokenBy(fact: Fact, { passage, from, to }: Evidence): string | undefined {
  const stranger = findOtherPerson(fact, passage)
  if (stranger !== undefined) return `told of somebody else (${stranger})`
  if (!leadsTo(passage.text, from.at, to.at, leadIn(fact))) return 'the wrong way round'
  if (isNegated(passage.text) && !isNegated(fact.text)) return 'denied'
  return undefined
}

const PREPOSITION = new Set('to with in over under on at amid without inside'.split(' '))

/** Prepositions that stand before the cause in the source: "To write limericks", "With burning soles". */
function leadIn(fact: Fact): ReadonlySet<string> {
  const [first = 0] = [...presence(formsOf(fact.cues, 'what'), fact.text).at].sort((a, b) => a - b)
  const before = tokenize(fact.text).slice(Math.max(0, first - 3), first)
  return new Set(before.map(({ text }) => text).filter((word) => PREPOSITION.has(word)))
}

function kept(faithful: readonly Evidence[]): Finding {
  const best = faithful[0]!
  const uncertain = Math.min(best.from.share, best.to.share) < 0.9 || best.passage.span > 1
  return inPassages(
    'correct',
    shortestEach(faithful.map(({ passage }) => passage)),
    `Both sides are joined in ${best.passage.memory}.`,
    uncertain,
  )
}

/** One side is there and the other replaced by something wider, or neither is. */
function widened(fact: Fact, found: readonly Evidence[]): Finding {
  const causing = found.filter((one) => one.passage.span === 1 && one.from.literal >= THERE && isCause(one))
  const best = causing.sort((a, b) => b.own - a.own)[0]
  if (best) {
    const reason = `${best.passage.memory} keeps ${side(fact, 'what')}, but not that it leads to ${side(fact, 'value')}.`
    return inPassages('summary_error', [best.passage], reason, best.own < 0.6)
  }
  const near = found.some((one) => one.to.literal >= THERE && !isCause({ ...one, from: one.to }))
  return notStored(`No memory joins ${side(fact, 'what')} to ${side(fact, 'value')}.`, near)
}

/** Whether what the passage begins with is the cause: another link of the chain ends with it. */
function isCause({ passage, from }: Evidence): boolean {
  const words = tokenize(passage.text)
  const last = Math.max(...from.at)
  const before = words.slice(0, Math.min(...from.at)).filter(({ weight }) => weight >= 0.5).length
  return before <= 1 && words.slice(last + 1).some(({ weight }) => weight > 0)
}

function side(fact: Fact, role: 'what' | 'value'): string {
  return short(formsOf(fact.cues, role)[0] ?? fact.text)
}
