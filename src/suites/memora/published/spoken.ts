import type { Fact } from '../../../model/index.js'
import type { Spoken } from '../compile.js'
import type { Operation, TraceSession } from '../trace.js'
import { type ImportedLife, isTold, sharedIn } from './imported.js'
import { dayAsSaid, naming, saying } from './said.js'
import type { PublishedSession } from './schema.js'

/** The day's first and last minute for talk, which the release does not give. */
const [MORNING, EVENING] = [8 * 60, 21 * 60]

/** The conversations of a published life, both speakers word for word, with the sentences that say what each operation does. */
export function spokenIn({ released, trace }: ImportedLife): Spoken[] {
  const perDay = new Map<string, number>()
  for (const { date } of released.sessions) perDay.set(date, (perDay.get(date) ?? 0) + 1)
  const told = new Map<string, number>()
  return released.sessions.map((session, at) => {
    const before = told.get(session.date) ?? 0
    told.set(session.date, before + 1)
    return {
      id: idOf(session.session_id),
      time: timeOf(session.date, before, perDay.get(session.date)!),
      session: session.session_id,
      turns: session.conversation.flatMap(({ speaker, message }) =>
        message.trim() === '' ? [] : [{ role: isAssistant(speaker) ? 'assistant' : 'user', text: message }],
      ),
      said: saidIn(session, trace.sessions[at]!),
    }
  })
}

/** Whether a speaker of published conversations is the assistant. */
export const isAssistant = (speaker: string): boolean => speaker === 'ai_agent' || speaker === 'assistant'

/** The id of the conversation of a session. */
const idOf = (session: number): string => String(session).padStart(4, '0')

/** Facts as published data says them: events are also known by the way in which their day was said, and a day that nobody said is no part of them. */
export function asSaid(life: ImportedLife, facts: readonly Fact[]): Fact[] {
  const byId = new Map(life.history.facts.map((fact) => [fact.id, fact]))
  const moves = new Map(life.reschedules.map((move) => [move.session, move]))
  return facts.map((fact) => {
    const own = byId.get(fact.id)
    if (!own?.name.startsWith('event:')) return fact
    const move = moves.get(own.session)
    if (move && !isTold(move)) {
      const parts = fact.cues.parts.filter(({ role }) => role !== 'value')
      return {
        ...fact,
        unsupported: `That ${move.event} is on ${move.day} is not said.`,
        cues: { ...fact.cues, parts },
      }
    }
    const forms = dayAsSaid(sharedIn(life.released, own.session), own.value, own.day)
    const parts = fact.cues.parts.map((part) =>
      part.role === 'value' ? { ...part, forms: [...part.forms, ...forms] } : part,
    )
    return { ...fact, cues: { ...fact.cues, parts } }
  })
}

function saidIn({ conversation }: PublishedSession, { operation }: TraceSession): Record<string, string[]> {
  if (operation === null) return {}
  const shared = conversation.flatMap(({ share_memory, message }) => (share_memory ? [message] : []))
  const own = conversation.flatMap(({ speaker, message }) => (isAssistant(speaker) ? [] : [message]))
  // Which document is meant is said before anything is shared; the sentences that share its revisions are about its elements.
  const revises = operation.of === 'document' && operation.act !== 'add'
  return Object.fromEntries(
    phrasesOf(operation).map(([part, phrase]) => [
      part,
      revises && part === 'item' ? naming(own, phrase) : saying(shared, phrase),
    ]),
  )
}

/** The parts of an operation, as facts name them, with what has to be said for each. */
function phrasesOf(operation: Operation): [part: string, phrase: string][] {
  switch (operation.of) {
    case 'taste': {
      const old = operation.act === 'replace' ? operation.old : operation.item
      return all({ item: operation.item, value: operation.item, old })
    }
    case 'food':
      return all({
        item: operation.meal,
        value: `${operation.amount.toFixed(2)} ${operation.amount} ${operation.meal}`,
      })
    case 'steps':
      return all({ item: 'steps', value: `${operation.count} ${operation.count.toLocaleString('en')} steps` })
    case 'todo':
      return all({ item: operation.task, value: operation.task })
    case 'calendar':
      return all({ item: operation.event, value: operation.event, old: operation.event })
    case 'goal': {
      const amount = `${operation.value} ${operation.value.toLocaleString('en')} ${operation.goal} goal budget`
      return all({ item: amount, value: amount, old: amount })
    }
    case 'document': {
      const item: [string, string] = ['item', operation.title]
      if (operation.act === 'add') {
        const fields = Object.entries(operation.fields).flatMap(([field, value]) =>
          [value].flat().map((one): [string, string] => [`field:${field}:${one}`, shown(field, one)]),
        )
        return [item, ...fields]
      }
      return [
        item,
        ...operation.revisions.map((one, at): [string, string] => [
          `revision:${at}`,
          'value' in one ? shown(one.field, one.value) : shown(one.field, one.to),
        ]),
      ]
    }
  }
}

const all = (parts: Record<string, string>): [string, string][] => Object.entries(parts)

function shown(field: string, value: string | number): string {
  return typeof value === 'number' ? `${value} ${value.toLocaleString('en')} ${field}` : value
}

function timeOf(day: string, index: number, count: number): string {
  const seconds = Math.floor((MORNING + ((index + 0.5) / count) * (EVENING - MORNING)) * 60)
  return `${day}T${new Date(seconds * 1000).toISOString().slice(11, 19)}Z`
}
