import { entryOf } from '../base/group-by.js'

/** What a part of a fact is about. `detail` is one of the many particulars of a profile. */
export type CueRole = 'who' | 'what' | 'condition' | 'number' | 'relation' | 'value' | 'detail'

/** A part of a fact, with the surface forms by which text can carry it. Any one form suffices. */
export interface CuePart {
  role: CueRole
  forms: string[]
}

/** A numeric bound in a rule: "below 10 °C" is `{ comparison: 'below', value: 10, unit: '°C' }`. */
export interface Threshold {
  comparison: 'below' | 'at-most' | 'above' | 'at-least' | 'exactly' | 'before' | 'after' | 'between'
  value: number
  /** The other end, for `between`. */
  to?: number
  unit?: string
}

/**
 * In which way a value is spoken of.
 * - `held`: it is the value now.
 * - `dependent`: it is the value now, and depends on the parent.
 * - `conditional`: it will be the value once the parent changes (`condition`); not yet.
 * - `changed`: it has become the value, in place of another.
 * - `considered`: somebody thought of making it the value, no more.
 * - `revoked`: it was to become the value, and that was taken back.
 * - `doubted`: it was the value, and may not be any more.
 * - `removed`: it was asked to be forgotten.
 */
export type Stance = 'held' | 'dependent' | 'conditional' | 'changed' | 'considered' | 'revoked' | 'doubted' | 'removed'

/**
 * How text is recognised as carrying a fact.
 * - `rule`: somebody (`who`) does something (`what`) under a condition (`condition`).
 * - `preference`: the user likes or uses something (`value`).
 * - `link`: one thing (`what`) leads to another (`value`); direction matters.
 * - `profile`: many particulars (`detail`) of one person (`who`).
 * - `state`: a thing (`what`) has a value (`value`), in the way that `stance` says; its parent (`condition`) where that matters.
 * - `statement`: anything else; all parts must be bound together.
 */
export interface Cues {
  kind: 'rule' | 'preference' | 'link' | 'profile' | 'state' | 'statement'
  /** Only of `state`. */
  stance?: Stance
  parts: CuePart[]
  /** The part that sets it apart from others of its kind: a text without it is about something else, and no damaged version. */
  core?: CueRole
  /** True when the forms were written with the fact; false when they were derived from imported data. */
  explicit: boolean
  /** The rule holds only under its condition, and the source says so. */
  exclusive?: boolean
  /** The fact says that something is not so. */
  negated?: boolean
  threshold?: Threshold
  /** The day that must stand with it, in the text of what carries it or as its time: `2023-05-08`, or the month or year alone. */
  when?: string
  /** Plausible damaged versions that a judge must not accept as faithful. */
  damaged?: string[]
}

/** A unit of gold: what was said, where, and the cues by which text is recognised as carrying it. */
export interface Fact {
  id: string
  /** What was said, in the words of the source. */
  text: string
  /** The sentences of the source that state it, when they are known more narrowly than `text`. */
  evidence?: string[]
  /** Ids of the conversations that say it. Empty: nobody said it, but it follows, and a memory may have drawn it. */
  sources: string[]
  /** Ids of the turns that say it, where these are known. */
  turns?: string[]
  validFrom?: string
  validUntil?: string
  /** The fact that this one is a revision of. */
  replaces?: string
  /** Facts that no longer hold, or can no longer be relied on, once this one is known. */
  invalidates?: string[]
  /** The source spreads it over several sentences: its parts may be kept apart. */
  spread?: boolean
  /** Why the source does not entail the published gold. The fact is then only what the source states. */
  unsupported?: string
  cues: Cues
}

/** For every fact, those that correct it: its replacements, and what invalidates it. */
export function correctionsOf(facts: readonly Fact[]): ReadonlyMap<string, readonly string[]> {
  const corrections = new Map<string, string[]>()
  for (const { id, replaces, invalidates = [] } of facts) {
    for (const corrected of replaces === undefined ? invalidates : [replaces, ...invalidates])
      entryOf(corrections, corrected, () => []).push(id)
  }
  return corrections
}
