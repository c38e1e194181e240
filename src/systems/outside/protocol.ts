import { z } from 'zod'
import { fingerprint } from '../../base/hash.js'
import type { Memory, MemorySystem } from '../../model/index.js'

/** Version of the protocol that is spoken. */
export const PROTOCOL = 1

/** Longest reply that is read. */
export const MOST_BYTES = 64 * 2 ** 20

const OPTIONAL = ['dump', 'settle', 'answer', 'insert', 'snapshot', 'restore'] as const

/** What a memory declares when it is opened. Nulls stand for what is left out: many languages write them. */
export const declaredSchema = z
  .object({
    offers: z.array(z.enum(OPTIONAL)),
    name: z.string().regex(/^[^\s:=]+$/, 'expected a name without spaces, ":" or "="'),
    version: z.string(),
    about: z.string(),
    atomic: z.boolean(),
    idempotent: z.boolean(),
    concurrency: z.int().min(1),
    time: z.boolean(),
    depth: z.enum(['k', 'fixed']),
    answers: z.boolean(),
    model: z.boolean(),
  })
  .partial()

export type Declared = z.infer<typeof declaredSchema>

/** A reply: a value, or why there is none. */
const replySchema = z.object({
  id: z.int(),
  value: z.unknown().optional(),
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
})

const conversation = z.object({
  id: z.string(),
  time: z.string(),
  turns: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })),
})
const query = z.object({ id: z.string(), text: z.string(), time: z.string() })
const memory = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  text: z.string(),
  score: z.number().nullish(),
  time: z.string().nullish(),
  status: z.enum(['live', 'invalidated', 'tombstone']).nullish(),
  sources: z.array(z.string()).nullish(),
})
const memories = z.array(z.union([z.string(), memory]))
const common = { id: z.int(), memory: z.string(), now: z.string() }

const modelSchema = z.object({ url: z.string(), token: z.string(), name: z.string() })
const depth = z.union([z.object({ k: z.int() }), z.object({ tokens: z.int() }), z.literal('all')])

/** Everything that is said, for those who write a server: requests by what they do, replies, and what the value of each is. */
export const protocolSchema = z.object({
  request: z.union([
    z.object({
      ...common,
      do: z.literal('open'),
      protocol: z.literal(PROTOCOL),
      options: z.record(z.string(), z.string()),
      workdir: z.string().optional(),
      model: modelSchema.optional(),
    }),
    z.object({ ...common, do: z.literal('store'), conversation }),
    z.object({ ...common, do: z.literal('retrieve'), query, k: z.int(), depth }),
    z.object({ ...common, do: z.literal('settle'), timeoutMs: z.number() }),
    z.object({ ...common, do: z.literal('answer'), query }),
    z.object({ ...common, do: z.literal('insert'), memories }),
    z.object({ ...common, do: z.literal('restore'), snapshot: z.unknown() }),
    z.object({ ...common, do: z.enum(['dump', 'snapshot', 'close']) }),
  ]),
  reply: replySchema,
  values: z.object({
    open: declaredSchema.nullish(),
    retrieve: memories,
    dump: memories,
    answer: z.union([z.string(), z.object({ text: z.string(), used: memories.nullish() })]),
    snapshot: z.unknown(),
  }),
})

/** Characters of an error or of nonsense that are shown. */
const MOST_SHOWN = 2000

/** A reply as it was read; `message` is null unless it is an error. */
export interface Reply {
  id: number
  value: unknown
  message: string | null
}

/**
 * What a line or a body says; nothing of an empty line.
 *
 * @param safe takes out what is to be kept nowhere
 */
export function readReply(bytes: Uint8Array, safe = (text: string): string => text): { reply?: Reply; wrong?: string } {
  let text: string
  try {
    text = safe(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return { wrong: 'what it wrote is no text in UTF-8' }
  }
  if (text.trim() === '') return {}
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return { wrong: `it wrote what is no JSON: ${quoteStart(text)}` }
  }
  const read = replySchema.safeParse(said)
  if (!read.success) return { wrong: `it wrote what is no reply: ${quoteStart(text)}` }
  const { id, value, error } = read.data
  const message = typeof error === 'string' ? error : (error?.message ?? null)
  return { reply: { id, value, message: message?.slice(0, MOST_SHOWN) ?? null } }
}

/** The first 120 characters of a text, in quotation marks. */
export function quoteStart(text: string): string {
  const clean = text.trim()
  return JSON.stringify(clean.length > 120 ? `${clean.slice(0, 120)}…` : clean)
}

type Request = z.infer<typeof protocolSchema>['request']

/** What a memory is told to do; which memory, and when, is added on the way. */
export type MemoryOrder = Request extends infer One
  ? One extends Request
    ? Omit<One, keyof typeof common>
    : never
  : never

/** A way to one memory. Rejects with `MemoryGoneError` once nothing can be asked any more. */
export interface Connection {
  ask(order: MemoryOrder, now: string): Promise<unknown>
  /** The memory was closed in order: what served it may serve another. */
  release(): void
  /** Ends it at once, whatever it does. */
  end(why: string): void
}

/** What memories returned, as the contract has them: texts become memories, and what has no id is called by its text. */
export function memoriesIn(returned: unknown): unknown {
  if (!Array.isArray(returned)) return returned
  const seen = new Map<string, number>()
  return returned.map((one: unknown) => {
    const given = typeof one === 'string' ? { text: one } : one
    if (typeof given !== 'object' || given === null) return given
    const { id, ...rest } = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    if (id !== undefined) return { ...rest, id: typeof id === 'number' ? String(id) : id }
    const name = `text-${fingerprint(String(rest.text)).slice(0, 12)}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return { ...rest, id: times === 1 ? name : `${name}-${times}` }
  })
}

/**
 * A memory whose ids are those of its last dump: what is retrieved under an id that the dump does not hold, or holds with another text, is
 * found there by its text.
 */
export function linkedByText(system: MemorySystem): MemorySystem {
  const { dump } = system
  if (!dump) return system
  let held = new Map<string, string>()
  let byText = new Map<string, string[]>()
  return {
    ...system,
    dump: async () => {
      const memories = await dump()
      if (Array.isArray(memories)) {
        held = new Map(memories.map(({ id, text }) => [id, text]))
        byText = new Map()
        for (const { id, text } of memories) byText.set(keyOf(text), [...(byText.get(keyOf(text)) ?? []), id])
      }
      return memories
    },
    retrieve: async (query, k, depth) => {
      const found = await system.retrieve(query, k, depth)
      if (!Array.isArray(found)) return found
      const isOwn = ({ id, text }: Memory) => held.get(id) === text
      const taken = new Set(found.filter(isOwn).map(({ id }) => id))
      return found.map((memory) => {
        if (isOwn(memory)) return memory
        const id = byText.get(keyOf(memory.text))?.find((one) => !taken.has(one))
        if (id === undefined) return memory
        taken.add(id)
        return { ...memory, id, text: held.get(id)! }
      })
    },
  }
}

function keyOf(text: unknown): string {
  return String(text).trim().replace(/\s+/g, ' ')
}
