import { z } from 'zod'
import type { Conversation } from '../../model/index.js'
import { choiceOption, countOption, switchOption, temperatureOption } from '../options.js'
import {
  bulleted,
  embedAll,
  embedOne,
  formatTranscript,
  idCounter,
  isSilent,
  type Kept,
  longDayOf,
  numbered,
  numberIn,
  partsMaker,
  VectorTable,
  withSource,
} from '../parts/index.js'
import { FIXED } from './fixed.js'
import { PROMPTS } from './prompts.js'

export const OPTIONS = z.object({
  decide: switchOption('on', 'on, or off: add every fact as it is, without the step that merges and deletes'),
  about: choiceOption(['user', 'all'], 'whom facts may be about: user, or all the user speaks of'),
  neighbours: countOption('5', 'memories looked up for every new fact'),
  temperature: temperatureOption('0.1'),
})

const Facts = z.object({ facts: z.array(z.string()) })
const Decisions = z.object({
  memory: z.array(z.object({ id: z.string(), text: z.string(), event: z.enum(['ADD', 'UPDATE', 'DELETE', 'NONE']) })),
})
type Decision = z.infer<typeof Decisions>['memory'][number]

/** What storing works with. */
export type Mem0V1Parts = ReturnType<typeof partsOf>

export const partsOf = partsMaker(
  { name: 'mem0-v1', options: OPTIONS, prompts: PROMPTS, maxTokens: FIXED.maxTokens },
  ({ context, journal }) => ({
    table: new VectorTable<Kept>(context.embed.dimensions, journal),
    nextId: idCounter('m', journal),
  }),
)

/** Extracts facts, then lets the model add, update and delete memories. */
export async function storeConversation(conversation: Conversation, parts: Mem0V1Parts): Promise<void> {
  if (isSilent(conversation)) return
  const { context, model, table, settings } = parts
  const day = longDayOf(conversation.time)
  const extracted = await model.ask('extract', Facts, {
    system: model.prompt(settings.about === 'all' ? 'extract-all' : 'extract', { day }),
    data: { conversation: formatTranscript(conversation) },
  })
  const facts = extracted.facts.filter((fact) => fact.trim() !== '')
  if (facts.length === 0) return
  const vectors = new Map((await embedAll(context, facts)).map((vector, i) => [facts[i]!, vector]))
  const change = new Change(conversation, vectors, parts)
  if (!settings.decide) {
    for (const fact of facts) await change.add(fact)
    return
  }
  const found = [...vectors.values()].flatMap((vector) => table.nearest(vector, settings.neighbours))
  const near = [...new Map(found.map(({ row }) => [row.id, row])).values()]
  const { memory } = await model.ask('decide', Decisions, {
    data: { memories: numbered(near), facts: bulleted(facts) },
  })
  for (const decision of memory) await change.apply(decision, near)
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
    await this.#set(this.parts.nextId(), text, [])
  }

  /** Decisions without text, and those on memories that were not shown or are gone by now, are passed over as Mem0 does. */
  async apply({ id, text, event }: Decision, near: readonly Kept[]): Promise<void> {
    const { table, context } = this.parts
    if (event === 'NONE' || text.trim() === '') return
    if (event === 'ADD') return this.add(text)
    const target = table.get(near[numberIn(id)]?.id ?? '')
    if (!target) context.log(`mem0-v1: ${event} of memory "${id}", which was not shown`)
    else if (event === 'DELETE') table.delete(target.id)
    else await this.#set(target.id, text, target.sources)
  }

  async #set(id: string, text: string, before: readonly string[]): Promise<void> {
    const { id: source, time } = this.conversation
    const vector = this.vectors.get(text) ?? (await embedOne(this.parts.context, text))
    this.parts.table.set({ id, text, time, sources: withSource(before, source) }, vector)
  }
}
