import { z } from 'zod'
import { countO200kTokens } from '../../base/tokens.js'
import { type Llm, type LlmMessage, type LlmReply, type LlmRequest, NO_USAGE } from '../../model/index.js'

/** What a rehearsal would have sent. Prompt tokens are of the o200k encoding, with what a chat format adds to every call. */
export interface Sent {
  calls: number
  promptTokens: number
  /** Of the schemas that go along; some providers count them, others do not. */
  schemaTokens: number
}

/** A model that is only counted, and finds everything in order. */
export interface JudgeRehearsal extends Llm {
  readonly sent: Sent
}

/** Tokens of a chat of a system and a user message besides their texts. */
const CHAT_OVERHEAD = 11

/**
 * A model for rehearsals: makes no call, counts what would be sent, and answers every request of a judge with "passed". Judges run on it as
 * they are, so that what it counts is what they would send.
 *
 * @example
 * const model = rehearse()
 * await createLlmJudge(model).judgeFacts(facts, store)
 * model.sent.promptTokens
 */
export function rehearse(model = 'rehearsal:o200k'): JudgeRehearsal {
  const sent: Sent = { calls: 0, promptTokens: 0, schemaTokens: 0 }
  return {
    model,
    sent,
    async generate<T>({ messages, schema }: LlmRequest<T>): Promise<LlmReply<T>> {
      sent.calls++
      sent.promptTokens += CHAT_OVERHEAD
      for (const { content } of messages) sent.promptTokens += countByLine(content)
      if (schema) sent.schemaTokens += countOnce(JSON.stringify(schemaOf(schema)))
      return {
        text: '',
        object: passingReply({ messages, ...(schema && { schema }) }),
        toolCalls: [],
        finish: 'stop',
        usage: NO_USAGE,
        cost: 0,
        cached: true,
        repairs: 0,
      }
    },
  }
}

/** What a judge that finds everything in order replies. */
export function passingReply<T>({ messages, schema }: Pick<LlmRequest<T>, 'messages' | 'schema'>): T {
  // Without a schema `T` is undefined, and so is the object.
  return schema ? schema.parse(passing(schemaOf(schema), verdictsIn(messages))) : (undefined as T)
}

const counted = new Map<string, number>()

/**
 * o200k tokens of a prompt, line by line: no token reaches from one line into the next unless that one begins with white space or a slash.
 * Lines of a store come again in every prompt and are counted once.
 */
export function countByLine(text: string): number {
  let sum = 0
  for (const line of text.split(/(?<=\n)(?=[^\s/])/)) sum += countOnce(line)
  return sum
}

function countOnce(text: string): number {
  let tokens = counted.get(text)
  if (tokens === undefined) {
    tokens = countO200kTokens(text)
    counted.set(text, tokens)
  }
  return tokens
}

/** How many verdicts a request asks for: every judge closes with "each of the … 1 to n". */
export function verdictsIn(messages: readonly LlmMessage[]): number {
  const asked = [...(messages.at(-1)?.content ?? '').matchAll(/each of the \w+ 1 to (\d+)\./g)].at(-1)
  return Number(asked?.[1] ?? 1)
}

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  enum?: string[]
}

const shapes = new WeakMap<z.ZodType, Shape>()

function schemaOf(schema: z.ZodType): Shape {
  let shape = shapes.get(schema)
  if (!shape) {
    shape = z.toJSONSchema(schema) as Shape
    shapes.set(schema, shape)
  }
  return shape
}

/** The reply that passes everything: yes to all, for every entry, on the word of the first memory. */
function passing(shape: Shape | undefined, entries: number, id = 1): unknown {
  switch (shape?.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([name, part]) => [
          name,
          name === 'missing'
            ? []
            : part.type === 'array' && name !== 'memories'
              ? Array.from({ length: entries }, (_, i) => passing(part.items, entries, i + 1))
              : name === 'stale'
                ? false
                : passing(part, entries, id),
        ]),
      )
    case 'array':
      return [passing(shape.items, entries)]
    case 'boolean':
      return true
    case 'string':
      return shape.enum?.[0] ?? 'In order.'
    case 'integer':
    case 'number':
      return id
    default:
      return 'In order.'
  }
}
