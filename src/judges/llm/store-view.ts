import { item } from '../../base/fence.js'
import { countTokens } from '../../base/tokens.js'
import type { Fact, Memory } from '../../model/index.js'
import { StoreIndex } from '../lexical/store/store-index.js'
import { textsOf } from './target.js'

/** A text of the store, with the ids of all memories that hold exactly it. */
interface Entry {
  text: string
  tokens: number
  ids: string[]
}

/** The part of a store that one call gets to see, numbered from 1. */
export interface Shown {
  text: string
  count: number
  /** Not all of the store. */
  partial: boolean
  /** Sets of memory ids for sets of numbers; null when a number is not among those shown. */
  idsOf(sets: readonly (readonly number[])[]): string[][] | null
}

export interface StoreLimits {
  /** Tokens up to which a store is shown as a whole. */
  whole: number
  /** Tokens shown otherwise, and memories for each fact, at most. */
  part: number
  perFact: number
}

/** Sets of ids that one set of numbers may stand for when texts occur more than once. */
const MOST_SETS = 32
/** Tokens of `[12]` and the line break. */
const NUMBERING = 4

/** A store, ready to be shown to a model: texts that occur twice are shown once, and of a large store only what comes near the facts. */
export class StoreView {
  readonly #entries: Entry[]
  readonly #limits: StoreLimits
  readonly #tokens: number
  #index: StoreIndex | undefined
  #whole: Shown | undefined

  constructor(store: readonly Memory[], limits: StoreLimits) {
    const entries = new Map<string, Entry>()
    for (const { id, text, status } of store) {
      const shown = status === undefined || status === 'live' ? text : `(${status}) ${text}`
      const known = entries.get(shown)
      if (known) known.ids.push(id)
      else entries.set(shown, { text: shown, tokens: countTokens(shown) + NUMBERING, ids: [id] })
    }
    this.#entries = [...entries.values()]
    this.#limits = limits
    this.#tokens = this.#entries.reduce((sum, { tokens }) => sum + tokens, 0)
  }

  /** What a call about these facts is shown: the whole store, or the memories that share most with them. */
  shownFor(facts: readonly Fact[]): Shown {
    if (this.#tokens > this.#limits.whole) return show(this.#near(facts), true)
    this.#whole ??= show(this.#entries, false)
    return this.#whole
  }

  /** The likeliest memories of every fact, rank by rank, until the limit is reached; in the order of the store. */
  #near(facts: readonly Fact[]): Entry[] {
    this.#index ??= new StoreIndex(this.#entries.map(({ text }, i) => ({ id: String(i), text })))
    const index = this.#index
    const ranked = facts.map((fact) =>
      index.candidates(textsOf(fact), this.#limits.perFact).map(({ view }) => Number(view.id)),
    )
    const chosen = new Set<number>()
    let left = this.#limits.part
    for (let rank = 0; rank < this.#limits.perFact; rank++) {
      for (const candidates of ranked) {
        const i = candidates[rank]
        if (i === undefined || chosen.has(i)) continue
        const { tokens } = this.#entries[i]!
        if (tokens > left && rank > 0) continue
        chosen.add(i)
        left -= tokens
      }
    }
    return [...chosen].sort((a, b) => a - b).map((i) => this.#entries[i]!)
  }
}

function show(entries: readonly Entry[], partial: boolean): Shown {
  return {
    text: entries.map(({ text }, i) => item(`[${i + 1}]`, text)).join('\n'),
    count: entries.length,
    partial,
    idsOf: (sets) => {
      const found: string[][] = []
      for (const set of sets) {
        if (set.some((number) => !entries[number - 1])) return null
        if (set.length > 0) found.push(...combinations(set.map((number) => entries[number - 1]!.ids)))
      }
      return distinct(found)
    },
  }
}

/** Every choice of one id from each list. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (sets, ids) => sets.flatMap((set) => ids.map((id) => [...set, id])).slice(0, MOST_SETS),
    [[]],
  )
}

/** Sets and their members in a fixed order, each once. */
function distinct(sets: readonly (readonly string[])[]): string[][] {
  const sorted = sets.map((set) => [...new Set(set)].sort())
  const seen = new Map(sorted.map((set) => [JSON.stringify(set), set]))
  return [...seen.keys()].sort().map((key) => seen.get(key)!)
}
