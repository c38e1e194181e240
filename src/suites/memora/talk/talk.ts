import { sentences } from '../../../base/text.js'
import type { Conversation, Turn } from '../../../model/index.js'
import { timesOn } from '../days.js'
import type { LifeTrace, TraceSession } from '../trace.js'
import { talkData } from './data.js'
import { documentTalk } from './documents.js'
import { inventoryOf } from './inventory.js'
import { SmallTalk, subjectsOf } from './small-talk.js'
import { statement } from './statement.js'
import { Voice } from './voice.js'

/**
 * Sentences of the user, word for word, by the part of the operation that they say: `item` (what it is about), `value` and `old` (what
 * holds now and what held before), and for documents `field:<field>:<value>`, `revision:<index>`, `revision:<index>:from` and `:to`,
 * `completes`. The item of a document is its title.
 */
export type SaidParts = Record<string, string[]>

/** The conversation of one session, with the session it belongs to. */
export interface SpokenSession extends Conversation {
  session: number
  /** Empty where the session leaves the memory alone. */
  said: SaidParts
}

/** Share of statements with a word that leads to them; which words depends on what was said before. */
const LED = 0.6
const LEADS: Readonly<Record<string, string>> = { '': 'lead', invite: 'lead_asked' }

/** A turn before it is put into words: its phase, what its speaker does, and which parts of the operation it says. */
export interface TalkIntent {
  phase: 'opening' | 'exploration' | 'memory' | 'closing'
  does: string
  says: string[]
}

/**
 * The conversation of a session: an opening, small talk, what is to be remembered, a closing. A session about a document goes to it at
 * once, one that leaves the memory alone has only small talk. The user alone says what is to be remembered, and the speakers alternate. It
 * says what every turn is for.
 *
 * @example plannedTalk(trace, trace.sessions[0]!, 1).turns
 */
export function plannedTalk(
  trace: LifeTrace,
  session: TraceSession,
  seed: number,
): Pick<SpokenSession, 'turns' | 'said'> & { intents: TalkIntent[] } {
  const data = talkData()
  const { number, day, operation } = session
  const voice = new Voice(`memora/talk/${trace.persona}/${seed}/${number}`, inventoryOf(trace))
  const small = new SmallTalk(voice, data, subjectsOf(trace, seed), number)
  const turns: Turn[] = []
  const said: SaidParts = {}
  const intents: TalkIntent[] = []
  const add = (more: readonly Turn[], phase: TalkIntent['phase'], does: readonly string[], says: string[] = []) => {
    turns.push(...more)
    intents.push(...more.map((_, at) => ({ phase, does: data.flows.intents[does[at]!]?.does ?? does[at]!, says })))
  }
  const chat = (phase: TalkIntent['phase'], flow: string[]) => add(small.turns(flow), phase, flow)
  const last = () => turns.at(-1)!.role
  const keep = (parts: readonly string[], sentence: string) => {
    for (const part of parts) said[part] = [sentence]
  }

  chat('opening', small.flow('opening', undefined, operation?.of === 'document' ? 'assistant' : undefined))
  if (operation?.of === 'document') {
    for (const { role, text, parts } of documentTalk(operation, voice, data.documents)) {
      add(
        [{ role, text }],
        'memory',
        [role === 'user' ? 'works on the document' : 'takes that down and goes on'],
        [...parts],
      )
      keep(parts, parts.includes('item') ? naming(text, operation.title) : text)
    }
  } else {
    chat('exploration', small.flow('exploration', last()))
    if (operation) {
      const { text, note, parts } = statement(operation, day, voice, data)
      const flow = small.flow('memory', last())
      for (const [at, intent] of flow.entries()) {
        if (intent === 'share') {
          const lead = LEADS[flow[at - 1] ?? '']
          const led = lead && voice.chance(LED) ? `${small.say(lead)} ${text}` : text
          add([{ role: 'user', text: led }], 'memory', [intent], parts)
          keep(parts, text)
        } else if (intent === 'note')
          add([{ role: 'assistant', text: voice.say(data.notes[note]) }], 'memory', [intent])
        else chat('memory', [intent])
      }
    }
  }
  chat('closing', small.flow('closing', last()))
  return { turns, said, intents }
}

/** The conversations of a trace in order, with ids from `0001` up. A long life takes a second: whoever needs them all gives way between them. */
export function* tellSessions(trace: LifeTrace, seed: number): Generator<SpokenSession> {
  const times = timesOn(trace.sessions.map(({ day }) => day))
  for (const [at, session] of trace.sessions.entries()) {
    const { number } = session
    const { turns, said } = plannedTalk(trace, session, seed)
    yield { id: conversationId(number), time: times[at]!, session: number, turns, said }
  }
}

/** The id of the conversation of a session. */
export const conversationId = (session: number): string => String(session).padStart(4, '0')

/** The sentence of a text that has a name in it. */
const naming = (text: string, name: string): string => sentences(text).find((one) => one.includes(name)) ?? text
