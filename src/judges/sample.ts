import { Random } from '../base/random.js'
import { words } from '../base/text.js'
import type { Fact, FactVerdict, Memory, Scenario } from '../model/index.js'

/** Memories shown with every case: as many whether anything supports the fact or not, so that their number tells nothing. */
const SHOWN = 8

/** A verdict that may be drawn. */
export interface SampleCandidate {
  stratum: string
}

/** A case as `judge eval` reads it, but for the label: that is for people to write. */
export interface BlindCase {
  id: string
  facts: {
    id: string
    label: ''
    text: string
    support: number[]
    source_supports: boolean
    evidence?: string[]
    spread?: boolean
    cues: Fact['cues']
  }[]
  memories: string[]
  source: string[]
  dataset: string
  style: string
}

/** What tells kinds of verdicts apart: label, certainty and, for a panel, what its judges said. */
export function stratumOf({ label, uncertain, votes }: FactVerdict): string {
  const said = votes?.map((vote) => vote.label).join('+')
  return [label, uncertain ? 'uncertain' : 'certain', ...(said === undefined ? [] : [said])].join(' · ')
}

/**
 * Draws from every stratum alike, so that rare kinds of verdicts are seen as well as common ones; a stratum that has too few leaves its
 * part to the others. The same seed draws the same, in an order that tells nothing.
 */
export function drawStratified<T extends SampleCandidate>(all: readonly T[], n: number, seed: number | string): T[] {
  const random = new Random(`sample/${seed}`)
  const strata = new Map<string, T[]>()
  for (const one of all) strata.set(one.stratum, [...(strata.get(one.stratum) ?? []), one])
  const lines = [...strata].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => shuffled(own, random))
  const drawn: T[] = []
  for (let turn = 0; drawn.length < n && lines.some((own) => own.length > turn); turn++) {
    for (const own of lines) {
      const one = own[turn]
      if (one !== undefined && drawn.length < n) drawn.push(one)
    }
  }
  return shuffled(drawn, random)
}

/** Makes a case of a fact in a store: supporting memories and the nearest others, in the order of the store; no word of the verdict. */
export function blindCase(options: {
  id: string
  dataset: string
  style: string
  fact: Fact
  verdict: FactVerdict
  held: readonly Memory[]
  scenario: Scenario
}): BlindCase {
  const { id, dataset, style, fact, verdict, held, scenario } = options
  const shown = memoriesFor(fact, verdict, held)
  const { text, evidence, spread, unsupported, cues: all } = fact
  const { damaged: _, ...cues } = all
  return {
    id,
    facts: [
      {
        id: 'f1',
        label: '',
        text,
        support: [],
        source_supports: unsupported === undefined,
        ...(evidence && { evidence }),
        ...(spread !== undefined && { spread }),
        cues,
      },
    ],
    memories: held.filter((memory) => shown.has(memory.id)).map((memory) => memory.text),
    source: sourceOf(fact, scenario),
    dataset,
    style,
  }
}

function memoriesFor(fact: Fact, verdict: FactVerdict, held: readonly Memory[]): Set<string> {
  const shown = new Set([...new Set(verdict.support.flat())].slice(0, SHOWN))
  const rarity = new Map<string, number>()
  const bags = held.map((memory) => ({ memory, bag: new Set(words(memory.text)) }))
  for (const { bag } of bags) for (const word of bag) rarity.set(word, (rarity.get(word) ?? 0) + 1)
  const own = new Set([fact.text, ...fact.cues.parts.flatMap(({ forms }) => forms)].flatMap(words))
  const near = bags.map(({ memory, bag }) => {
    let shared = 0
    for (const word of own) if (bag.has(word)) shared += Math.log(1 + held.length / rarity.get(word)!)
    return { id: memory.id, nearness: shared / Math.sqrt(bag.size + 1) }
  })
  near.sort((a, b) => b.nearness - a.nearness)
  for (const { id } of near) if (shown.size < SHOWN) shown.add(id)
  return shown
}

/** What was said where the fact was, in the words of the user. */
function sourceOf(fact: Fact, scenario: Scenario): string[] {
  const said = scenario.timeline.flatMap((event) =>
    event.type === 'conversation' && fact.sources.includes(event.conversation.id)
      ? [
          event.conversation.turns
            .filter(({ role }) => role === 'user')
            .map((turn) => turn.text)
            .join('\n'),
        ]
      : [],
  )
  return said.length > 0 ? said : [fact.text]
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[out[i], out[j]] = [out[j]!, out[i]!]
  }
  return out
}
