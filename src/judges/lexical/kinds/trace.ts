import { coverage } from '../../../language/match.js'
import type { Passage } from '../store/view.js'
import type { Reading } from './finding.js'

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
export function traceOf(fact: string, passage: string, reading: Reading): Trace {
  return {
    near: reading.similarity(fact, passage),
    own: coverage(passage, fact).core,
    told: coverage(fact, passage).core,
  }
}

/** The passage that keeps most, and how much, by the given weights. */
export function strongest(
  found: readonly { passage: Passage; trace: Trace }[],
  weights: Trace,
): { passage: Passage; trace: Trace; sum: number } | undefined {
  let best: { passage: Passage; trace: Trace; sum: number } | undefined
  for (const { passage, trace } of found) {
    const sum = weights.near * trace.near + weights.own * trace.own + weights.told * trace.told
    if (!best || sum > best.sum) best = { passage, trace, sum }
  }
  return best
}
