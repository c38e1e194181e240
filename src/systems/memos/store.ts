import { z } from 'zod'
import type { Conversation } from '../../model/index.js'
import { choiceOption, countOption, numberOption, switchOption, temperatureOption } from '../options.js'
import {
  dayOf,
  formatTranscript,
  idCounter,
  isSilent,
  type Kept,
  longDayOf,
  partsMaker,
  setAll,
  VectorTable,
} from '../parts/index.js'
import { addPreferences, type Preference } from './preferences.js'
import { PROMPTS } from './prompts.js'
import { reorganise } from './reorganise.js'
import { type SaidTurn, saidIn, windowsOf } from './windows.js'

export const OPTIONS = z.object({
  preferences: switchOption('off', 'on: preferences are kept beside memories, and half of what is found are such'),
  reorganise: switchOption('off', 'on: memories that contradict or repeat each other become one'),
  near: numberOption('0.8', 'score (1 + cosine) / 2 from which the reorganiser compares memories', { min: 0, max: 1 }),
  neighbours: countOption('5', 'memories it compares with a new one'),
  search: choiceOption(
    ['fast', 'fine'],
    'fast, or fine: the model names keys and tags to look for, one call a question',
  ),
  conversation: choiceOption(['own', 'date'], 'own, or date: sessions of one day are read as one conversation'),
  window: countOption('1024', 'tokens of a piece in which a conversation is read'),
  overlap: countOption('200', 'tokens of it that are read again with the next', { min: 0 }),
  long: countOption('1500', 'memories of the type LongTermMemory; the oldest go first'),
  user: countOption('480', 'memories of the type UserMemory; the oldest go first'),
  temperature: temperatureOption('0.6'),
})

export const KINDS = ['LongTermMemory', 'UserMemory'] as const

const Read = z.object({
  memories: z.array(z.object({ key: z.string(), type: z.enum(KINDS), value: z.string(), tags: z.array(z.string()) })),
  summary: z.string(),
})

/** A memory in the graph. Rows are replaced, never changed. */
export interface Node extends Kept {
  readonly kind: (typeof KINDS)[number]
  readonly key: string
  readonly tags: readonly string[]
  /** Its place has been taken by another; it is kept, but found no more. */
  readonly archived: boolean
}

/** What storing and searching work with. */
export type MemosParts = ReturnType<typeof partsOf>

export const partsOf = partsMaker({ name: 'memos', options: OPTIONS, prompts: PROMPTS }, ({ context, journal }) => ({
  nodes: new VectorTable<Node>(context.embed.dimensions, journal),
  preferences: new VectorTable<Preference>(context.embed.dimensions, journal),
  /** What was said on the last day, when sessions of one day are one conversation. */
  day: { date: '', turns: [] as readonly SaidTurn[] },
  nextId: { node: idCounter('m', journal), preference: idCounter('f', journal) },
}))

/** Reads a conversation piece by piece into typed memories, then compares them with their like, then looks for preferences. */
export async function storeConversation(conversation: Conversation, parts: MemosParts): Promise<void> {
  if (isSilent(conversation)) return
  const { settings } = parts
  const turns = saidIn(conversation)
  const date = dayOf(conversation.time)
  const byDay = settings.conversation === 'date'
  const before = byDay && parts.day.date === date ? parts.day.turns : []
  for (const window of windowsOf(turns, settings, before)) {
    const added = await read(window, conversation, parts)
    if (settings.reorganise) for (const node of added) await reorganise(node, parts)
  }
  trim(parts)
  if (settings.preferences) await addPreferences(conversation, parts)
  if (byDay) parts.day = { date, turns }
}

async function read(window: SaidTurn[], { time }: Conversation, parts: MemosParts): Promise<Node[]> {
  const { context, model, nodes, nextId } = parts
  const { memories } = await model.ask('read', Read, {
    values: { day: longDayOf(time) },
    data: { conversation: formatTranscript({ turns: window }) },
  })
  const sources = [...new Set(window.map(({ source }) => source))]
  const rows = memories
    .map(({ key, type, value, tags }) => ({ text: value.trim(), kind: type, key: fold(key), tags: tags.map(fold) }))
    .filter(({ text }) => text !== '')
    .map((row): Node => ({ id: nextId.node(), time, sources, archived: false, ...row }))
  await setAll(context, rows, (row, vector) => nodes.set(row, vector))
  return rows
}

/** Keys and tags in one spelling. */
export function fold(name: string): string {
  return name.trim().toLowerCase()
}

/** The oldest memories of a kind make way for new ones. */
function trim({ nodes, settings }: MemosParts): void {
  for (const kind of KINDS) {
    const most = kind === 'UserMemory' ? settings.user : settings.long
    if (nodes.size <= most) continue
    const live = nodes.rows().filter((node) => node.kind === kind && !node.archived)
    for (const { id } of live.slice(0, -most)) nodes.delete(id)
  }
}
