import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { sha256 } from '../../base/hash.js'
import { printable, shortened } from '../../base/text.js'
import { isIsoTime, type Memory } from '../../model/index.js'
import { refuseTakenName } from '../taken-names.js'

/** Raised when what is exported or read takes another form. */
export const TRACES_FORM = 1

/** Larger files do not fit into one text. */
const MOST_BYTES = 500_000_000
const MOST_CHARACTERS = 1_000_000

/** Which questions were asked: what finds them again, and the hash by which they are known to be the same. */
const settingSchema = z.object({
  hash: z.string(),
  suite: z.array(z.string()).min(1),
  size: z.union([z.enum(['quick', 'paper']), z.int().positive()]),
  seed: z.int().nonnegative(),
  view: z.enum(['audited', 'released']),
  settings: z.record(z.string(), z.string()),
  /** Flags that name files or folders of one machine: whoever scores gives them again. */
  local: z.array(z.string()),
})

export type ScoringSetting = z.infer<typeof settingSchema>

const headerSchema = z.object({
  form: z.literal(TRACES_FORM),
  setting: settingSchema,
  // Names of systems have neither spaces nor signs of specs.
  system: z
    .string()
    .max(80)
    .transform((name) =>
      printable(name)
        .trim()
        .replace(/[\s:=,]+/g, '-'),
    )
    .pipe(z.string().min(1, 'expected a name')),
  version: z.union([z.string().max(80), z.number()]).nullish(),
  depth: z.enum(['k', 'fixed']).nullish(),
  time: z.boolean().nullish(),
})

const text = z.string().max(MOST_CHARACTERS)

// What writes null for nothing, as Python does, is understood.
const memorySchema = z.preprocess(
  (given) => (typeof given === 'string' ? { text: given } : given),
  z.object({
    text,
    id: z.union([z.string().min(1).max(1_000), z.number()]).nullish(),
    score: z.number().nullish(),
    time: z
      .string()
      .refine((time) => time === '' || isIsoTime(time), 'expected a day or a time in ISO 8601, or none')
      .nullish(),
    status: z.enum(['live', 'invalidated', 'tombstone']).nullish(),
    sources: z.array(z.string()).nullish(),
  }),
)

const traceSchema = z.object({
  query: z.string(),
  memories: z.array(memorySchema),
  answer: z.union([text, z.object({ text })], 'expected a text, or { text }').nullish(),
})

const dumpSchema = z.object({ moment: z.string(), memories: z.array(memorySchema) })

/** A memory as it was brought, perhaps without an id. */
export type BroughtMemory = Omit<Memory, 'id'> & { id?: string }

/** What was retrieved for one question, best first, and what was answered. */
export interface BroughtQuestion {
  line: number
  memories: BroughtMemory[]
  answer?: string
}

/** What somebody brings of a system that was run elsewhere. */
export interface BroughtTraces {
  /** Name of the file, as messages tell it. */
  shown: string
  header: z.infer<typeof headerSchema>
  /** Hash of all of it. */
  content: string
  /** By the ids of queries, and of moments. */
  questions: Map<string, BroughtQuestion>
  dumps: Map<string, { line: number; memories: BroughtMemory[] }>
}

/**
 * Reads a file of traces: a header, then one question or one dump a line, in any order. What is not of this form is refused with its line.
 *
 * @throws UserError
 */
export async function readTraces(path: string): Promise<BroughtTraces> {
  const shown = basename(path)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`The traces ${path} cannot be read (${error.code ?? error.message}).`, 'Name a file of traces.')
  })
  if (bytes.length > MOST_BYTES) throw new UserError(`${shown} has more than ${MOST_BYTES / 1e6} MB.`, 'Split it.')
  let lines: string[]
  try {
    lines = new TextDecoder('utf-8', { fatal: true }).decode(bytes).split('\n')
  } catch {
    throw new UserError(`${shown} is no UTF-8.`)
  }
  const wrong = (line: number, what: string) => new UserError(`${shown}, line ${line}: ${quoted(what)}.`, HINT)
  const parsed = <T>(schema: z.ZodType<T>, value: unknown, line: number): T => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const { path: place, message } = result.error.issues[0]!
    throw wrong(line, place.length > 0 ? `${place.join('.')}: ${message}` : message)
  }
  let header: BroughtTraces['header'] | null = null
  const questions: BroughtTraces['questions'] = new Map()
  const dumps: BroughtTraces['dumps'] = new Map()
  for (const [at, written] of lines.entries()) {
    const line = at + 1
    if (written.trim() === '') continue
    const value = jsonOf(written)
    if (typeof value !== 'object' || value === null) throw wrong(line, 'expected an object in JSON')
    if (!header) {
      header = parsed(headerSchema, value, line)
      refuseTakenName(header.system, `${shown}, line ${line}`, 'Write a name of your own as "system".')
      continue
    }
    const requireNew = (id: string, before: { line: number } | undefined) => {
      if (before) throw wrong(line, `"${id}" was brought before, in line ${before.line}`)
    }
    if ('moment' in value) {
      const { moment, memories } = parsed(dumpSchema, value, line)
      requireNew(moment, dumps.get(moment))
      const twice = idOfTwo(memories.map(plain))
      if (twice !== null) throw wrong(line, `two memories with different texts have the id "${twice}"`)
      dumps.set(moment, { line, memories: memories.map(plain) })
    } else {
      const { query, memories, answer } = parsed(traceSchema, value, line)
      requireNew(query, questions.get(query))
      const said = typeof answer === 'object' ? answer?.text : answer
      questions.set(query, { line, memories: memories.map(plain), ...(said != null && { answer: said }) })
    }
  }
  if (!header) throw new UserError(`${shown} is empty.`, HINT)
  return { shown, header, content: sha256(bytes).slice(0, 16), questions, dumps }
}

const HINT = 'The form of traces is told in docs/traces.md.'

/** Words of somebody else inside a message. */
export function quoted(words: string): string {
  return shortened(printable(words), 200)
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

function plain({ text, id, score, time, status, sources }: z.infer<typeof memorySchema>): BroughtMemory {
  return {
    text,
    ...(id != null && { id: String(id) }),
    ...(score != null && { score }),
    ...(time != null && { time }),
    ...(status != null && { status }),
    ...(sources != null && { sources }),
  }
}

/** An id that two memories of different texts share; null when there is none. */
function idOfTwo(memories: readonly BroughtMemory[]): string | null {
  const texts = new Map<string, string>()
  for (const { id, text } of memories) {
    if (id === undefined) continue
    if ((texts.get(id) ?? text) !== text) return id
    texts.set(id, text)
  }
  return null
}
