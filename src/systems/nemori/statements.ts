import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { formatTranscript, numbered, setAll } from '../parts/index.js'
import type { NemoriEpisode, NemoriParts } from './parts.js'

const Statements = z.object({ statements: z.array(z.string()) })

/** What is foretold where nothing known is near enough to an episode: nothing, without a call. */
const UNKNOWN = 'Nothing is known from which the episode could be foretold.'

/**
 * Learns statements from an episode: what a prediction from known ones lacks. Where nothing is known at all, they come from the episode. Scores
 * are 1 less the squared distance of unit vectors, 2 cosine - 1, which is what Chroma's default space gives Nemori.
 */
export async function learn(
  segment: Conversation,
  { title, content }: NemoriEpisode,
  vector: Float32Array,
  { context, model, statements, nextStatement, settings }: NemoriParts,
): Promise<void> {
  const near = statements.nearest(vector, settings.known).filter(({ score }) => 2 * score - 1 >= settings.near)
  const values = { scope: model.prompt(settings.lasting ? 'scope-lasting' : 'scope-everything') }
  const data = { statements: numbered(near.map(({ row }) => row)), title: item('-', title) }
  const foretold = async () => (near.length === 0 ? UNKNOWN : model.say('predict', { data }))
  const learnt =
    statements.size === 0 || !settings.predict
      ? await model.ask('direct', Statements, {
          values,
          data: { episode: `${item('-', title)}\n${field('content', content)}` },
        })
      : await model.ask('compare', Statements, {
          values,
          data: { conversation: formatTranscript(segment), prediction: item('-', await foretold()) },
        })
  const texts = learnt.statements.map((text) => text.trim()).filter((text) => text !== '')
  const rows = texts.map((text) => ({ id: nextStatement(), text, time: segment.time, sources: [segment.id] }))
  await setAll(context, rows, (row, own) => statements.set(row, own))
}
