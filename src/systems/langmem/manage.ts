import { z } from 'zod'
import type { Conversation, SystemContext } from '../../model/index.js'
import { choiceOption, countOption, switchOption, temperatureOption } from '../options.js'
import {
  type Asker,
  formatTranscript,
  type Kept,
  longDayOf,
  numbered,
  type Tool,
  ToolError,
  toolOf,
  withSource,
} from '../parts/index.js'
import type { PROMPTS } from './prompts.js'
import type { MemoryStore } from './stores.js'

export const OPTIONS = z.object({
  write: choiceOption(
    ['manager', 'raw'],
    'manager: the model inserts and changes memories; raw: sessions as they are, no model',
  ),
  deletes: switchOption('off', 'on: the manager may also take memories out'),
  lookup: choiceOption(
    ['last', 'conversation'],
    'what memories are looked up by before a change: last (message) or conversation',
  ),
  neighbours: countOption('5', 'memories shown to the manager'),
  rounds: countOption('1', 'calls of the model for a conversation, at most', { max: 10 }),
  most: countOption('0', 'raw: entries kept, from the first on; what comes later is lost; 0: all', { min: 0 }),
  store: choiceOption(
    ['array', 'langgraph'],
    'array, or langgraph: the store of the optional package @langchain/langgraph',
  ),
  temperature: temperatureOption('0'),
})

/** What the manager works with. */
interface ManagerParts {
  context: SystemContext
  settings: z.output<typeof OPTIONS>
  model: Asker<keyof typeof PROMPTS>
  store: MemoryStore
  nextId: () => string
}

/** Shows the model a conversation beside memories that are near it, and does what it calls for once it has finished: all of it or nothing. */
export async function manage(conversation: Conversation, parts: ManagerParts): Promise<void> {
  const { model, store, settings, context } = parts
  const { id: source, time, turns } = conversation
  // LangMem looks memories up by the last message alone, whoever said it.
  const said = turns.map(({ text }) => text).filter((text) => text.trim() !== '')
  const sought = (settings.lookup === 'last' ? said.slice(-1) : said).join('\n')
  const near = (await store.search(sought, settings.neighbours)).map(({ row }) => row)
  const change = new Change(conversation, near)
  const tools = model.prompt(settings.deletes ? 'tools-remove' : 'tools-keep')
  const result = await model.loop('manage', {
    values: { day: longDayOf(time), tools },
    data: { session: formatTranscript(conversation), memories: numbered(near) },
    tools: change.tools(settings.deletes),
    rounds: settings.rounds,
    force: true,
  })
  for (const { name, output, failed } of result.calls)
    if (failed) context.log(`langmem: ${name} passed over: ${output}`)
  const inserts = [...change.inserts].map((text) => ({ id: parts.nextId(), text, time, sources: [source] }))
  await store.change([...change.patches.values(), ...inserts], change.removed)
}

/** What a model calls for, gathered: nothing reaches the store before it has finished. */
class Change {
  /** Texts of new memories. A model that corrects one call may make the others again: each is recorded once. */
  readonly inserts = new Set<string>()
  readonly patches = new Map<string, Kept>()
  readonly removed = new Set<string>()

  constructor(
    readonly conversation: Conversation,
    readonly near: readonly Kept[],
  ) {}

  tools(deletes: boolean): Tool[] {
    const { id: source, time } = this.conversation
    const content = z.string().describe('The memory: one self-contained note.')
    const number = z.number().int().describe('The number of a memory that was shown.')
    const insert = toolOf(
      'insert',
      'Records one new memory. Call it once for each.',
      z.object({ content }),
      ({ content: text }) => {
        this.inserts.add(stated(text))
        return 'Recorded.'
      },
    )
    const patch = toolOf('patch', 'Gives a stored memory another text.', z.object({ number, content }), (made) => {
      const { id, sources } = this.#shown(made.number)
      this.patches.set(id, { id, text: stated(made.content), time, sources: withSource(sources, source) })
      return 'Changed.'
    })
    const remove = toolOf('remove', 'Takes a stored memory out.', z.object({ number }), (made) => {
      const { id } = this.#shown(made.number)
      this.patches.delete(id)
      this.removed.add(id)
      return 'Removed.'
    })
    const nothing = 'Says that nothing is to be recorded, or nothing more.'
    const done = { ...toolOf('done', nothing, z.object({}), () => 'Done.'), ends: true }
    return [insert, patch, ...(deletes ? [remove] : []), done]
  }

  #shown(at: number): Kept {
    const row = this.near[at]
    if (!row || this.removed.has(row.id)) throw new ToolError(`There is no memory ${at}.`)
    return row
  }
}

function stated(text: string): string {
  if (text.trim() === '') throw new ToolError('The memory is empty.')
  return text.trim()
}
