import { z } from 'zod'
import { splitIntoBatches } from '../../base/batches.js'
import type { Llm } from '../../model/index.js'
import { LlmError } from '../../model/index.js'
import { readPrompts } from '../llm/prompt.js'
import { attempt, byNumber, type Settled, settle } from '../llm/settle.js'

export const paperPrompts = readPrompts(new URL('./prompts.txt', import.meta.url))

export type Stage = 'storage' | 'summary' | 'retrieval' | 'invocation' | 'abstention'

/** Whether one check was passed, and why. */
export interface Check {
  passed: boolean
  reason: string
}

const Single = z.object({ reason: z.string(), passed: z.boolean() })

const Batch = z.object({
  results: z.array(z.object({ id: z.number().int(), reason: z.string(), passed: z.boolean() })),
})

/** Entries of one call where entries are batched. */
const BATCH = 20

/** Makes the calls of the protocol. */
export class PaperCalls {
  readonly #llm: Llm
  readonly #signal: AbortSignal | undefined

  constructor(llm: Llm, signal?: AbortSignal) {
    this.#llm = llm
    this.#signal = signal
  }

  /** One check in a call of its own; why there is none when there is none. */
  async one(section: `${Stage} ${string}`, label: string, content: string): Promise<Settled<Check>> {
    const reply = await attempt(() =>
      this.#llm.generate(
        { messages: messages(section, 'reply', content), schema: Single, temperature: 0 },
        { role: 'judge', label, ...(this.#signal && { signal: this.#signal }) },
      ),
    )
    return reply instanceof LlmError ? { failure: reply.message } : { verdict: reply.object }
  }

  /** Many checks, 20 a call. `write` puts numbered entries into a message. */
  async many<T>(
    section: `${Stage} ${string}`,
    items: readonly T[],
    write: (items: readonly T[]) => string,
  ): Promise<Settled<Check>[]> {
    const settled = await Promise.all(
      splitIntoBatches(items, BATCH).map((batch) =>
        settle<T, Check>(batch, async (open, complaint) => {
          const close = `Check each of the entries 1 to ${open.length}.`
          const content = [
            write(open),
            close,
            ...(complaint === null ? [] : [`An earlier reply could not be used: ${complaint}.`]),
          ]
          const { object } = await this.#llm.generate(
            { messages: messages(section, 'reply batch', content.join('\n\n')), schema: Batch, temperature: 0 },
            {
              role: 'judge',
              label: `${section}, ${open.length} entries`,
              ...(this.#signal && { signal: this.#signal }),
            },
          )
          const { entries, complaint: wrong } = byNumber(object.results, open.length)
          return { verdicts: entries, complaint: wrong }
        }),
      ),
    )
    return settled.flat()
  }
}

function messages(section: string, reply: 'reply' | 'reply batch', content: string) {
  const system = [section, 'data', reply].map((name) => paperPrompts.section(name)).join('\n')
  return [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content },
  ]
}
