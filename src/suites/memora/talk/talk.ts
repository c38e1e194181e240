import { mapGivingWay } from '../../../base/give-way.js'
import { sentences } from '../../../base/text.js'
import type { Conversation, Turn } from '../../../model/index.js'
import type { LifeTrace, TraceSession } from '../trace.js'
import { talkData } from './data.js'
import { documentTalk } from './documents.js'
import { inventoryOf } from './inventory.js'
import { SmallTalk } from './small-talk.js'
import { statement } from './statement.js'
import { subjectsOf } from './threads.js'
import { Voice } from './voice.js'

/**
 * Sentences of the user, word for word, by the part of the operation that they say: `item` (what it is about), `value` and `old` (what
 * holds now and what held before), and for documents `field:<field>:<value>`, `revision:<index>`, `revision:<index>:from` and `:to`,
 * `completes`. The item of a document is its title.
 */
export type SaidParts = Record<string, string[]>

/** A session in words. */
export interface Talk {
  turns: Turn[]
  /** Empty where the session leaves the memory alone. */
  said: SaidParts
}

/** The conversation of one session, with the session it belongs to. */
export interface SpokenSession extends Conversation {
  session: number
  said: SaidParts
}

/** The day's first and last minute for talk. */
const [MORNING, EVENING] = [8 * 60, 21 * 60]
/** Share of statements with a word that leads to them; which words depends on what was said before. */
const LED = 0.6
const LEADS: Readonly<Record<string, string>> = { '': 'lead', invite: 'lead_asked' }

/**
 * The conversation of a session: an opening, small talk, what is to be remembered, a closing. A session about a document goes to it at
 * once, one that leaves the memory alone has only small talk. The user alone says what is to be remembered, and the speakers alternate.
 *
 * @example talkFor(trace, trace.sessions[0]!, 1).turns
 */
export function talkFor(trace: LifeTrace, session: TraceSession, seed: number): Talk {
  const data = talkData()
  const { number, day, operation } = session
  const voice = new Voice(`memora/talk/${trace.persona}/${seed}/${number}`, inventoryOf(trace))
  const small = new SmallTalk(voice, data, subjectsOf(trace, seed), number)
  const turns: Turn[] = []
  const said: SaidParts = {}
  const add = (more: readonly Turn[]) => turns.push(...more)
  const last = () => turns.at(-1)!.role
  const keep = (parts: readonly string[], sentence: string) => {
    for (const part of parts) said[part] = [sentence]
  }

  add(small.turns(small.flow('opening', undefined, operation?.of === 'document' ? 'assistant' : undefined)))
  if (operation?.of === 'document') {
    for (const { role, text, parts } of documentTalk(operation, voice, data.documents)) {
      add([{ role, text }])
      keep(parts, parts.includes('item') ? naming(text, operation.title) : text)
    }
  } else {
    add(small.turns(small.flow('exploration', last())))
    if (operation) {
      const { text, note, parts } = statement(operation, day, voice, data)
      const flow = small.flow('memory', last())
      for (const [at, intent] of flow.entries()) {
        if (intent === 'share') {
          const lead = LEADS[flow[at - 1] ?? '']
          add([{ role: 'user', text: lead && voice.chance(LED) ? `${small.say(lead)} ${text}` : text }])
          keep(parts, text)
        } else if (intent === 'note') add([{ role: 'assistant', text: voice.say(data.notes[note]) }])
        else add(small.turns([intent]))
      }
    }
  }
  add(small.turns(small.flow('closing', last())))
  return { turns, said }
}

/**
 * All conversations of a trace in order, with ids from `0001` up. Those of one day rise between eight in the morning and nine in the
 * evening.
 */
export function conversationsFor(trace: LifeTrace, seed: number): SpokenSession[] {
  return [...tellSessions(trace, seed)]
}

/** The same, giving way from session to session: a long life takes a second. */
export function tellLife(trace: LifeTrace, seed: number): Promise<SpokenSession[]> {
  return mapGivingWay(tellSessions(trace, seed), (session) => session)
}

function* tellSessions(trace: LifeTrace, seed: number): Generator<SpokenSession> {
  const perDay = new Map<string, number>()
  for (const { day } of trace.sessions) perDay.set(day, (perDay.get(day) ?? 0) + 1)
  const told = new Map<string, number>()
  for (const session of trace.sessions) {
    const before = told.get(session.day) ?? 0
    told.set(session.day, before + 1)
    yield {
      id: String(session.number).padStart(4, '0'),
      time: timeOf(session.day, before, perDay.get(session.day)!),
      session: session.number,
      ...talkFor(trace, session, seed),
    }
  }
}

/** The sentence of a text that has a name in it. */
const naming = (text: string, name: string): string => sentences(text).find((one) => one.includes(name)) ?? text

function timeOf(day: string, index: number, count: number): string {
  const seconds = Math.floor((MORNING + ((index + 0.5) / count) * (EVENING - MORNING)) * 60)
  return `${day}T${new Date(seconds * 1000).toISOString().slice(11, 19)}Z`
}
