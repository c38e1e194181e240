import { z } from 'zod'
import type { Conversation, SystemContext } from '../../model/index.js'
import {
  type Asker,
  dayOf,
  embedAll,
  formatTranscript,
  isSilent,
  type Kept,
  longDayOf,
  type Prompts,
  type VectorTable,
} from '../parts/index.js'
import { addPreferences, type Preference } from './preferences.js'
import type { PROMPTS } from './prompts.js'
import { reorganise } from './reorganise.js'
import { type SaidTurn, saidIn, type WindowSettings, windowsOf } from './windows.js'

const KINDS = ['LongTermMemory', 'UserMemory'] as const

const Read = z.object({
  memories: z.array(z.object({ key: z.string(), type: z.enum(KINDS), value: z.string(), tags: z.array(z.string()) })),
  summary: z.string(),
})

export type Kind = (typeof KINDS)[number]

/** A memory in the graph. Rows are replaced, never changed. */
export interface Node extends Kept {
  readonly kind: Kind
  readonly key: string
  readonly tags: readonly string[]
  /** Its place has been taken by another; it is kept, but found no more. */
  readonly archived: boolean
}

export interface MemosSettings extends WindowSettings {
  /** Whether sessions of one day are one conversation. */
  byDay: boolean
  preferences: boolean
  reorganise: boolean
  /** Cosine from which memories are compared, and how many with each new one. */
  near: number
  neighbours: number
  /** Most memories of each kind; the oldest go first. */
  most: Readonly<Record<Kind, number>>
  temperature: number
}

/** What storing works with. */
export interface MemosParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  nodes: VectorTable<Node>
  preferences: VectorTable<Preference>
  /** What was said on the last day, when sessions of one day are one conversation. */
  day: { date: string; turns: readonly SaidTurn[] }
  nextId: { node(): string; preference(): string }
  settings: MemosSettings
}

/** Reads a conversation piece by piece into typed memories, then compares them with their like, then looks for preferences. */
export async function storeConversation(conversation: Conversation, parts: MemosParts): Promise<void> {
  if (isSilent(conversation)) return
  const { settings } = parts
  const turns = saidIn(conversation)
  const before = settings.byDay && parts.day.date === dayOf(conversation.time) ? parts.day.turns : []
  for (const window of windowsOf(turns, settings, before)) {
    const added = await read(window, conversation, parts)
    if (settings.reorganise) for (const node of added) await reorganise(node, parts)
  }
  trim(parts)
  if (settings.preferences) await addPreferences(conversation, parts)
  if (settings.byDay) parts.day = { date: dayOf(conversation.time), turns }
}

async function read(window: readonly SaidTurn[], conversation: Conversation, parts: MemosParts): Promise<Node[]> {
  const { context, model, prompts, nodes, nextId, settings } = parts
  const { memories } = await model.ask({
    step: 'read',
    role: 'ingest',
    system: prompts.text('read', { day: longDayOf(conversation.time) }),
    data: { conversation: formatTranscript({ ...conversation, turns: [...window] }) },
    schema: Read,
    temperature: settings.temperature,
  })
  const worth = memories.filter(({ value }) => value.trim() !== '')
  const vectors = await embedAll(
    context,
    worth.map(({ value }) => value.trim()),
  )
  const sources = [...new Set(window.map(({ source }) => source))]
  return worth.map(({ key, type, value, tags }, i) => {
    const node: Node = {
      id: nextId.node(),
      text: value.trim(),
      time: conversation.time,
      sources,
      kind: type,
      key: fold(key),
      tags: tags.map(fold),
      archived: false,
    }
    nodes.set(node, vectors[i]!)
    return node
  })
}

/** Keys and tags in one spelling. */
export function fold(name: string): string {
  return name.trim().toLowerCase()
}

/** The oldest memories of a kind make way for new ones. */
function trim({ nodes, settings }: MemosParts): void {
  for (const kind of KINDS) {
    if (nodes.size <= settings.most[kind]) continue
    const live = nodes.rows().filter((node) => node.kind === kind && !node.archived)
    for (const { id } of live.slice(0, -settings.most[kind])) nodes.delete(id)
  }
}
