import type { CueRole, Cues, Fact, FactLabel } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import type { Passage } from '../store/view.js'

/** What a kind of fact was found to have become, before it is made a verdict. */
export interface Finding {
  label: FactLabel
  uncertain: boolean
  /** Alternative sets of memory ids. */
  support: string[][]
  reason: string
  quotes: { memory: string; text: string }[]
}

/** What the judge can ask while it decides. */
export interface FactReading {
  /** How near two texts are in meaning, about 0 to 1. */
  similarity(a: string, b: string): number
  /** Whether nearness comes from vectors, and not from shared words alone. */
  vectors: boolean
}

/** Passages of a store that may carry a fact, found by words alone. */
export interface Selection {
  passages: Passage[]
  /** Those of them that tell something in the words in which it was said: they are no damaged version. */
  asSaid?: ReadonlySet<Passage>
  /** Those of them that come from where the fact was told, and tell another amount. */
  altered?: Passage[]
  /** Texts whose nearness to the passages will be asked for. */
  phrases: string[]
  /** All texts whose nearness will be asked for, when they are not just the phrases and passages. */
  texts?: string[]
}

/** How facts of one kind are judged: first what to look at, then, when nearness is known, what it comes to. */
export interface KindJudge {
  select(fact: Fact, index: StoreIndex): Promise<Selection>
  decide(fact: Fact, selection: Selection, reading: FactReading): Finding
}

/** The forms of the first part with a role; none when there is no such part. */
export function formsOf(cues: Cues, role: CueRole): string[] {
  return cues.parts.find((part) => part.role === role)?.forms ?? []
}

/** A finding that nothing in the store carries the fact. */
export function notStored(reason: string, uncertain: boolean): Finding {
  return { label: 'not_stored', uncertain, support: [], reason, quotes: [] }
}

/** A finding that rests on single passages, best first; each of them is a version by itself. */
export function inPassages(
  label: 'summary_error' | 'correct',
  found: readonly Passage[],
  reason: string,
  uncertain: boolean,
): Finding {
  const memories = [...new Set(found.map(({ memory }) => memory))]
  return {
    label,
    uncertain,
    support: memories.map((id) => [id]),
    reason,
    quotes: found.slice(0, 3).map(({ memory, text }) => ({ memory, text })),
  }
}

/** A text in quotes, shortened for a sentence. */
export function short(text: string): string {
  const plain = text.trim().replace(/\s+/g, ' ')
  return `"${plain.length > 60 ? `${plain.slice(0, 57).trimEnd()}…` : plain}"`
}
