import { fold } from '../../base/text.js'
import type { Citation, CitedSession, CitedTurn } from '../cited/chat.js'
import { findSentences } from './find-sentences.js'
import type { OwnCite } from './schema.js'

/**
 * The turns of one chat, by their ids and by the sentences that are looked for in them. Every turn is read once, whatever the number of
 * sentences.
 */
export class TurnFinder {
  readonly #byId: ReadonlyMap<string, CitedTurn>
  /** The first turn in which each folded sentence stands. */
  readonly #homes: ReadonlyMap<string, CitedTurn>

  /** @param cites all that will be looked for */
  constructor(sessions: readonly CitedSession[], cites: readonly OwnCite[]) {
    const turns = sessions.flatMap((session) => session.turns)
    this.#byId = new Map(turns.map((turn) => [turn.id, turn]))
    const told = cites.flatMap((cite) => (typeof cite === 'string' && !this.#byId.has(cite) ? fold(cite) : []))
    const found =
      told.length === 0
        ? []
        : findSentences(
            new Set(told),
            turns.map(({ text }) => fold(text)),
          )
    this.#homes = new Map([...found].map(([sentence, at]) => [sentence, turns[at]!]))
  }

  /** A turn by its id, or the turn in which a sentence stands. */
  find(cite: OwnCite): Citation | undefined {
    const [id, told] = typeof cite === 'string' ? [cite, undefined] : [cite.turn, cite.sentences]
    const turn = this.#byId.get(id)
    if (turn) {
      if (told === undefined) return { turn: id }
      const text = fold(turn.text)
      return told.every((sentence) => text.includes(fold(sentence))) ? { turn: id, sentences: told } : undefined
    }
    const home = typeof cite === 'string' ? this.#homes.get(fold(cite)) : undefined
    return home && { turn: home.id, sentences: [id] }
  }
}
