import { z } from 'zod'
import { UserError } from '../base/errors.js'
import { sentences } from '../base/text.js'
import { countTokens } from '../base/tokens.js'
import type { Conversation, Memory, Turn } from '../model/index.js'
import { dayOf, hourOf, weekdayOf } from './parts/clock.js'

/** What one memory holds. A chunk never splits a turn; a turn that is longer is a chunk of its own. */
export type StorageUnit = { kind: 'turn' | 'conversation' | 'sentence' } | { kind: 'chunk'; tokens: number }

/** `plain`: as said. `session`: with a time header and a name before every line, as in MEME. */
export type UnitFormat = 'plain' | 'session'

/** The `unit` option. */
export const UNIT_OPTION = z
  .string()
  .transform((typed) => parseUnit(typed))
  .prefault('turn')
  .describe('what one memory holds: turn, conversation, sentence or chunk=<tokens>')

/** Reads the `unit` option: `chunk=4096` is `{ kind: 'chunk', tokens: 4096 }`. */
function parseUnit(value: string): StorageUnit {
  if (value === 'turn' || value === 'conversation' || value === 'sentence') return { kind: value }
  const tokens = Number(/^chunk=(\d+)$/.exec(value)?.[1])
  if (tokens > 0) return { kind: 'chunk', tokens }
  throw new UserError(
    `Expected "unit" to be turn, conversation, sentence or chunk=<tokens>, got "${value}".`,
    'For example unit=sentence or unit=chunk=512.',
  )
}

/** Memories of a conversation in the order of saying, ids after `name`. Turns without text leave none, but for session chunks, as MEME's. */
export function splitUnits(
  conversation: Conversation,
  unit: StorageUnit,
  format: UnitFormat = 'plain',
  name = conversation.id,
): Memory[] {
  const header = format === 'session' ? `[Session: ${sessionTime(conversation.time)}]\n` : ''
  const { id: source, time } = conversation
  const memory = (id: string, text: string): Memory => ({ id, text: header + text, time, sources: [source] })
  const numbered = (texts: readonly string[]) => texts.map((text, i) => memory(`${name}#${i}`, text))
  const spoken = conversation.turns.filter((turn) => turn.text.trim() !== '')

  switch (unit.kind) {
    case 'turn':
      return conversation.turns.flatMap((turn, i) =>
        turn.text.trim() === '' ? [] : [memory(`${name}#${i}`, line(turn, format))],
      )
    case 'sentence':
      return numbered(
        spoken.flatMap((turn) => sentences(turn.text).map((text) => line({ role: turn.role, text }, format))),
      )
    case 'conversation':
      return spoken.length === 0 ? [] : [memory(name, spoken.map((turn) => line(turn, format)).join('\n'))]
    case 'chunk':
      return numbered(
        chunks(
          (format === 'session' ? conversation.turns : spoken).map((turn) => line(turn, format)),
          unit.tokens - countTokens(header.trimEnd()),
        ),
      )
  }
}

/** Memories of all conversations so far, in order. Ids stay unique even when a conversation is stored twice. */
export class UnitLog {
  readonly memories: Memory[] = []
  #times = new Map<string, number>()

  constructor(
    readonly unit: StorageUnit,
    readonly format: UnitFormat = 'plain',
  ) {}

  /** Adds a conversation and returns its memories. */
  add(conversation: Conversation): Memory[] {
    const times = (this.#times.get(conversation.id) ?? 0) + 1
    this.#times.set(conversation.id, times)
    const name = times === 1 ? conversation.id : `${conversation.id}@${times}`
    const added = splitUnits(conversation, this.unit, this.format, name)
    for (const memory of added) this.memories.push(memory)
    return added
  }
}

function line(turn: Turn, format: UnitFormat): string {
  if (turn.role === 'assistant') return `Assistant: ${turn.text}`
  return format === 'session' ? `User: ${turn.text}` : turn.text
}

/** As many lines as fit, by the sum of their tokens: the line ends between them do not count, as in MEME. */
function chunks(lines: readonly string[], budget: number): string[] {
  const found: string[] = []
  let held: string[] = []
  let tokens = 0
  for (const text of lines) {
    const cost = countTokens(text)
    if (held.length > 0 && tokens + cost > budget) {
      found.push(held.join('\n'))
      held = []
      tokens = 0
    }
    held.push(text)
    tokens += cost
  }
  if (held.length > 0) found.push(held.join('\n'))
  return found
}

/** `2023-03-18T02:19:00Z` as the released data writes it: `2023/03/18 (Sat) 02:19`. Anything else stays as it is. */
function sessionTime(time: string): string {
  const weekday = weekdayOf(time).slice(0, 3)
  return weekday ? `${dayOf(time).replaceAll('-', '/')} (${weekday}) ${hourOf(time)}` : time
}
