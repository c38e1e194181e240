import { z } from 'zod'
import { item } from '../../base/fence.js'
import { countTokens } from '../../base/tokens.js'
import { bulleted } from '../parts/index.js'
import type { MemobaseParts } from './parts.js'
import { type ProfileSlot, slotName } from './profile.js'

/** No token of prose has more characters. */
const LONGEST = 40

const Memo = z.object({ memo: z.string().trim().min(1) })
const Slots = z.object({ slots: z.array(z.object({ subtopic: z.string(), memo: z.string() })) })

/** Topics with more subtopics than allowed are put in order anew, each by one call; what comes back takes the place of all its slots. */
export async function organise(topics: ReadonlySet<string>, parts: MemobaseParts): Promise<void> {
  const { context, profile, model, settings } = parts
  for (const topic of topics) {
    const slots = profile.slots().filter((slot) => slot.topic === topic)
    if (slots.length <= settings.subtopics) continue
    const reply = await model.ask('organise', Slots, {
      values: { most: settings.subtopics },
      data: { slots: bulleted(slots.map(({ text }) => text)) },
    })
    const wanted = reply.slots
      .map(({ subtopic, memo }) => ({ subtopic: slotName(subtopic), memo: memo.trim() }))
      .filter(({ memo }) => memo !== '')
    if (wanted.length === 0) continue
    context.log(`memobase: ${slots.length} slots of ${topic} become ${wanted.length}`)
    replace(slots, wanted, parts)
  }
}

/** The model does not say which slot went where, so each new one comes from all. */
function replace(
  slots: readonly ProfileSlot[],
  wanted: readonly { subtopic: string; memo: string }[],
  { profile }: MemobaseParts,
): void {
  const times = slots.map(({ time }) => time).sort()
  const sources = [...new Set(slots.flatMap((slot) => slot.sources))]
  const topic = slots[0]!.topic
  const left = new Set(wanted.map(({ subtopic }) => subtopic))
  for (const slot of slots) if (!left.has(slot.subtopic)) profile.delete(slot)
  for (const slot of wanted) {
    if (profile.get(topic, slot.subtopic)?.memo !== slot.memo)
      profile.set({ topic, ...slot, time: times.at(-1)!, sources })
  }
}

/** Memos that have grown too long are written anew, and cut off where the new text is too long as well. */
export async function resummarise(slots: readonly ProfileSlot[], parts: MemobaseParts): Promise<void> {
  const { context, profile, model, settings } = parts
  if (!settings.resummary) return
  for (const { topic, subtopic } of slots) {
    const slot = profile.get(topic, subtopic)
    if (!slot || countTokens(slot.memo) <= settings.slot) continue
    const { memo } = await model.ask('resummarise', Memo, { data: { memo: item('-', slot.memo) } })
    const clipped = clipToTokens(memo, settings.summary)
    if (clipped !== memo) context.log(`memobase: the memo of ${topic}::${subtopic} is cut off`)
    profile.set({ ...slot, memo: clipped })
  }
}

/** The longest beginning of a text that has so many tokens, at a word's end where there is one. */
function clipToTokens(text: string, tokens: number): string {
  const most = tokens * LONGEST
  if (text.length <= most && countTokens(text) <= tokens) return text
  const characters = [...text.slice(0, most)]
  let [fits, over] = [0, characters.length]
  while (over - fits > 1) {
    const middle = (fits + over) >> 1
    if (countTokens(characters.slice(0, middle).join('')) <= tokens) fits = middle
    else over = middle
  }
  const cut = characters.slice(0, fits).join('')
  return /\s/.test(cut) && !/^\s/.test(characters[fits]!) ? cut.replace(/\s+\S*$/, '') : cut.trimEnd()
}
