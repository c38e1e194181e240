import { coverage } from '../../../language/match.js'
import { endorses, rejects } from '../../../language/polarity.js'
import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import type { Passage } from '../store/view.js'
import { hasCore } from './core.js'
import { type FactReading, type Finding, formsOf, inPassages, notStored, type Selection, short } from './finding.js'
import { findOtherPerson, ofSomebodyElse } from './guards.js'
import { isTurnedDown, leanings, needsLeaning } from './leaning.js'
import { presence } from './presence.js'
import { bestPassages, shortestEach } from './select.js'
import { impersonal, remnantOf, type Scale, traceOf } from './trace.js'

const WIDTH = { memories: 24, span: 2, keep: 14 }
/** Named when this much of one of its names is there, word for word. */
const NAMED = 0.75
/** What is left of a preference that is no longer named, with vectors and without; fitted on half of our own damaged versions. */
const VECTORS: Scale = { weights: { near: 2.37, own: 1, told: 1.16 }, gone: 1.5, blurred: 1.785, clear: 2.2 }
const WORDS: Scale = { weights: { near: 0, own: 1, told: 1.52 }, gone: 0.75, blurred: 1, clear: 1.4 }
const NOWHERE: FactReading = { similarity: () => 0, vectors: false }

/** Passages that may carry a preference whose names were written with it. */
export async function selectPreference(fact: Fact, index: StoreIndex): Promise<Selection> {
  const names = formsOf(fact.cues, 'value')
  const passages = await bestPassages(index, [...names, fact.text], WIDTH, ({ text, span }) => {
    const { own, told } = traceOf(fact.text, text, NOWHERE)
    return 2 * presence(names, text).literal + own + told - 0.1 * span
  })
  const named = passages.filter((passage) => isNamed(fact, passage))
  const doubtful = named.filter((passage) => needsLeaning(fact, passage))
  const unnamed = named.length > 0 ? [] : passages.filter(({ span }) => span === 1)
  return {
    passages,
    phrases: [],
    texts: [
      ...(doubtful.length > 0 ? leanings(fact).flat() : []),
      ...(unnamed.length > 0 ? [fact.text] : []),
      ...[...doubtful, ...unnamed].map(({ text }) => impersonal(text, [])),
    ],
  }
}

/**
 * Verdict on a preference with explicit cues: correct if a passage names it as the user's own and does not reject it, summary_error if it
 * is named wrongly or only its description is left, else not stored. Passages that tell something as it was said are no errors.
 */
export function judgeExplicitPreference(fact: Fact, { passages, asSaid }: Selection, reading: FactReading): Finding {
  const named = passages.filter((passage) => isNamed(fact, passage))
  const faithful = named.filter((passage) => brokenBy(fact, passage, reading) === undefined)
  if (faithful.length > 0) return kept(fact, faithful)
  const isOpen = (passage: Passage) => !asSaid?.has(passage)
  const broken = named.find(isOpen)
  if (broken) {
    const reason = `${thing(fact)} is named in ${broken.memory}, but ${brokenBy(fact, broken, reading)}.`
    return inPassages('summary_error', [broken], reason, !isPlain(fact, broken))
  }
  return blurred(fact, passages.filter(isOpen), reading)
}

function isNamed(fact: Fact, { text }: Passage): boolean {
  const { literal, together } = presence(formsOf(fact.cues, 'value'), text)
  return together && literal >= NAMED && hasCore(fact, text)
}

function brokenBy(fact: Fact, passage: Passage, reading: FactReading): string | undefined {
  const stranger = findOtherPerson(fact, passage)
  if (stranger !== undefined) return `of somebody else (${stranger})`
  if (ofSomebodyElse(fact, passage)) return 'of somebody else'
  return isTurnedDown(fact, passage, reading) ? 'turned down' : undefined
}

/** Told in words that leave no doubt whether it is liked, by whom, or turned down. */
function isPlain(fact: Fact, passage: Passage): boolean {
  return (
    endorses(passage.text) ||
    rejects(passage.text, fact.text) ||
    coverage(passage.text, fact.text).core >= 0.8 ||
    findOtherPerson(fact, passage) !== undefined
  )
}

function kept(fact: Fact, faithful: readonly Passage[]): Finding {
  const [best] = faithful
  const reason = `${thing(fact)} is named in ${best!.memory}.`
  return inPassages('correct', shortestEach(faithful), reason, best!.span > 1 || !isPlain(fact, best!))
}

function blurred(fact: Fact, passages: readonly Passage[], reading: FactReading): Finding {
  const left = remnantOf(
    fact.text,
    passages.filter(({ span, text }) => span === 1 && hasCore(fact, text)),
    ({ text }) => impersonal(text, []),
    reading.vectors ? VECTORS : WORDS,
    reading,
  )
  if (left?.state === 'clear' || left?.state === 'blurred') {
    const reason = `${left.passage.memory} keeps something of what was said of ${thing(fact)}, but not its name.`
    return inPassages('summary_error', [left.passage], reason, left.state === 'blurred')
  }
  return notStored(`Nothing in the store names ${thing(fact)}.`, left?.state === 'doubtful')
}

function thing(fact: Fact): string {
  return short(formsOf(fact.cues, 'value')[0] ?? fact.text)
}
