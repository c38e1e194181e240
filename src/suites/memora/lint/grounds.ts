import { fold } from '../../../base/text.js'
import { type ImportedLife, isToldBy } from '../published/imported.js'
import { dateSaid, distance, overlap, saysNumber } from '../published/said.js'
import { isAssistant } from '../published/spoken.js'
import type { Operation, TraceSession } from '../trace.js'

/** Kinds of things that a session has to say. */
export const SAID_KINDS = [
  'food amounts',
  'step counts',
  'goals',
  'tasks added',
  'tasks deleted',
  'elements added',
  'elements removed',
  'budgets',
  'event days',
] as const
export type SaidKind = (typeof SAID_KINDS)[number]

/** Something that a session has to say, and whether its user does. */
export interface Grounded {
  kind: SaidKind
  session: number
  what: string
  said: boolean
}

/** Share of the words of a task or of an element that must be there. */
const ENOUGH = 0.5

/** Everything that the sessions of a life have to say. Days to which events were moved are looked at elsewhere. */
export function groundsOf({ released, trace }: ImportedLife): Grounded[] {
  return trace.sessions.flatMap((session, at) => {
    const text = released.sessions[at]!.conversation.flatMap(({ speaker, message }) =>
      isAssistant(speaker) ? [] : [message],
    ).join(' ')
    return partsOf(session, text).map((part) => ({ session: session.number, ...part }))
  })
}

type Part = Omit<Grounded, 'session'>

function partsOf({ operation, day }: TraceSession, text: string): Part[] {
  const number = (kind: SaidKind, value: number): Part => ({ kind, what: String(value), said: saysNumber(text, value) })
  const phrase = (kind: SaidKind, what: string): Part => ({ kind, what, said: overlap(what, text) >= ENOUGH })
  switch (operation?.of) {
    case 'food':
      return [number('food amounts', operation.amount)]
    case 'steps':
      return [number('step counts', operation.count)]
    case 'goal':
      return [number('goals', operation.value)]
    case 'todo':
      return [phrase(operation.act === 'add' ? 'tasks added' : 'tasks deleted', operation.task)]
    case 'calendar':
      if (operation.act !== 'add') return []
      return [
        {
          kind: 'event days',
          what: `${operation.event} on ${operation.day}`,
          said: isToldBy(dateSaid(text, operation.day, day), distance(day, operation.day)),
        },
      ]
    case 'document':
      return operation.act === 'add' ? [] : revisions(operation, number, phrase)
    default:
      return []
  }
}

function revisions(
  operation: Operation & { of: 'document'; act: 'update' | 'delete' },
  number: (kind: SaidKind, value: number) => Part,
  phrase: (kind: SaidKind, what: string) => Part,
): Part[] {
  return operation.revisions.map((one) => {
    if ('value' in one) return phrase(one.change === 'added' ? 'elements added' : 'elements removed', one.value)
    return number('budgets', Number(one.to))
  })
}

/** The items that a persona is known to have tastes in, from all of its lives: what was taken up in one may be spoken of in another. */
export function itemsOf(lives: readonly ImportedLife[]): (persona: string) => ReadonlySet<string> {
  const items = new Map<string, Set<string>>()
  for (const { released, trace } of lives) {
    const own = items.get(released.persona) ?? new Set<string>()
    for (const { operation } of trace.sessions) if (operation?.of === 'taste') own.add(fold(operation.item))
    items.set(released.persona, own)
  }
  return (persona) => items.get(persona) ?? new Set()
}

/** Shorter names are words of other things too often. */
const SHORTEST = 4

/** Sessions about a taste that name another item of the persona's, which nothing keeps track of. */
export function ambiguous(
  { released, trace }: ImportedLife,
  items: ReadonlySet<string>,
): { session: number; item: string }[] {
  const others = [...items].filter(({ length }) => length >= SHORTEST)
  return trace.sessions.flatMap(({ number, operation }, at) => {
    if (operation?.of !== 'taste') return []
    const shared = released.sessions[at]!.conversation.flatMap((turn) => (turn.share_memory ? [turn.message] : []))
    const spoken = [operation.item, ...(operation.act === 'replace' ? [operation.old] : [])].map(fold)
    const text = ` ${spoken.reduce((left, item) => left.replaceAll(item, ' '), fold(shared.join(' '))).replace(/[^\p{L}\p{N}' -]/gu, ' ')} `
    const other = others.find((item) => !spoken.includes(item) && text.includes(` ${item} `))
    return other === undefined ? [] : [{ session: number, item: other }]
  })
}
