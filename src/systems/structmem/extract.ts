import { z } from 'zod'
import { item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { minuteOf, weekdayOf } from '../parts/index.js'
import { type Event, eventText } from './events.js'
import { FIXED } from './fixed.js'
import type { Said, Segment } from './segment.js'
import type { StructMemParts } from './store.js'

const Facts = z.object({ data: z.array(z.object({ source_id: z.number().int(), fact: z.string() })) })
const Relations = z.object({ data: z.array(z.object({ source_id: z.number().int(), relation: z.string() })) })

/** Records a portion of what the user said twice: as facts, and as relations. */
export async function eventsOf(
  portion: readonly Segment[],
  conversation: Conversation,
  parts: StructMemParts,
): Promise<Event[]> {
  const { model, settings, nextEvent } = parts
  const { id: source, time } = conversation
  const data = { dialogue: dialogueOf(portion, time) }
  const [facts, relations] = await Promise.all([
    model.ask('factual', Facts, { data }),
    settings.perspectives === 'both' ? model.ask('relational', Relations, { data }) : { data: [] },
  ])
  const recorded = [
    ...facts.data.map(({ source_id, fact }) => ({ number: source_id, memory: fact })),
    ...relations.data.map(({ source_id, relation }) => ({ number: source_id, memory: relation })),
  ]
  const said = portion.flat()
  return recorded
    .filter(({ memory }) => memory.trim() !== '')
    .map(({ number, memory }) => ({
      id: nextEvent(),
      text: eventText(memory, time),
      memory,
      moment: (Date.parse(time) || 0) + FIXED.apart * turnOf(number, said),
      time,
      sources: [source],
    }))
}

function dialogueOf(portion: readonly Segment[], time: string): string {
  const when = [minuteOf(time), weekdayOf(time)].filter((part) => part !== '').join(', ')
  let number = 0
  return portion
    .flatMap((segment, i) => [
      `--- Topic ${i + 1} ---`,
      ...segment.map(({ text }) => item(`[${when}] ${number++}.user:`, text)),
    ])
    .join('\n')
}

/** A number beyond those shown stands for the nearest of them. */
function turnOf(number: number, said: readonly Said[]): number {
  return said[Math.max(0, Math.min(number, said.length - 1))]!.turn
}
