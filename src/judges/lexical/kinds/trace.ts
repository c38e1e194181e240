import { coverage } from '../../../language/match.js'
import type { Passage } from '../store/view.js'
import type { FactReading } from './finding.js'

/** How much of a fact a passage may be a blurred version of. */
export interface Trace {
  /** Nearness in meaning, with the person left out of both. */
  near: number
  /** Share of what the passage says that the fact says too. */
  own: number
  /** Share of what the fact says that the passage says too. */
  told: number
}

/** A text with the person it is about made a pronoun, so that nearness does not come from the name. */
export function impersonal(text: string, names: readonly string[]): string {
  if (names.length === 0) {
    return text
      .replace(/\b(?:the )?user['\u2019]s\b|\btheir\b/giu, 'my')
      .replace(/\b(?:the )?user\b/giu, 'I')
      .replace(/\bthem\b/giu, 'me')
  }
  const parts = names.flatMap((name) => [name, ...name.split(' ')])
  return parts.reduce((held, part) => held.replaceAll(`${part}'s`, 'their').replaceAll(part, 'they'), text)
}

/** What a passage keeps of a fact, both in impersonal wording. */
export function traceOf(fact: string, passage: string, reading: FactReading): Trace {
  return {
    near: reading.similarity(fact, passage),
    own: coverage(passage, fact).core,
    told: coverage(fact, passage).core,
  }
}

/** What counts how much, and how much of it makes a blurred version. */
export interface Scale {
  weights: Trace
  /** Below this nothing is left. */
  gone: number
  /** From here on it is a blurred version, */
  blurred: number
  /** and from here on surely so. */
  clear: number
}

/** The passage that keeps most of a fact. */
export interface Remnant {
  passage: Passage
  state: 'gone' | 'doubtful' | 'blurred' | 'clear'
}

/** The passage that keeps most of a fact, and whether that is a blurred version of it. The first of equals. */
export function remnantOf(
  fact: string,
  passages: readonly Passage[],
  plain: (passage: Passage) => string,
  scale: Scale,
  reading: FactReading,
): Remnant | undefined {
  let best: { passage: Passage; sum: number } | undefined
  for (const passage of passages) {
    const { near, own, told } = traceOf(fact, plain(passage), reading)
    const sum = scale.weights.near * near + scale.weights.own * own + scale.weights.told * told
    if (!best || sum > best.sum) best = { passage, sum }
  }
  if (!best) return undefined
  const { sum } = best
  const state =
    sum >= scale.clear ? 'clear' : sum >= scale.blurred ? 'blurred' : sum >= scale.gone ? 'doubtful' : 'gone'
  return { passage: best.passage, state }
}
