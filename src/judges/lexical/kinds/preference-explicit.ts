import { rejects } from '../../../language/polarity.js'
import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import type { Passage } from '../store/view.js'
import { type Finding, formsOf, inPassages, notStored, type Reading, type Selection, short } from './finding.js'
import { ofSomebodyElse, strangerTo } from './guards.js'
import { type Presence, presence } from './presence.js'
import { bestPassages } from './select.js'
import { impersonal, strongest, traceOf } from './trace.js'

interface Evidence {
  passage: Passage
  name: Presence
}

const WIDTH = { memories: 24, span: 2, keep: 14 }
/** What is left of a preference that is no longer named; fitted on half of our own damaged versions. */
const TRACE = { near: 2.37, own: 1, told: 1.16 }
const [GONE, BLURRED, CLEAR] = [1.6, 1.785, 2.2]

/** Passages that may carry a preference whose names were written with it. */
export function selectPreference(fact: Fact, index: StoreIndex): Selection {
  const names = formsOf(fact.cues, 'value')
  const passages = bestPassages(index, [...names, fact.text], WIDTH, ({ text, span }) => {
    const { own, told } = traceOf(fact.text, text, { similarity: () => 0 })
    return 2 * presence(names, text).literal + own + told - 0.1 * span
  })
  return {
    passages,
    phrases: [],
    texts: [fact.text, ...passages.map(({ text }) => impersonal(text, []))],
  }
}

/** It must be named, of the user, and not turned down. What was said of it without its name is a blurred version. */
export function decidePreference(fact: Fact, { passages }: Selection, reading: Reading): Finding {
  const found = passages.map((passage) => ({ passage, name: presence(formsOf(fact.cues, 'value'), passage.text) }))
  const named = found.filter(({ name }) => name.literal >= 0.75 || name.share >= 0.95)
  const faithful = named.filter(({ passage }) => brokenBy(fact, passage) === undefined)
  if (faithful.length > 0) return kept(fact, faithful)
  if (named[0]) {
    const reason = `${thing(fact)} is named in ${named[0].passage.memory}, but ${brokenBy(fact, named[0].passage)}.`
    return inPassages('summary_error', [named[0].passage], reason, named[0].name.literal < 0.75)
  }
  return blurred(fact, passages, reading)
}

function brokenBy(fact: Fact, passage: Passage): string | undefined {
  const stranger = strangerTo(fact, passage)
  if (stranger !== undefined) return `of somebody else (${stranger})`
  if (ofSomebodyElse(fact, passage)) return 'of somebody else'
  return rejects(passage.text, fact.text) ? 'turned down' : undefined
}

function kept(fact: Fact, faithful: readonly Evidence[]): Finding {
  const shortest = new Map<string, Passage>()
  for (const { passage } of faithful) {
    const held = shortest.get(passage.memory)
    if (!held || passage.span < held.span) shortest.set(passage.memory, passage)
  }
  const [best] = faithful
  const reason = `${thing(fact)} is named in ${best!.passage.memory}.`
  return inPassages('correct', [...shortest.values()], reason, best!.name.literal < 0.75)
}

function blurred(fact: Fact, passages: readonly Passage[], reading: Reading): Finding {
  const found = passages
    .filter(({ span }) => span === 1)
    .map((passage) => ({ passage, trace: traceOf(fact.text, impersonal(passage.text, []), reading) }))
  const best = strongest(found, TRACE)
  if (best && best.sum >= BLURRED) {
    const reason = `${best.passage.memory} keeps something of what was said of ${thing(fact)}, but not its name.`
    return inPassages('summary_error', [best.passage], reason, best.sum < CLEAR)
  }
  return notStored(`Nothing in the store names ${thing(fact)}.`, best !== undefined && best.sum >= GONE)
}

function thing(fact: Fact): string {
  return short(formsOf(fact.cues, 'value')[0] ?? fact.text)
}
