import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { embedOne, formatTranscript, minuteOf, withSource } from '../parts/index.js'
import { FIXED } from './fixed.js'
import type { NemoriEpisode, NemoriParts } from './parts.js'

const Segment = z.object({ indices: z.array(z.number().int()), topic: z.string() })

/** Parts of so many messages: one that is in no part would be lost. */
function segmentsIn(messages: number) {
  return z.object({ episodes: z.array(Segment) }).superRefine(({ episodes }, context) => {
    const told = new Set(episodes.flatMap(({ indices }) => indices))
    const left = Array.from({ length: messages }, (_, i) => i).filter((i) => !told.has(i))
    if (left.length > 0) context.addIssue({ code: 'custom', message: `In no episode: ${left.join(', ')}` })
  })
}

const Account = z.object({ title: z.string(), content: z.string().min(1) })

const Decision = z.object({ decision: z.enum(['merge', 'new']), target: z.number().int(), reason: z.string() })

type Account = z.infer<typeof Account>

/** Short conversations whole, long ones as the model divides them. Parts of one message are dropped, as in Nemori, unless no part is left. */
export async function segmentsOf(conversation: Conversation, parts: NemoriParts): Promise<Conversation[]> {
  const { model, settings, context } = parts
  const said = conversation.turns.filter(({ text }) => text.trim() !== '')
  const whole = { ...conversation, turns: said }
  if (said.length < settings.segment) return [whole]
  const { episodes } = await model.ask('segment', segmentsIn(said.length), {
    data: { conversation: formatTranscript(whole, (role, i) => `[${i}] ${role}:`) },
  })
  const groups = episodes
    .map(({ indices }) => [...new Set(indices)].sort((a, b) => a - b).flatMap((i) => said[i] ?? []))
    .filter((turns) => turns.length >= FIXED.leastMessages)
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
  const { context, model, episodes, nextEpisode, settings } = parts
  const account = await model.ask('episode', Account, {
    values: { time: minuteOf(part.time) },
    data: { conversation: formatTranscript(part) },
  })
  let episode = episodeOf(account, { id: nextEpisode(), time: part.time, sources: [part.id] })
  let vector = await embedOne(context, episode.text)
  const twin = settings.merge ? await twinOf(episode, vector, parts) : null
  if (twin) {
    const data = { earlier: told('-', twin), later: told('-', episode) }
    const sources = withSource(twin.sources, part.id)
    episode = episodeOf(await model.ask('merge', Account, { data }), { id: nextEpisode(), time: part.time, sources })
    vector = await embedOne(context, episode.text)
    episodes.delete(twin.id)
  }
  episodes.set(episode, vector)
  return { episode, vector }
}

/** The earlier episode that tells of the same event. One that was not shown is none. */
async function twinOf(episode: NemoriEpisode, vector: Float32Array, parts: NemoriParts): Promise<NemoriEpisode | null> {
  const { model, episodes, settings } = parts
  const near = episodes.nearest(vector, settings.similar)
  if (near.length === 0) return null
  const { decision, target } = await model.ask('decide', Decision, {
    data: { episode: told('-', episode), earlier: near.map(({ row }, i) => told(`[${i}]`, row)).join('\n') },
  })
  return decision === 'merge' ? (near[target]?.row ?? null) : null
}

function episodeOf({ title, content }: Account, row: Pick<NemoriEpisode, 'id' | 'time' | 'sources'>): NemoriEpisode {
  return { ...row, title, content, text: `${title}\n${content}`.trim() }
}

function told(mark: string, { title, content, time }: NemoriEpisode): string {
  return [item(mark, title), field('time', minuteOf(time)), field('content', content)].join('\n')
}
