import { z } from 'zod'
import { field, item } from '../../base/fence.js'
import type { Conversation, Memory } from '../../model/index.js'
import { choiceOption, countOption, switchOption, temperatureOption } from '../options.js'
import { embedAll, embedOne, idCounter, minuteOf, partsMaker, VectorTable, withSource } from '../parts/index.js'
import { BLANK, exchangesOf, indexed, type Note, noteMemory, opening, sessionOf, written } from './notes.js'
import { PROMPTS } from './prompts.js'

export const OPTIONS = z.object({
  note: choiceOption(
    ['exchange', 'session'],
    'what becomes one note: exchange (what the user says and the reply) or session',
  ),
  analyse: switchOption('on', 'on: the model writes keywords, context and tags of every note; off'),
  evolve: switchOption('on', 'on: the model links a new note and describes its neighbours anew; off'),
  reach: choiceOption(['all', 'own'], "what evolution reaches: all, or own: the new note's tags alone"),
  index: choiceOption(['note', 'content'], 'what notes are found by: note (with all that is said of it) or content'),
  window: countOption('0', 'words that are read of what a note is found by; 0: all', { min: 0 }),
  shows: choiceOption(
    ['note', 'line', 'content'],
    'how notes are written out: note, line (without keywords and time) or content',
  ),
  neighbours: countOption('5', 'notes shown beside a new one'),
  rebuild: countOption('100', 'evolutions after which notes are found by what is said of them by then'),
  outdated: choiceOption(['keep', 'drop'], 'drop: evolution may mark a note as outdated, and it is found no more'),
  temperature: temperatureOption('0.7'),
})

const Analysis = z.object({ keywords: z.array(z.string()), context: z.string(), tags: z.array(z.string()) })
const Evolution = z.object({
  should_evolve: z.boolean(),
  actions: z.array(z.enum(['strengthen', 'update_neighbor'])),
  suggested_connections: z.array(z.number().int()),
  tags_to_update: z.array(z.string()),
  neighbours: z.array(z.object({ number: z.number().int(), context: z.string(), tags: z.array(z.string()) })),
})

const OUTDATED = 'outdated'

/** A note that is not written out yet. */
type Unwritten = Omit<Note, 'text'>

/** What storing and finding work with. */
export type AMemParts = ReturnType<typeof partsOf>

export const partsOf = partsMaker({ name: 'a-mem', options: OPTIONS, prompts: PROMPTS }, ({ context, journal }) => ({
  table: new VectorTable<Note>(context.embed.dimensions, journal),
  nextId: idCounter('n', journal),
  /** `changed`: ids of notes whose vectors are older than what is said of them. */
  state: { sessions: 0, evolutions: 0, changed: new Set<string>() },
}))

/** Turns a conversation into notes, one after the other, each of which may change how older ones are seen. */
export async function storeConversation(conversation: Conversation, parts: AMemParts): Promise<void> {
  const { context, model, settings, state } = parts
  const contents =
    settings.note === 'exchange' ? exchangesOf(conversation) : sessionOf(conversation, state.sessions + 1)
  if (contents.length === 0) return
  state.sessions++
  const analyse = (content: string) => model.ask('analyse', Analysis, { data: { note: item('-', content) } })
  const analyses = settings.analyse ? await Promise.all(contents.map(analyse)) : []
  const openings = contents.map((content) => opening(content, settings.window))
  for (const [i, vector] of (await embedAll(context, openings)).entries()) {
    await addNote({ ...BLANK, ...analyses[i], content: contents[i]! }, vector, conversation, parts)
  }
}

