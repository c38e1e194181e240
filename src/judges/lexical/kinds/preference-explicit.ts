import { coverage } from '../../../language/match.js'
import { endorses, rejects } from '../../../language/polarity.js'
import type { Fact } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import type { Passage } from '../store/view.js'
import { type Finding, formsOf, inPassages, notStored, type Reading, type Selection, short } from './finding.js'
import { isRefused, ofSomebodyElse, strangerTo } from './guards.js'
import { type Presence, presence } from './presence.js'
import { bestPassages } from './select.js'
import { impersonal, remnantOf, type Scale, traceOf } from './trace.js'

interface Evidence {
  passage: Passage
  name: Presence
}

const WIDTH = { memories: 24, span: 2, keep: 14 }
/** What is left of a preference that is no longer named, with vectors and without; fitted on half of our own damaged versions. */
const VECTORS: Scale = { weights: { near: 2.37, own: 1, told: 1.16 }, gone: 1.5, blurred: 1.785, clear: 2.2 }
const WORDS: Scale = { weights: { near: 0, own: 1, told: 1.52 }, gone: 0.75, blurred: 1, clear: 1.4 }
const NOWHERE: Reading = { similarity: () => 0, vectors: false }

/** Passages that may carry a preference whose names were written with it. */
export function selectPreference(fact: Fact, index: StoreIndex): Selection {
  const names = formsOf(fact.cues, 'value')
  const passages = bestPassages(index, [...names, fact.text], WIDTH, ({ text, span }) => {
    const { own, told } = traceOf(fact.text, text, NOWHERE)
    return 2 * presence(names, text).literal + own + told - 0.1 * span
  })
  return {
    passages,
    phrases: [],
    texts: [fact.text, ...leanings(fact).flat(), ...passages.map(({ text }) => impersonal(text, []))],
  }
}

/** It must be named, of the user, and not turned down. What was said of it without its name is a blurred version. */
export function decidePreference(fact: Fact, { passages }: Selection, reading: Reading): Finding {
  const found = passages.map((passage) => ({ passage, name: presence(formsOf(fact.cues, 'value'), passage.text) }))
  const named = found.filter(({ name }) => name.together && name.literal >= 0.75)
  const faithful = named.filter((one) => brokenBy(fact, one, reading) === undefined)
  if (faithful.length > 0) return kept(fact, faithful)
  if (named[0]) {
    const reason = `${thing(fact)} is named in ${named[0].passage.memory}, but ${brokenBy(fact, named[0], reading)}.`
    return inPassages('summary_error', [named[0].passage], reason, !isPlain(fact, named[0]))
  }
  return blurred(fact, passages, reading)
}

function brokenBy(fact: Fact, { passage }: Evidence, reading: Reading): string | undefined {
  const stranger = strangerTo(fact, passage)
  if (stranger !== undefined) return `of somebody else (${stranger})`
  if (ofSomebodyElse(fact, passage)) return 'of somebody else'
  const lean = leaning(fact, passage, reading)
  const adverse = coverage(passage.text, fact.text).core < OWN_WORDS ? ADVERSE : 2 * ADVERSE
  const turned = rejects(passage.text, fact.text) || isRefused(fact, passage)
  return (turned && lean < FAVOURABLE) || (lean < adverse && !endorses(passage.text)) ? 'turned down' : undefined
}

/** Told in words that leave no doubt whether it is liked, by whom, or turned down. */
function isPlain(fact: Fact, { passage }: Evidence): boolean {
  return (
    endorses(passage.text) ||
    rejects(passage.text, fact.text) ||
    coverage(passage.text, fact.text).core >= 0.8 ||
    strangerTo(fact, passage) !== undefined
  )
}

/** Above this a passage is nearer to liking than any rejection is; below that, nearer to rejection than any liking. */
const [FAVOURABLE, ADVERSE] = [0.06, -0.03]
/** A passage mostly in the words of the source says what the source says. */
const OWN_WORDS = 0.75
const FOR = ['I love it.', 'I enjoy it and do it often.', 'It makes me happy.']
const AGAINST = ['I gave it up.', 'I hate it and avoid it.', 'It annoys me, so I stopped.', 'It is not for me.']

/** Short sentences for and against what is preferred. */
function leanings(fact: Fact): [string[], string[]] {
  const [name = 'it'] = formsOf(fact.cues, 'value')
  const about = (sentence: string) => sentence.replace(/\b[Ii]t\b/, name)
  return [FOR.map(about), AGAINST.map(about)]
}

/** Whether a passage is nearer in meaning to liking (above 0) or to rejection. */
function leaning(fact: Fact, { text }: Passage, reading: Reading): number {
  const plain = impersonal(text, [])
  const [pro, con] = leanings(fact).map((list) => Math.max(...list.map((one) => reading.similarity(one, plain))))
  return pro! - con!
}

function kept(fact: Fact, faithful: readonly Evidence[]): Finding {
  const shortest = new Map<string, Passage>()
  for (const { passage } of faithful) {
    const held = shortest.get(passage.memory)
    if (!held || passage.span < held.span) shortest.set(passage.memory, passage)
  }
  const [best] = faithful
  const reason = `${thing(fact)} is named in ${best!.passage.memory}.`
  return inPassages('correct', [...shortest.values()], reason, best!.passage.span > 1 || !isPlain(fact, best!))
}

function blurred(fact: Fact, passages: readonly Passage[], reading: Reading): Finding {
  const left = remnantOf(
    fact.text,
    passages.filter(({ span }) => span === 1),
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
