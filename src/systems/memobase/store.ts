import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import { countTokens } from '../../base/tokens.js'
import type { Conversation, Turn } from '../../model/index.js'
import { bulleted, dayOf, formatTranscript, isSilent, longDayOf, setAll, withSource } from '../parts/index.js'
import type { MemobaseParts } from './parts.js'
import { type Profile, type ProfileSlot, slotName } from './profile.js'
import { isInGuide, TOPIC_GUIDE } from './topics.js'
import { organise, resummarise } from './upkeep.js'

const Log = z.object({
  entries: z.array(
    z.object({ fact: z.string(), kind: z.enum(['info', 'event', 'schedule']), date: z.string().nullable() }),
  ),
})
const Facts = z.object({ facts: z.array(z.object({ topic: z.string(), subtopic: z.string(), memo: z.string() })) })
const Action = z.object({
  number: z.number().int(),
  action: z.enum(['APPEND', 'UPDATE', 'ABORT']),
  memo: z.string(),
})

/** What becomes of so many slots: one that is left out would be lost. */
function actionsOn(slots: number) {
  return z.object({ actions: z.array(Action) }).superRefine(({ actions }, context) => {
    const left = Array.from({ length: slots }, (_, i) => i).filter((i) => !actions.some(({ number }) => number === i))
    if (left.length > 0) context.addIssue({ code: 'custom', message: `Nothing is said of number ${left.join(', ')}` })
  })
}

type Fact = z.infer<typeof Facts>['facts'][number]

/** Writes a diary of the conversation, draws slots from it, merges them into the profile, and keeps that in bounds. */
export async function storeConversation(conversation: Conversation, parts: MemobaseParts): Promise<void> {
  if (isSilent(conversation)) return
  const { context, gists, nextGist, settings } = parts
  const { id, time } = conversation
  const entries = await log(conversation, parts)
  if (entries.length === 0) return
  const facts = await extract(entries, parts)
  const changed = facts.length > 0 ? await merge(facts, conversation, parts) : []
  await organise(new Set(changed.map(({ topic }) => topic)), parts)
  await resummarise(changed, parts)
  if (!settings.events) return
  const rows = entries.map((text) => ({ id: nextGist(), text, time, sources: [id] }))
  await setAll(context, rows, (row, vector) => gists.set(row, vector))
}

async function log({ id, time, turns }: Conversation, parts: MemobaseParts): Promise<string[]> {
  const { context, model, profile, settings } = parts
  const read = newest(turns, settings.window)
  if (read.length < turns.length) context.log(`memobase: ${turns.length - read.length} turns of ${id} are not read`)
  const { entries } = await model.ask('log', Log, {
    values: { day: longDayOf(time) },
    data: {
      profile: bulleted(profile.slots().map(({ text }) => text)),
      conversation: formatTranscript({ turns: read }),
    },
  })
  return entries
    .filter(({ fact }) => fact.trim() !== '')
    .map(({ fact, kind, date }) => `${fact.trim()} [mentioned ${dayOf(time)}${date ? `, on ${date}` : ''}] // ${kind}`)
}

/** Diary entries as slots: names in one spelling, several facts for one slot joined. */
async function extract(entries: readonly string[], parts: MemobaseParts): Promise<Fact[]> {
  const { context, model, profile, settings } = parts
  const open = settings.topics === 'open'
  const slots = profile.slots().map(({ topic, subtopic }) => `${topic}::${subtopic}`)
  const { facts } = await model.ask('extract', Facts, {
    values: { new: model.prompt(open ? 'new-slots' : 'no-new-slots') },
    data: { guide: TOPIC_GUIDE, slots: bulleted(slots), entries: bulleted(entries) },
  })
  const joined = new Map<string, Fact>()
  for (const fact of facts) {
    const [topic, subtopic, memo] = [slotName(fact.topic), slotName(fact.subtopic), fact.memo.trim()]
    if (memo === '') continue
    if (topic === '' || subtopic === '' || (!open && !isInGuide(topic, subtopic))) {
      context.log(`memobase: ${topic}::${subtopic} is no slot: ${memo}`)
      continue
    }
    const key = `${topic}\n${subtopic}`
    const before = joined.get(key)
    joined.set(key, { topic, subtopic, memo: before ? `${before.memo}; ${memo}` : memo })
  }
  return [...joined.values()]
}

/** One call says of every slot what becomes of it. */
async function merge(facts: readonly Fact[], conversation: Conversation, parts: MemobaseParts): Promise<ProfileSlot[]> {
  const { model, profile, context } = parts
  const { actions } = await model.ask('merge', actionsOn(facts.length), {
    data: { slots: facts.map((fact, i) => slotItem(fact, i, profile)).join('\n') },
  })
  const byNumber = new Map(actions.map((action) => [action.number, action]))
  const changed: ProfileSlot[] = []
  for (const [i, { topic, subtopic, memo: fresh }] of facts.entries()) {
    const action = byNumber.get(i)!
    if (action.action === 'ABORT') {
      context.log(`memobase: ${topic}::${subtopic} left as it was`)
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
