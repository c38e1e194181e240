import { fold } from '../../../base/text.js'
import { distance } from '../days.js'
import { type ImportedLife, isTold } from '../published/imported.js'
import { saidByUser, sharedBy } from '../published/read.js'
import { dateSaid, overlap, saysNumber } from '../published/said.js'
import type { TraceSession } from '../trace.js'

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
type SaidKind = (typeof SAID_KINDS)[number]

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
    const text = saidByUser(released.sessions[at]!).join(' ')
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
    case 'calendar': {
      if (operation.act !== 'add') return []
      const said = isTold({ said: dateSaid(text, operation.day, day), ahead: distance(day, operation.day) })
      return [{ kind: 'event days', what: `${operation.event} on ${operation.day}`, said }]
    }
    case 'document':
      if (operation.act === 'add') return []
      return operation.revisions.map((one) => {
        if ('value' in one) return phrase(one.change === 'added' ? 'elements added' : 'elements removed', one.value)
        return number('budgets', Number(one.to))
      })
    default:
      return []
  }
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
    const shared = fold(sharedBy(released.sessions[at]!).join(' '))
    const spoken = [operation.item, ...(operation.act === 'replace' ? [operation.old] : [])].map(fold)
    const rest = spoken.reduce((left, item) => left.replaceAll(item, ' '), shared)
    const text = ` ${rest.replace(/[^\p{L}\p{N}' -]/gu, ' ')} `
    const other = others.find((item) => !spoken.includes(item) && text.includes(` ${item} `))
    return other === undefined ? [] : [{ session: number, item: other }]
  })
}
