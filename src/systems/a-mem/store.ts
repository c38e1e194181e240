import type { Conversation, SystemContext } from '../../model/index.js'
import { type Asker, embedAll, embedOne, type Prompts, type VectorTable, withSource } from '../parts/index.js'
import { analyse, type Evolution, evolution } from './evolve.js'
import { BLANK, exchangesOf, indexed, type Note, type NoteForm, opening, sessionOf, written } from './notes.js'
import type { PROMPTS } from './prompts.js'

export interface AMemSettings {
  note: 'exchange' | 'session'
  analyse: boolean
  evolve: boolean
  /** Whether links and what is said of neighbours take effect, or only the new note's own tags. */
  reach: 'all' | 'own'
  /** What vectors are made of. */
  index: 'note' | 'content'
  /** Words and signs that are read for a vector; 0: all. */
  window: number
  shows: NoteForm
  neighbours: number
  /** Evolutions after which changed notes are indexed anew. */
  rebuild: number
  dropOutdated: boolean
  temperature: number
}

/** What storing works with. */
export interface AMemParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  table: VectorTable<Note>
  nextId: () => string
  settings: AMemSettings
  state: {
    sessions: number
    evolutions: number
    /** Ids of notes whose vectors are older than what is said of them. */
    changed: Set<string>
  }
}

const OUTDATED = 'outdated'

/** Turns a conversation into notes, one after the other, each of which may change how older ones are seen. */
export async function storeConversation(conversation: Conversation, parts: AMemParts): Promise<void> {
  const { context, settings, state } = parts
  const contents =
    settings.note === 'exchange' ? exchangesOf(conversation) : sessionOf(conversation, state.sessions + 1)
  if (contents.length === 0) return
  state.sessions++
  const analyses = settings.analyse ? await Promise.all(contents.map((content) => analyse(content, parts))) : []
  const vectors = await embedAll(
    context,
    contents.map((content) => opening(content, settings.window)),
  )
  for (const [i, content] of contents.entries()) {
    await addNote({ ...BLANK, ...analyses[i], content }, vectors[i]!, conversation, parts)
  }
}

async function addNote(
  given: Pick<Note, 'content' | 'context' | 'keywords' | 'tags' | 'links' | 'outdated'>,
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

/** The new note after its evolution; its neighbours are changed in place. Numbers that were not shown are passed over. */
function evolved(
  note: Omit<Note, 'text'>,
  { actions, suggested_connections, tags_to_update, neighbours }: Evolution,
  near: readonly Note[],
  source: string,
  parts: AMemParts,
): Omit<Note, 'text'> {
  const everywhere = parts.settings.reach === 'all'
  if (actions.includes('update_neighbor') && everywhere) {
    for (const { number, context, tags } of neighbours) {
      const target = near[number]
      if (target) update(target, { context, tags }, source, parts)
    }
  }
  if (!actions.includes('strengthen')) return note
  const links = everywhere ? [...new Set(suggested_connections.flatMap((number) => near[number]?.id ?? []))] : []
  return { ...note, tags: tags_to_update, links }
}

function update(
  target: Note,
  said: Pick<Note, 'context' | 'tags'>,
  source: string,
  { table, settings, state }: AMemParts,
): void {
  const outdated = settings.dropOutdated && said.tags.some((tag) => tag.toLowerCase() === OUTDATED)
  const sources = withSource(target.sources, source)
  table.set(written({ ...target, ...said, outdated, sources }, settings.shows))
  state.changed.add(target.id)
}

/** Brings vectors up to date with what evolution has said since; those of unchanged notes would come out the same. */
async function rebuild({ context, table, settings, state }: AMemParts): Promise<void> {
  const notes = [...state.changed].flatMap((id) => table.get(id) ?? [])
  const texts = notes.map((note) => indexed(note, settings.index, settings.window))
  for (const [i, vector] of (await embedAll(context, texts)).entries()) table.set(notes[i]!, vector)
  state.changed.clear()
}
