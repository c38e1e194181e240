import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import { minuteOf } from '../parts/index.js'
import type { Note } from './notes.js'
import type { AMemParts } from './store.js'

const Analysis = z.object({ keywords: z.array(z.string()), context: z.string(), tags: z.array(z.string()) })

const Evolution = z.object({
  should_evolve: z.boolean(),
  actions: z.array(z.enum(['strengthen', 'update_neighbor'])),
  suggested_connections: z.array(z.number().int()),
  tags_to_update: z.array(z.string()),
  neighbours: z.array(z.object({ number: z.number().int(), context: z.string(), tags: z.array(z.string()) })),
})

export type Evolution = z.infer<typeof Evolution>

/** What the model says a note is about. */
export async function analyse(content: string, { model, prompts, settings }: AMemParts) {
  return model.ask({
    step: 'analyse',
    role: 'ingest',
    system: prompts.text('analyse'),
    data: { note: item('-', content) },
    schema: Analysis,
    temperature: settings.temperature,
  })
}

/** What a new note means for the notes nearest to it. */
export async function evolution(
  note: Omit<Note, 'text'>,
  near: readonly Note[],
  { model, prompts, settings }: AMemParts,
): Promise<Evolution> {
  const more = settings.dropOutdated ? `\n\n${prompts.text('outdated')}` : ''
  return model.ask({
    step: 'evolve',
    role: 'ingest',
    system: `${prompts.text('evolve')}${more}`,
    data: { note: shown('-', note), neighbours: near.map((other, i) => shown(`[${i}]`, other)).join('\n') },
    schema: Evolution,
    temperature: settings.temperature,
  })
}

function shown(mark: string, { content, time, context, keywords, tags }: Omit<Note, 'text'>): string {
  return [
    item(mark, content),
    field('time', minuteOf(time)),
    field('context', context),
    field('keywords', keywords.join(', ')),
    field('tags', tags.join(', ')),
  ].join('\n')
}
