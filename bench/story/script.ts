import { z } from 'zod'
import { readData } from '../../src/base/data-file.js'
import { OUTCOMES, type Rehearsal, type RehearsedCall, type RehearsedReply } from '../../src/model/index.js'

const Rule = z
  .object({
    /** The conversation that is being stored, or the question that is being asked. */
    at: z.union([z.string(), z.array(z.string())]).optional(),
    /** Texts that the prompt must hold, all of them. */
    when: z.union([z.string(), z.array(z.string())]).optional(),
    /** Texts that the prompt must not hold. */
    unless: z.union([z.string(), z.array(z.string())]).optional(),
    json: z.json().optional(),
    text: z.string().optional(),
    calls: z.array(z.object({ name: z.string(), input: z.json() })).optional(),
  })
  .strict()
  .refine(({ json, text, calls }) => [json, text, calls].filter((reply) => reply !== undefined).length === 1, {
    message: 'expected one of json, text and calls',
  })

const Failure = z
  .object({
    question: z.string(),
    /** What the judge says of it; `old_kept`: the old value stands in the store as if current, beside the new. */
    shows: z.enum([...OUTCOMES, 'old_kept']),
    /** Which step does it, in a few words for the table. */
    by: z.string(),
    /** Options that switch that step off; the failure is then gone under the same script. */
    off: z.string(),
    /** Options with which it shows; the defaults unless told. */
    with: z.string().default(''),
  })
  .strict()

/** What the model of one system says in the story, step by step, and the failure it is known for. */
export const Script = z
  .object({
    failures: z.array(Failure).min(1),
    /** Variants and options that get a row of their own in the table. */
    also: z.array(z.string()).default([]),
    steps: z.record(z.string(), z.array(Rule)),
  })
  .strict()

export type Script = z.infer<typeof Script>
export type ScriptRule = z.infer<typeof Rule>
export type KnownFailure = z.infer<typeof Failure>

/** The script of a built-in system: `bench/story/scripts/<name>.json`. */
export function readStoryScript(system: string): Script {
  return readData(new URL(`./scripts/${system}.json`, import.meta.url), Script)
}

/**
 * A model that follows a script: the first rule of the step that fits. A call that no rule fits is a mistake in the script or in the system,
 * and says what was asked.
 */
export function followScript(script: Script, at: () => string): Rehearsal {
  return (call) => {
    const rules = script.steps[call.step] ?? []
    const rule = rules.find((candidate) => fits(candidate, call, at()))
    if (!rule) throw new Error(`No rule of the step "${call.step}" fits at ${at()}:\n${call.prompt}`)
    return replyOf(rule, call)
  }
}

function fits({ at, when, unless }: ScriptRule, { prompt }: RehearsedCall, now: string): boolean {
  if (at !== undefined && ![at].flat().includes(now)) return false
  return (
    [when ?? []].flat().every((text) => prompt.includes(text)) &&
    ![unless ?? []].flat().some((text) => prompt.includes(text))
  )
}

function replyOf({ json, text, calls }: ScriptRule, { prompt }: RehearsedCall): RehearsedReply {
  if (text !== undefined) return { text }
  return calls !== undefined ? { calls: pointed(calls, prompt) } : { json: pointed(json, prompt) }
}

/**
 * Numbers in place of pointers: a text `@User likes tea` becomes the number of the item of the prompt that shows this text, as a model would
 * have read it there; `{ "@": "User likes tea" }` becomes it as a number.
 */
function pointed<T>(value: T, prompt: string): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string' && part.startsWith('@')) return String(numberOf(part.slice(1), prompt))
    if (Array.isArray(part)) return part.map(walk)
    if (part === null || typeof part !== 'object') return part
    const members = Object.entries(part)
    const [first] = members
    if (members.length === 1 && first?.[0] === '@') return numberOf(String(first[1]), prompt)
    return Object.fromEntries(members.map(([key, member]) => [key, walk(member)]))
  }
  // Replaces parts by parts of the same kind.
  return walk(value) as T
}

function numberOf(text: string, prompt: string): number {
  let current: number | null = null
  for (const line of prompt.split('\n')) {
    // Lines that begin with white space go on with the item above them.
    if (!line.startsWith('  ')) {
      const number = /^\W*(\d+)/.exec(line)?.[1]
      current = number === undefined ? null : Number(number)
    }
    if (current !== null && line.includes(text)) return current
  }
  throw new Error(`The prompt shows no numbered item with "${text}":\n${prompt}`)
}
