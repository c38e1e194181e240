import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { embedOne, formatTranscript, minuteOf } from '../parts/index.js'
import { MAX_TOKENS, type NemoriEpisode, type NemoriParts } from './parts.js'

const Segments = z.object({ episodes: z.array(z.object({ indices: z.array(z.number().int()), topic: z.string() })) })

const Account = z.object({ title: z.string(), content: z.string().min(1) })

const Decision = z.object({ decision: z.enum(['merge', 'new']), target: z.number().int(), reason: z.string() })

type Account = z.infer<typeof Account>

/** Messages that make an episode, at least, where a conversation is divided. */
const LEAST = 2

/**
 * The parts of a conversation that are told as episodes: short ones whole, long ones as the model divides them. Parts of one message are
 * dropped, as in Nemori; when no part is left, the conversation is one.
 */
export async function partsOf(conversation: Conversation, parts: NemoriParts): Promise<Conversation[]> {
  const { model, prompts, settings, context } = parts
  const said = conversation.turns.filter(({ text }) => text.trim() !== '')
  if (said.length < settings.segment) return [{ ...conversation, turns: said }]
  const whole = { ...conversation, turns: said }
  const { episodes } = await model.ask({
    step: 'segment',
    role: 'ingest',
    system: prompts.text('segment'),
    data: { conversation: formatTranscript(whole, { mark: (role, i) => `[${i}] ${role}:` }) },
    schema: Segments,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
  const groups = episodes
    .map(({ indices }) => [...new Set(indices)].sort((a, b) => a - b).flatMap((i) => said[i] ?? []))
    .filter((turns) => turns.length >= LEAST)
  const told = new Set(groups.flat())
  if (told.size < said.length)
    context.log(`nemori: ${said.length - told.size} messages of ${conversation.id} are in no episode`)
  return groups.length === 0 ? [whole] : groups.map((turns) => ({ ...conversation, turns }))
}

/** Tells a part of a conversation, merges it with an earlier account of the same event, and keeps it. */
export async function keepEpisode(
  part: Conversation,
  parts: NemoriParts,
): Promise<{ episode: NemoriEpisode; vector: Float32Array }> {
  const { context, model, prompts, episodes, nextEpisode, settings } = parts
  const account = await model.ask({
    step: 'episode',
    role: 'ingest',
    system: prompts.text('episode', { time: minuteOf(part.time) }),
    data: { conversation: formatTranscript(part) },
    schema: Account,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
  let episode = episodeOf(account, { id: nextEpisode(), time: part.time, sources: [part.id] })
  let vector = await embedOne(context, episode.text)
  const twin = settings.merge ? await twinOf(episode, vector, parts) : null
  if (twin) {
    const sources = [...new Set([...twin.sources, part.id])]
    episode = episodeOf(await merged(twin, episode, parts), { id: nextEpisode(), time: part.time, sources })
    vector = await embedOne(context, episode.text)
    episodes.delete(twin.id)
  }
  episodes.set(episode, vector)
  return { episode, vector }
}

/** The earlier episode that tells of the same event. One that was not shown is none. */
async function twinOf(episode: NemoriEpisode, vector: Float32Array, parts: NemoriParts): Promise<NemoriEpisode | null> {
  const { model, prompts, episodes, settings } = parts
  const near = episodes.nearest(vector, settings.similar)
  if (near.length === 0) return null
  const { decision, target } = await model.ask({
    step: 'decide',
    role: 'ingest',
    system: prompts.text('decide'),
    data: {
      episode: told('-', episode),
      earlier: near.map((candidate, i) => told(`[${i}]`, candidate)).join('\n'),
    },
    schema: Decision,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
  return decision === 'merge' ? (near[target] ?? null) : null
}

async function merged(
  earlier: NemoriEpisode,
  later: NemoriEpisode,
  { model, prompts, settings }: NemoriParts,
): Promise<Account> {
  return model.ask({
    step: 'merge',
    role: 'ingest',
    system: prompts.text('merge'),
    data: { earlier: told('-', earlier), later: told('-', later) },
    schema: Account,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
}

function episodeOf({ title, content }: Account, row: Pick<NemoriEpisode, 'id' | 'time' | 'sources'>): NemoriEpisode {
  return { ...row, title, content, text: `${title}\n${content}`.trim() }
}

function told(mark: string, { title, content, time }: NemoriEpisode): string {
  return [item(mark, title), field('time', minuteOf(time)), field('content', content)].join('\n')
}
