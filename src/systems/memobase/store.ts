import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import { countTokens } from '../../base/tokens.js'
import type { Conversation, SystemContext, Turn } from '../../model/index.js'
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
  withSource,
} from '../parts/index.js'
import { type Profile, type ProfileSlot, slotName } from './profile.js'
import type { PROMPTS } from './prompts.js'
import { isInGuide, TOPIC_GUIDE } from './topics.js'
import { organise, resummarise } from './upkeep.js'

const Log = z.object({
  entries: z.array(
    z.object({ fact: z.string(), kind: z.enum(['info', 'event', 'schedule']), date: z.string().nullable() }),
  ),
})
const Facts = z.object({ facts: z.array(z.object({ topic: z.string(), subtopic: z.string(), memo: z.string() })) })
const Actions = z.object({
  actions: z.array(
    z.object({ number: z.number().int(), action: z.enum(['APPEND', 'UPDATE', 'ABORT']), memo: z.string() }),
  ),
})

export interface MemobaseSettings {
  events: boolean
  /** Whether slots outside the guide may be made. */
  newSlots: boolean
  /** Tokens of a conversation that are read, the newest. */
  window: number
  resummary: boolean
  /** Tokens of a memo above which it is written anew, and tokens it may have then. */
  slot: number
  summary: number
  /** Subtopics of a topic above which it is put in order anew. */
  subtopics: number
  temperature: number
}

/** What storing works with. */
export interface MemobaseParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  profile: Profile
  /** Diary entries, found by meaning. */
  gists: VectorTable<Kept>
  nextGist: () => string
  settings: MemobaseSettings
}

type Fact = z.infer<typeof Facts>['facts'][number]

/** Writes a diary of the conversation, draws slots from it, merges them into the profile, and keeps that in bounds. */
export async function storeConversation(conversation: Conversation, parts: MemobaseParts): Promise<void> {
  if (isSilent(conversation)) return
  const entries = await log(conversation, parts)
  if (entries.length === 0) return
  const facts = await extract(entries, parts)
  const changed = facts.length > 0 ? await merge(facts, conversation, parts) : []
  await organise(new Set(changed.map(({ topic }) => topic)), parts)
  await resummarise(changed, parts)
  if (parts.settings.events) await addGists(entries, conversation, parts)
}

async function log(
  conversation: Conversation,
  { model, prompts, profile, settings }: MemobaseParts,
): Promise<string[]> {
  const turns = newest(conversation.turns, settings.window)
  const { entries } = await model.ask({
    step: 'log',
    role: 'ingest',
    system: prompts.text('log', { day: longDayOf(conversation.time) }),
    data: { profile: shown(profile), conversation: formatTranscript({ ...conversation, turns }) },
    schema: Log,
    temperature: settings.temperature,
  })
  const day = dayOf(conversation.time)
  return entries
    .filter(({ fact }) => fact.trim() !== '')
    .map(({ fact, kind, date }) => `${fact.trim()} [mentioned ${day}${date ? `, on ${date}` : ''}] // ${kind}`)
}

/** Diary entries as slots: names in one spelling, several facts for one slot joined. */
async function extract(entries: readonly string[], parts: MemobaseParts): Promise<Fact[]> {
  const { model, prompts, profile, settings } = parts
  const { facts } = await model.ask({
    step: 'extract',
    role: 'ingest',
    system: prompts.text('extract', { new: prompts.text(settings.newSlots ? 'new-slots' : 'no-new-slots') }),
    data: {
      guide: TOPIC_GUIDE,
      slots:
        profile.size === 0
          ? '(none)'
          : profile
              .slots()
              .map(({ topic, subtopic }) => item('-', `${topic}::${subtopic}`))
              .join('\n'),
      entries: entries.map((entry) => item('-', entry)).join('\n'),
    },
    schema: Facts,
    temperature: settings.temperature,
  })
  const joined = new Map<string, Fact>()
  for (const fact of facts) {
    const [topic, subtopic, memo] = [slotName(fact.topic), slotName(fact.subtopic), fact.memo.trim()]
    if (topic === '' || subtopic === '' || memo === '') continue
    if (!settings.newSlots && !isInGuide(topic, subtopic)) continue
    const key = `${topic}\n${subtopic}`
    const before = joined.get(key)
    joined.set(key, { topic, subtopic, memo: before ? `${before.memo}; ${memo}` : memo })
  }
  return [...joined.values()]
}

/** One call says of every slot what becomes of it. Slots of which it says nothing stay as they are, as in MemoBase. */
async function merge(facts: readonly Fact[], conversation: Conversation, parts: MemobaseParts): Promise<ProfileSlot[]> {
  const { model, prompts, profile, settings, context } = parts
  const { actions } = await model.ask({
    step: 'merge',
    role: 'ingest',
    system: prompts.text('merge'),
    data: { slots: facts.map((fact, i) => slotItem(fact, i, profile)).join('\n') },
    schema: Actions,
    temperature: settings.temperature,
  })
  const byNumber = new Map(actions.map((action) => [action.number, action]))
  const changed: ProfileSlot[] = []
  for (const [i, { topic, subtopic, memo: fresh }] of facts.entries()) {
    const action = byNumber.get(i)
    if (!action || action.action === 'ABORT') {
      context.log(`memobase: ${topic}::${subtopic} left as it was${action ? '' : ': nothing was said of it'}`)
      continue
    }
    const slot = profile.get(topic, subtopic)
    const appended = slot ? `${slot.memo}; ${fresh}` : fresh
    const memo = action.action === 'UPDATE' && action.memo.trim() !== '' ? action.memo.trim() : appended
    const sources = withSource(slot?.sources ?? [], conversation.id)
    changed.push(profile.set({ topic, subtopic, memo, time: conversation.time, sources }))
  }
  return changed
}

function slotItem({ topic, subtopic, memo }: Fact, number: number, profile: Profile): string {
  const current = profile.get(topic, subtopic)
  return [
    item(`[${number}]`, `${topic}::${subtopic}`),
    field('new', memo),
    ...(current ? [field('current', current.memo)] : []),
  ].join('\n')
}

async function addGists(entries: readonly string[], { id, time }: Conversation, parts: MemobaseParts): Promise<void> {
  const vectors = await embedAll(parts.context, entries)
  for (const [i, text] of entries.entries()) {
    parts.gists.set({ id: parts.nextGist(), text, time, sources: [id] }, vectors[i]!)
  }
}

function shown(profile: Profile): string {
  return profile.size === 0
    ? '(none)'
    : profile
        .slots()
        .map(({ text }) => item('-', text))
        .join('\n')
}

/** The last turns that fit; the last one always does. */
function newest(turns: readonly Turn[], tokens: number): Turn[] {
  let left = tokens
  let from = turns.length
  while (from > 0) {
    left -= countTokens(turns[from - 1]!.text)
    if (left < 0 && from < turns.length) break
    from--
  }
  return turns.slice(from)
}