async function addNote(
  given: Omit<Unwritten, 'id' | 'time' | 'sources'>,
  vector: Float32Array,
  { id: source, time }: Conversation,
  parts: AMemParts,
): Promise<void> {
  const { context, table, settings, state } = parts
  const fresh = { ...given, id: parts.nextId(), time, sources: [source] }
  const near = settings.evolve ? table.nearest(vector, settings.neighbours, (note) => !note.outdated) : []
  const notes = near.map(({ row }) => row)
  const change = notes.length === 0 ? null : await evolution(fresh, notes, parts)
  const note = change?.should_evolve ? evolved(fresh, change, notes, source, parts) : fresh
  const text = indexed(note, settings.index, settings.window)
  const own = settings.index === 'content' ? vector : await embedOne(context, text)
  table.set(written(note, settings.shows), own)
  if (change?.should_evolve && ++state.evolutions % settings.rebuild === 0) await rebuild(parts)
}

/** What a new note means for the notes nearest to it. */
async function evolution(note: Unwritten, near: readonly Note[], { model, settings }: AMemParts) {
  const more = settings.outdated === 'drop' ? `\n\n${model.prompt('outdated')}` : ''
  return model.ask('evolve', Evolution, {
    system: `${model.prompt('evolve')}${more}`,
    data: { note: shown('-', note), neighbours: near.map((other, i) => shown(`[${i}]`, other)).join('\n') },
  })
}

function shown(mark: string, { content, time, context, keywords, tags }: Unwritten): string {
  return [
    item(mark, content),
    field('time', minuteOf(time)),
    field('context', context),
    field('keywords', keywords.join(', ')),
    field('tags', tags.join(', ')),
  ].join('\n')
}

/** The new note after its evolution; its neighbours are changed in place. Numbers that were not shown are passed over. */
function evolved(
  note: Unwritten,
  { actions, suggested_connections, tags_to_update, neighbours }: z.infer<typeof Evolution>,
  near: readonly Note[],
  source: string,
  { table, settings, state }: AMemParts,
): Unwritten {
  const everywhere = settings.reach === 'all'
  for (const { number, context, tags } of actions.includes('update_neighbor') && everywhere ? neighbours : []) {
    const target = near[number]
    if (!target) continue
    const outdated = settings.outdated === 'drop' && tags.some((tag) => tag.toLowerCase() === OUTDATED)
    const sources = withSource(target.sources, source)
    table.set(written({ ...target, context, tags, outdated, sources }, settings.shows))
    state.changed.add(target.id)
  }
  if (!actions.includes('strengthen')) return note
  const links = everywhere ? [...new Set(suggested_connections.flatMap((number) => near[number]?.id ?? []))] : []
  return { ...note, tags: tags_to_update, links }
}

/** Brings vectors up to date with what evolution has said since; those of unchanged notes would come out the same. */
async function rebuild({ context, table, settings, state }: AMemParts): Promise<void> {
  const notes = [...state.changed].flatMap((id) => table.get(id) ?? [])
  const texts = notes.map((note) => indexed(note, settings.index, settings.window))
  for (const [i, vector] of (await embedAll(context, texts)).entries()) table.set(notes[i]!, vector)
  state.changed.clear()
}

/** Most notes that are found for k: as many hits, as many links, and one more link for every hit after these. */
export const mostNotes = (k: number) => 3 * k

/**
 * The k notes nearest to a question, each followed by the notes it is linked to, which come on top. After k links, each further hit brings one
 * of its own, as in the original. Every note comes once; what came by a link first has no score.
 */
export async function findNotes(question: string, k: number, { table, context }: AMemParts): Promise<Memory[]> {
  if (table.size === 0) return []
  const hits = table.nearest(await embedOne(context, question), k, (note) => !note.outdated)
  const found = new Map<string, Memory>()
  const offer = (note: Note, score?: number) => {
    if (!note.outdated && !found.has(note.id)) found.set(note.id, noteMemory(note, score))
  }
  let links = 0
  for (const { row, score } of hits) {
    offer(row, score)
    for (const id of row.links) {
      offer(table.get(id)!)
      if (links >= k) break
      links++
    }
  }
  return [...found.values()]
}
