import { z } from 'zod'
import { item } from '../../base/fence.js'
import type { Conversation, SystemContext } from '../../model/index.js'
import {
  type Asker,
  embedAll,
  embedOne,
  formatTranscript,
  isSilent,
  type Kept,
  longDayOf,
  numbered,
  type Prompts,
  type VectorTable,
  withSource,
} from '../parts/index.js'
import type { PROMPTS } from './prompts.js'

const Facts = z.object({ facts: z.array(z.string()) })

const Decisions = z.object({
  memory: z.array(z.object({ id: z.string(), text: z.string(), event: z.enum(['ADD', 'UPDATE', 'DELETE', 'NONE']) })),
})

type Decision = z.infer<typeof Decisions>['memory'][number]

export interface Mem0V1Settings {
  /** Memories looked up for every fact. */
  neighbours: number
  temperature: number
  about: 'user' | 'all'
  decide: boolean
}

/** What storing works with. */
export interface Mem0V1Parts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  table: VectorTable<Kept>
  nextId: () => string
  settings: Mem0V1Settings
}

const MAX_TOKENS = 2000

/** Extracts facts, then lets the model add, update and delete memories. */
export async function storeConversation(conversation: Conversation, parts: Mem0V1Parts): Promise<void> {
  if (isSilent(conversation)) return
  const facts = await extract(conversation, parts)
  if (facts.length === 0) return
  const vectors = new Map((await embedAll(parts.context, facts)).map((vector, i) => [facts[i]!, vector]))
  const change = new Change(conversation, vectors, parts)
  if (!parts.settings.decide) {
    for (const fact of facts) await change.add(fact)
    return
  }
  const near = neighboursOf(vectors, parts)
  for (const decision of await decide(facts, near, parts)) await change.apply(decision, near)
}

async function extract(conversation: Conversation, { model, prompts, settings }: Mem0V1Parts): Promise<string[]> {
  const { facts } = await model.ask({
    step: 'extract',
    role: 'ingest',
    system: prompts.text(settings.about === 'all' ? 'extract-all' : 'extract', { day: longDayOf(conversation.time) }),
    data: { conversation: formatTranscript(conversation) },
    schema: Facts,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
  return facts.filter((fact) => fact.trim() !== '')
}

/** The memories nearest to any of the facts, each once, in the order in which they were found. */
function neighboursOf(vectors: ReadonlyMap<string, Float32Array>, { table, settings }: Mem0V1Parts): Kept[] {
  const found = new Map<string, Kept>()
  for (const vector of vectors.values()) {
    for (const { row } of table.nearest(vector, settings.neighbours)) found.set(row.id, row)
  }
  return [...found.values()]
}

async function decide(
  facts: readonly string[],
  near: readonly Kept[],
  { model, prompts, settings }: Mem0V1Parts,
): Promise<Decision[]> {
  const { memory } = await model.ask({
    step: 'decide',
    role: 'ingest',
    system: prompts.text('decide'),
    data: { memories: numbered(near.map(({ text }) => text)), facts: facts.map((fact) => item('-', fact)).join('\n') },
    schema: Decisions,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
  return memory
}

/** Carries out what was decided, for one conversation. */
class Change {
  constructor(
    readonly conversation: Conversation,
    /** Vectors of the facts, which serve for memories of the same words. */
    readonly vectors: ReadonlyMap<string, Float32Array>,
    readonly parts: Mem0V1Parts,
  ) {}

  async add(text: string): Promise<void> {
    const { table, nextId } = this.parts
    const { id: source, time } = this.conversation
    table.set({ id: nextId(), text, time, sources: [source] }, await this.#vectorOf(text))
  }

  /** Decisions without text, and those on memories that were not shown or are gone by now, are passed over as Mem0 does. */
  async apply({ id, text, event }: Decision, near: readonly Kept[]): Promise<void> {
    const { table, context } = this.parts
    if (event === 'NONE' || text.trim() === '') return
    if (event === 'ADD') return this.add(text)
    const target = table.get(near[numberIn(id)]?.id ?? '')
    if (!target) {
      context.log(`mem0-v1: ${event} of memory "${id}", which was not shown`)
      return
    }
    if (event === 'DELETE') {
      table.delete(target.id)
      return
    }
    const { id: source, time } = this.conversation
    const row = { id: target.id, text, time, sources: withSource(target.sources, source) }
    table.set(row, await this.#vectorOf(text))
  }

  async #vectorOf(text: string): Promise<Float32Array> {
    return this.vectors.get(text) ?? (await embedOne(this.parts.context, text))
  }
}

/** `0`, `[0]` and `memory 0` all name the first; anything else names nothing. */
function numberIn(id: string): number {
  return Number(/^\D*(\d+)\D*$/.exec(id)?.[1] ?? Number.NaN)
}
