import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { definedKind, importOwnFile, OtherKindError } from '../../base/own-file.js'
import type { MemorySystem, Rehearsal, SystemDefinition, SystemOptions } from '../../model/index.js'

type Create = SystemDefinition['create']

const isFunction = z.custom<Create>((value) => typeof value === 'function', 'expected a function')
const about = z.string().default('')

const definitionSchema = z.object({
  name: z
    .string()
    .regex(/^[^\s:=]+$/, 'expected a name without spaces, ":" or "="')
    .optional(),
  version: z.string().optional(),
  class: z.enum(['raw', 'processed', 'file', 'reference']).default('processed'),
  about,
  depth: z.enum(['k', 'fixed']).optional(),
  needs: z
    .object({
      embed: z.boolean(),
      gold: z.literal(false, 'only the built-in oracle may receive gold'),
      llm: z.boolean(),
      endpoint: z.boolean(),
      packages: z.array(z.string()),
    })
    .partial()
    .optional(),
  variants: z.record(z.string(), z.object({ about, options: z.record(z.string(), z.string()) })).optional(),
  options: z.record(z.string(), z.object({ about, default: z.string() })).optional(),
  answers: z.boolean().optional(),
  atomic: z.boolean().default(false),
  idempotent: z.boolean().default(false),
  cost: z.object({ store: z.string(), retrieve: z.string() }).optional(),
  papers: z.array(z.string()).optional(),
  remarks: z.array(z.string().min(1).max(300)).max(8).optional(),
  prompts: z.record(z.string(), z.string()).optional(),
  rehearsal: z.custom<Rehearsal>((value) => typeof value === 'function', 'expected a function').optional(),
  withoutModel: z
    .custom<NonNullable<SystemDefinition['withoutModel']>>(
      (value) => typeof value === 'function',
      'expected a function',
    )
    .optional(),
  create: isFunction,
})

const EXAMPLE = `The file should hold, for example:
  export default {
    create: () => ({
      async store(conversation) { … },
      async retrieve(query, k) { return [] },
      async dump() { return [] }, // may be left out: then nobody can say at which stage a fact was lost
    }),
  }`

/** A definition as a user's file gives it: its name and version may be left to the file. */
export type FileDefinition = z.infer<typeof definitionSchema>

/**
 * Imports a user's file and reads the definition in it. Whatever the file does as it is imported is done here: this runs in a process of its
 * own.
 */
export async function importDefinition(file: string, shown: string): Promise<FileDefinition> {
  return definitionFrom(await importOwnFile(file, shown, EXAMPLE), shown)
}

/** Reads the definition that a file exports, or that a caller gives as an object. */
export function definitionFrom(exported: unknown, shown: string): FileDefinition {
  const other = definedKind(exported)
  if (other !== null) throw new OtherKindError(shown, other, 'memory system')
  const asObject = typeof exported === 'function' ? { create: asCreate(exported) } : exported
  const parsed = definitionSchema.safeParse(asObject)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'default export'}: ${issue.message}`)
    throw new UserError(`"${shown}" does not define a memory system:\n${faults.join('\n')}`, EXAMPLE)
  }
  const { create } = parsed.data
  // Called on the definition, which may be an object that uses `this`.
  return { ...parsed.data, create: (context, options) => create.call(asObject as SystemDefinition, context, options) }
}

/** Makes sure that what `create` returned can be used as a memory system, or says what is missing. */
export function checkInstance(instance: unknown, label: string): MemorySystem {
  if (typeof instance !== 'object' || instance === null) {
    throw new UserError(
      `Expected "${label}" to create a memory system, got ${instance === null ? 'null' : typeof instance}.`,
      EXAMPLE,
    )
  }
  const methods = instance as Record<string, unknown>
  const missing = ['store', 'retrieve'].filter((name) => typeof methods[name] !== 'function')
  if (missing.length > 0) {
    throw new UserError(
      `The memory system that "${label}" creates lacks ${missing.map((m) => `${m}()`).join(' and ')}.`,
      EXAMPLE,
    )
  }
  for (const name of ['dump', 'settle', 'answer', 'insert', 'snapshot', 'restore', 'close']) {
    if (methods[name] !== undefined && typeof methods[name] !== 'function') {
      throw new UserError(`Expected ${name} of "${label}" to be a function, got ${typeof methods[name]}.`)
    }
  }
  if ((methods.snapshot === undefined) !== (methods.restore === undefined)) {
    throw new UserError(`"${label}" offers only one of snapshot() and restore(); both are needed.`)
  }
  return instance as MemorySystem
}

function asCreate(exported: unknown): Create {
  const made = exported as Create & (new (...args: Parameters<Create>) => MemorySystem)
  const isClass = /^class\b/.test(Function.prototype.toString.call(made))
  return isClass ? (context, options: SystemOptions) => new made(context, options) : made
}
