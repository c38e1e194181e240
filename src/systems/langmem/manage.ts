import { z } from 'zod'
import type { Conversation, SystemContext } from '../../model/index.js'
import {
  type Asker,
  formatTranscript,
  type Kept,
  longDayOf,
  numbered,
  type Prompts,
  type Tool,
  ToolError,
  withSource,
} from '../parts/index.js'
import type { MemoryStore } from './array-store.js'
import type { PROMPTS } from './prompts.js'

export interface ManagerSettings {
  /** Memories shown to the model. */
  neighbours: number
  /** What they are looked up by. */
  lookup: 'last' | 'conversation'
  deletes: boolean
  /** Most calls of the model for a conversation. */
  rounds: number
  temperature: number
}

/** What the manager works with. */
export interface ManagerParts {
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  store: MemoryStore
  nextId: () => string
  settings: ManagerSettings
  context: Pick<SystemContext, 'log'>
}

const MAX_TOKENS = 4000

/** Shows the model a conversation beside memories that are near it, and does what it calls for once it has finished: all of it or nothing. */
export async function manage(conversation: Conversation, parts: ManagerParts): Promise<void> {
  const { model, prompts, store, settings, context } = parts
  const near = (await store.search(sought(conversation, settings), settings.neighbours)).map(({ row }) => row)
  const change = new Change(conversation, near)
  const result = await model.loop({
    step: 'manage',
    role: 'ingest',
    system: prompts.text('manage', {
      day: longDayOf(conversation.time),
      tools: prompts.text(settings.deletes ? 'tools-remove' : 'tools-keep'),
    }),
    data: { session: formatTranscript(conversation), memories: numbered(near.map(({ text }) => text)) },
    tools: change.tools(settings.deletes),
    rounds: settings.rounds,
    force: true,
    temperature: settings.temperature,
    maxTokens: MAX_TOKENS,
  })
  for (const { name, output, failed } of result.calls)
    if (failed) context.log(`langmem: ${name} passed over: ${output}`)
  const { id: source, time } = conversation
  const inserts = [...change.inserts].map((text) => ({ id: parts.nextId(), text, time, sources: [source] }))
  await store.change([...change.patches.values(), ...inserts], change.removed)
}

/** LangMem looks memories up by the last message alone, whoever said it. */
function sought({ turns }: Conversation, { lookup }: ManagerSettings): string {
  const said = turns.filter(({ text }) => text.trim() !== '')
  return (lookup === 'last' ? said.slice(-1) : said).map(({ text }) => text).join('\n')
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
    const insert: Tool<{ content: string }> = {
      name: 'insert',
      description: 'Records one new memory. Call it once for each.',
      parameters: z.object({ content }),
      run: ({ content: text }) => {
        this.inserts.add(stated(text))
        return 'Recorded.'
      },
    }
    const patch: Tool<{ number: number; content: string }> = {
      name: 'patch',
      description: 'Gives a stored memory another text.',
      parameters: z.object({ number, content }),
      run: ({ number: at, content: text }) => {
        const { id, sources } = this.#shown(at)
        this.patches.set(id, { id, text: stated(text), time, sources: withSource(sources, source) })
        return 'Changed.'
      },
    }
    const remove: Tool<{ number: number }> = {
      name: 'remove',
      description: 'Takes a stored memory out.',
      parameters: z.object({ number }),
      run: ({ number: at }) => {
        const { id } = this.#shown(at)
        this.patches.delete(id)
        this.removed.add(id)
        return 'Removed.'
      },
    }
    const done: Tool<object> = {
      name: 'done',
      description: 'Says that nothing is to be recorded, or nothing more.',
      parameters: z.object({}),
      ends: true,
      run: () => 'Done.',
    }
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
