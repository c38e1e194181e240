import { cleanText } from '../../base/fence.js'
import { type Answer, LlmError, type LlmRole, type Memory, type Query } from '../../model/index.js'
import { dayOf, memoryOf } from '../parts/index.js'
import { MAX_TOKENS, type WikiParts } from './edit.js'
import { keptPath } from './files.js'
import { readingTools } from './tools.js'

/** An answer with the pages that were opened for it, in the order of opening. */
export interface Read extends Answer {
  used: Memory[]
}

/**
 * Reads the wiki for a question. Looking things up and answering are one loop: what was read for a question is kept until the wiki
 * changes, so that asking for the pages and then for the answer reads once.
 */
export class WikiReader {
  readonly #read = new Map<string, Promise<Read>>()

  constructor(readonly parts: WikiParts) {}

  /** Forgets what was read: the wiki has changed. */
  changed(): void {
    this.#read.clear()
  }

  ask(query: Query, role: Extract<LlmRole, 'retrieve' | 'answer'>): Promise<Read> {
    const key = JSON.stringify([query.text, query.time])
    const known = this.#read.get(key)
    if (known) return known
    const reading = this.#ask(query, role)
    this.#read.set(key, reading)
    reading.catch(() => this.#read.delete(key))
    return reading
  }

  async #ask(query: Query, role: Extract<LlmRole, 'retrieve' | 'answer'>): Promise<Read> {
    const { model, prompts, files, settings } = this.parts
    const { text, done, calls, rounds } = await model.loop({
      step: 'query',
      role,
      system: prompts.text('query', { day: dayOf(query.time) }),
      data: { question: cleanText(query.text) },
      tools: readingTools(files),
      rounds: settings.reading,
      temperature: settings.temperature,
      maxTokens: MAX_TOKENS,
    })
    if (!done || text.trim() === '') {
      throw new LlmError('unparsable', `The model of wiki gave no answer in ${rounds} rounds.`, 'Allow more `reading`.')
    }
    const opened = calls.filter(({ name, failed }) => name === 'read_file' && !failed)
    // The tool has checked what it was given.
    const paths = new Set(opened.map(({ input }) => keptPath((input as { path: string }).path)))
    return { text, used: [...paths].map((path) => memoryOf(files.open(path))) }
  }
}
