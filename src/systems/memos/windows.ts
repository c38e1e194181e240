import { countTokens } from '../../base/tokens.js'
import type { Conversation, Turn } from '../../model/index.js'
import { FIXED } from './fixed.js'

/** A turn with the conversation it is from. */
export interface SaidTurn extends Turn {
  source: string
}

/** The turns of a conversation that say something. */
export function saidIn({ id, turns }: Conversation): SaidTurn[] {
  return turns.filter(({ text }) => text.trim() !== '').map((turn) => ({ ...turn, source: id }))
}

/** Pieces of ten turns and of the tokens allowed at most, unless a single turn has more. Each begins with the end of the one before. */
export function windowsOf(
  turns: readonly SaidTurn[],
  { window, overlap }: { window: number; overlap: number },
  before: readonly SaidTurn[] = [],
): SaidTurn[][] {
  const windows: SaidTurn[][] = []
  let current = tail(before, overlap)
  let fresh = 0
  for (const turn of turns) {
    const full = current.length >= FIXED.group || tokensOf([...current, turn]) > window
    if (full && fresh > 0) {
      windows.push(current)
      current = tail(current, overlap)
      fresh = 0
    }
    // What is said again makes way for a turn that needs the room.
    while (current.length > fresh && tokensOf([...current, turn]) > window) current = current.slice(1)
    current = [...current, turn]
    fresh++
  }
  return fresh > 0 ? [...windows, current] : windows
}

/** The last turns that fit: two at most. */
function tail(turns: readonly SaidTurn[], tokens: number): SaidTurn[] {
  const kept: SaidTurn[] = []
  for (const turn of turns.slice(-FIXED.groupOverlap).reverse()) {
    if (tokensOf([turn, ...kept]) > tokens) break
    kept.unshift(turn)
  }
  return kept
}

function tokensOf(turns: readonly SaidTurn[]): number {
  return turns.reduce((sum, { text }) => sum + countTokens(text), 0)
}
