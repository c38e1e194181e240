import { basename, extname } from 'node:path'
import { z } from 'zod'
import { UserError, unknownName } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
import { contentHash, definedKind, findOwnFile, importOwnFile, OtherKindError, splitSpec } from '../base/own-file.js'
import type { Embedder, InstrumentContext, InstrumentDefinition, OwnPrompts } from '../model/index.js'
import { replaceSections } from './llm/own-prompts.js'

/** A judge or reader as asked for: its definition, what is named behind it, and the name it goes by in reports. */
export interface AskedInstrument<D extends InstrumentDefinition = InstrumentDefinition> {
  definition: D
  named: string[]
  options: Record<string, string>
  label: string
  /** Hash of the user's file and of what it imports; null for what is built in. */
  content: string | null
  /** What it was kept by, where a run is only looked at: it has a name and a key, and nothing of it is loaded. */
  keptBy?: string
}

const callable = z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', 'expected a function')

const definitionSchema = z.looseObject({
  name: z
    .string()
    .regex(/^[^\s:=#,]+$/, 'expected a name without spaces, ":", "=", "#" or ","')
    .optional(),
  about: z.string().default(''),
  needs: z.object({ llm: z.union([z.boolean(), z.literal('several')]).optional() }).optional(),
  options: z.record(z.string(), z.object({ default: z.string(), about: z.string().default('') })).optional(),
  prompts: z.record(z.string(), z.string()).optional(),
  modelsAmong: callable.optional(),
  create: callable,
})

/**
 * Finds a judge or reader by what a user typed: an object of the caller's, the user's own file, or one that is built in.
 *
 * @param example what a user's file holds
 * @param builtin finds one by name and what follows it, or refuses
 */
export async function resolveInstrument<D extends InstrumentDefinition>(
  spec: string,
  { kind, example, cwd, own }: { kind: 'judge' | 'reader'; example: string; cwd: string; own: OwnInstruments<D> },
  builtin: (name: string, rest: string | undefined) => Promise<AskedInstrument<D>>,
): Promise<AskedInstrument<D>> {
  const { name, rest, isFile } = splitSpec(spec)
  const given = own?.get(name) ?? (isFile ? await importInstrument<D>(name, cwd, kind, example) : null)
  return given ? askedOf(given.definition, rest, spec, given.content) : builtin(name, rest)
}

/** Instruments of the caller's, by name. */
export type OwnInstruments<D extends InstrumentDefinition> = ReadonlyMap<string, OwnInstrument<D>> | undefined

/** Imports the judge or reader in a user's file. It is an instrument of the user's own, and runs in this process. */
async function importInstrument<D extends InstrumentDefinition>(
  path: string,
  cwd: string,
  kind: 'judge' | 'reader',
  example: string,
): Promise<OwnInstrument<D>> {
  const file = findOwnFile(path, cwd)
  const exported = await importOwnFile(file, path, example)
  const definition = instrumentFrom<D>(exported, path, kind, example, basename(file, extname(file)))
  return { definition, content: contentHash(file) }
}

/** A judge or reader that is not built in: its definition, and a hash of what it is made of. */
export interface OwnInstrument<D extends InstrumentDefinition> {
  definition: D
  content: string
}

/**
 * Reads the definition that a file exports, or that a caller gives as an object.
 *
 * @param name what it is called where it does not say so itself
 */
export function instrumentFrom<D extends InstrumentDefinition>(
  exported: unknown,
  path: string,
  kind: 'judge' | 'reader',
  example: string,
  name: string,
): D {
  const found = definedKind(exported)
  if (found === null) throw new UserError(`"${path}" does not define a ${kind}.`, example)
  if (found !== kind) throw new OtherKindError(path, found, kind)
  const parsed = definitionSchema.safeParse(exported)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new UserError(`"${path}" does not define a ${kind}:\n${faults.join('\n')}`, example)
  }
  // The schema has looked at every field of a definition.
  return { ...parsed.data, name: parsed.data.name ?? name } as unknown as D
}

/**
 * Reads what is named behind an instrument: models where it needs some, then options.
 *
 * @param rest what follows the colon
 * @param typed the whole, for messages
 * @throws UserError when models or options are not those it takes
 */
export function askedOf<D extends InstrumentDefinition>(
  definition: D,
  rest: string | undefined,
  typed: string,
  content: string | null = null,
): AskedInstrument<D> {
  const { name, needs, options: known = {} } = definition
  const parts = rest?.split(':') ?? []
  const given: Record<string, string> = {}
  // A model may be named by anything but a known option: what has none is left as it was typed.
  while (Object.keys(known).length > 0 && parts.at(-1)?.includes('=')) {
    const [key = '', ...value] = parts.pop()!.split('=')
    if (!Object.hasOwn(known, key)) throw unknownName(`option of ${name}`, key, Object.keys(known))
    given[key] = value.join('=')
  }
  const models = parts.join(':')
  if (needs?.llm ? models === '' : parts.length > 0)
    throw new UserError(
      needs?.llm ? `"${typed}" asks a model, and none is named.` : `"${typed}" names a model, and ${name} asks none.`,
      `Write ${usageOf(definition, splitSpec(typed).name)}.`,
    )
  const named = needs?.llm === 'several' ? models.split(',') : models === '' ? [] : [models]
  const usual = Object.fromEntries(Object.entries(known).map(([key, option]) => [key, option.default]))
  const changed = Object.keys(given).filter((key) => given[key] !== usual[key])
  const label = [name, ...(named.length > 0 ? [models] : []), ...changed.sort().map((key) => `${key}=${given[key]}`)]
  return { definition, named, options: { ...usual, ...given }, label: label.join(':'), content }
}

/** How an instrument is typed: `lexical`, `llm:provider:model`, `panel:a,b,c`. */
export function usageOf({ needs }: Pick<InstrumentDefinition, 'needs'>, name: string): string {
  if (!needs?.llm) return name
  return needs.llm === 'several' ? `${name}:a,b,c` : `${name}:provider:model`
}

/** What every instrument gets: its prompts with the user's sections in place, and what it was asked for with. */
export function contextFor(
  { definition, named, options }: AskedInstrument,
  tools: Pick<InstrumentContext, 'embed' | 'entail' | 'llm'> & { prompts?: OwnPrompts },
  what: string,
): InstrumentContext {
  const { prompts, ...rest } = tools
  return { ...rest, named, options, prompts: promptsWith(definition, prompts, what) }
}

/** The prompts of an instrument with a user's sections in place of its own; without any of its own, none. */
export function promptsWith(
  { prompts = {} }: Pick<InstrumentDefinition, 'prompts'>,
  own: OwnPrompts | undefined,
  what: string,
): Record<string, string> {
  const usual = new Map(Object.entries(prompts))
  return own === undefined || usual.size === 0 ? prompts : Object.fromEntries(replaceSections(usual, own, what))
}

/** What the verdicts or answers of an instrument from a file are kept by: changed code, prompts or options are another instrument. */
export function ownKey(
  { label, content, options }: AskedInstrument,
  prompts: Readonly<Record<string, string>>,
  embed: Embedder,
  own: string | undefined,
): string {
  return `${label}:${fingerprint({ content, options, prompts, embedder: embed.id, ...(own !== undefined && { own }) })}`
}

/** Stands where an instrument of a run that is only looked at would be asked. */
export function notLoaded(label: string): () => Promise<never> {
  return () => Promise.reject(new UserError(`${label} is code, which is not loaded while a run is only looked at.`))
}
