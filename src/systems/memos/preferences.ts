import { z } from 'zod'
import { item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { embedAll, formatTranscript, type Kept, withSource } from '../parts/index.js'
import { FIXED } from './fixed.js'
import type { MemosParts } from './store.js'

const Preferences = z.object({
  preferences: z.array(
    z.object({ preference: z.string(), context: z.string(), reasoning: z.string(), topic: z.string() }),
  ),
})
const Same = z.object({ same: z.boolean() })

/** What the user likes or wants. It is found by the context in which it came up. */
export interface Preference extends Kept {
  readonly stated: boolean
}

/** Looks for stated and for shown preferences, one call each; each takes the place of the nearest earlier one when that is the same. */
export async function addPreferences(conversation: Conversation, parts: MemosParts): Promise<void> {
  for (const step of ['explicit', 'implicit'] as const) {
    const data = { conversation: formatTranscript(conversation) }
    const { preferences } = await parts.model.ask(step, Preferences, { data })
    const worth = preferences
      .map(({ preference, context }) => ({ preference: preference.trim(), context: context.trim() }))
      .filter(({ preference }) => preference !== '')
    const contexts = worth.map(({ context, preference }) => context || preference)
    for (const [i, vector] of (await embedAll(parts.context, contexts)).entries()) {
      const { preference, context } = worth[i]!
      await add(context ? `${preference} (${context})` : preference, vector, step === 'explicit', conversation, parts)
    }
  }
}

async function add(
  text: string,
  vector: Float32Array,
  stated: boolean,
  { id: source, time }: Conversation,
  { model, preferences, nextId }: MemosParts,
): Promise<void> {
  const [nearest] = preferences.nearest(vector, 1, (row) => row.stated === stated)
  let earlier: Preference | null = null
  if (nearest && nearest.score >= FIXED.alike) {
    const data = { earlier: item('-', nearest.row.text), later: item('-', text) }
    if ((await model.ask('same', Same, { data })).same) earlier = nearest.row
  }
  const sources = withSource(earlier?.sources ?? [], source)
  preferences.set({ id: earlier?.id ?? nextId.preference(), text, time, sources, stated }, vector)
}
