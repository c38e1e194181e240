import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { formatTranscript, numbered, setAll } from '../parts/index.js'
import type { NemoriEpisode, NemoriParts } from './parts.js'

const Statements = z.object({ statements: z.array(z.string()) })

/** Learns statements from an episode. Where anything near it is known, the model foretells it first, and only what that lacks is learnt. */
export async function learn(
  segment: Conversation,
  { title, content }: NemoriEpisode,
  vector: Float32Array,
  { context, model, statements, nextStatement, settings }: NemoriParts,
): Promise<void> {
  const near = settings.predict ? statements.nearest(vector, settings.known) : []
  const values = { scope: model.prompt(settings.lasting ? 'scope-lasting' : 'scope-everything') }
  const data = { statements: numbered(near.map(({ row }) => row)), title: item('-', title) }
  const prediction = near.length === 0 ? null : await model.say('predict', { data })
  const learnt =
    prediction === null
      ? await model.ask('direct', Statements, {
          values,
          data: { episode: `${item('-', title)}\n${field('content', content)}` },
        })
      : await model.ask('compare', Statements, {
          values,
          data: { conversation: formatTranscript(segment), prediction: item('-', prediction) },
        })
  const texts = learnt.statements.map((text) => text.trim()).filter((text) => text !== '')
  const rows = texts.map((text) => ({ id: nextStatement(), text, time: segment.time, sources: [segment.id] }))
  await setAll(context, rows, (row, own) => statements.set(row, own))
}
