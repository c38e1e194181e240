import { z } from 'zod'
import { item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { embedAll, formatTranscript, type Kept, withSource } from '../parts/index.js'
import type { MemosParts } from './store.js'

const Preferences = z.object({
  preferences: z.array(
    z.object({ preference: z.string(), context: z.string(), reasoning: z.string(), topic: z.string() }),
  ),
})
const Same = z.object({ same: z.boolean() })

/** Cosine of contexts from which the model is asked whether two preferences are the same. */
const ALIKE = 0.5

/** What the user likes or wants. It is found by the context in which it came up. */
export interface Preference extends Kept {
  readonly stated: boolean
}

/** Looks for stated and for shown preferences, one call each; each takes the place of the nearest earlier one when that is the same. */
export async function addPreferences(conversation: Conversation, parts: MemosParts): Promise<void> {
  for (const step of ['explicit', 'implicit'] as const) {
    const { preferences } = await parts.model.ask({
      step,
      role: 'ingest',
      system: parts.prompts.text(step),
      data: { conversation: formatTranscript(conversation) },
      schema: Preferences,
      temperature: parts.settings.temperature,
    })
    const worth = preferences.filter(({ preference }) => preference.trim() !== '')
    const vectors = await embedAll(
      parts.context,
      worth.map(({ context, preference }) => context.trim() || preference.trim()),
    )
    for (const [i, { preference, context }] of worth.entries()) {
      const text = context.trim() ? `${preference.trim()} (${context.trim()})` : preference.trim()
      await add(text, vectors[i]!, step === 'explicit', conversation, parts)
    }
  }
}

async function add(
  text: string,
  vector: Float32Array,
  stated: boolean,
  { id: source, time }: Conversation,
  parts: MemosParts,
): Promise<void> {
  const { preferences, nextId } = parts
  const [nearest] = preferences.nearest(vector, 1, (row) => row.stated === stated)
  const earlier =
    nearest && nearest.score >= ALIKE && (await isSame(nearest.row.text, text, parts)) ? nearest.row : null
  const sources = withSource(earlier?.sources ?? [], source)
  preferences.set({ id: earlier?.id ?? nextId.preference(), text, time, sources, stated }, vector)
}

async function isSame(earlier: string, later: string, { model, prompts, settings }: MemosParts): Promise<boolean> {
  const { same } = await model.ask({
    step: 'same',
    role: 'ingest',
    system: prompts.text('same'),
    data: { earlier: item('-', earlier), later: item('-', later) },
    schema: Same,
    temperature: settings.temperature,
  })
  return same
}
