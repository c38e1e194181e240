import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { embedAll, formatTranscript, numbered } from '../parts/index.js'
import { MAX_TOKENS, type NemoriEpisode, type NemoriParts } from './parts.js'

const Statements = z.object({ statements: z.array(z.string()) })

/**
 * Learns statements from an episode. Where anything is known that is near it, the model foretells the episode from that first, and only
 * what the prediction lacks is learnt from the messages themselves. Statements are only ever added.
 */
export async function learn(
  part: Conversation,
  episode: NemoriEpisode,
  vector: Float32Array,
  parts: NemoriParts,
): Promise<void> {
  const { context, statements, nextStatement, settings } = parts
  const known = settings.predict ? statements.nearest(vector, settings.known).map(({ text }) => text) : []
  const learnt = known.length === 0 ? await direct(episode, parts) : await surprises(part, episode, known, parts)
  const texts = learnt.map((text) => text.trim()).filter((text) => text !== '')
  for (const [i, statement] of (await embedAll(context, texts)).entries()) {
    statements.set({ id: nextStatement(), text: texts[i]!, time: part.time, sources: [part.id] }, statement)
  }
}

async function direct({ title, content }: NemoriEpisode, { model, prompts, settings }: NemoriParts): Promise<string[]> {
  const { statements } = await model.ask({
    step: 'direct',
    role: 'ingest',
    system: prompts.text('direct', { scope: prompts.text(settings.lasting ? 'scope-lasting' : 'scope-everything') }),
    data: { episode: `${item('-', title)}\n${field('content', content)}` },
    schema: Statements,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
  return statements
}

async function surprises(
  part: Conversation,
  { title }: NemoriEpisode,
  known: readonly string[],
  { model, prompts, settings }: NemoriParts,
): Promise<string[]> {
  const asked = { role: 'ingest', temperature: settings.temperature, maxTokens: MAX_TOKENS } as const
  const prediction = await model.say({
    ...asked,
    step: 'predict',
    system: prompts.text('predict'),
    data: { statements: numbered(known), title: item('-', title) },
  })
  const { statements } = await model.ask({
    ...asked,
    step: 'compare',
    system: prompts.text('compare', { scope: prompts.text(settings.lasting ? 'scope-lasting' : 'scope-everything') }),
    data: { conversation: formatTranscript(part), prediction: item('-', prediction) },
    schema: Statements,
  })
  return statements
}
