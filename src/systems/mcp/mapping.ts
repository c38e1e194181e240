import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { messageOf, UserError, unknownName } from '../../base/errors.js'
import type { McpTool } from './client.js'

/** How a result becomes memories. Everything but `at` is a text with fields of an item in braces. */
const Memories = z.strictObject({
  /** Where items are: names with dots between them, `*` for every entry of a list. */
  at: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  /** Higher is better. */
  score: z.string().optional(),
  time: z.string().optional(),
  /** The conversation it came from. */
  source: z.string().optional(),
  /** Takes a text apart. */
  split: z.string().min(1).optional(),
})

const Shapes = z.union([Memories, z.array(Memories)]).transform((shapes) => [shapes].flat())
const Call = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.json()).default({}) })
const Reading = Call.extend({ memories: Shapes.optional() })

const Mapping = z
  .strictObject({
    $comment: z.union([z.string(), z.array(z.string())]).optional(),
    env: z.record(z.string(), z.string()).default({}),
    turn: z.string().default('{role}: {text}'),
    store: z.array(Call.extend({ each: z.literal('turn').optional() })).default([]),
    find: Reading.extend({ each: z.literal('word').optional() }).optional(),
    list: Reading.optional(),
    /** For all tools that have none of their own; without any, every text of a result is a memory. */
    memories: Shapes.default([]),
    reads: z.array(z.string()).default([]),
    atomic: z.boolean().default(false),
    idempotent: z.boolean().default(false),
  })
  .transform(({ $comment: _, ...mapping }) => mapping)

export type Memories = z.infer<typeof Memories>
export type Mapping = z.infer<typeof Mapping>

/** What stands in braces in each part of a mapping. */
const PLACES = {
  env: ['workdir', 'namespace'],
  turn: ['role', 'text', 'time', 'day'],
  store: ['text', 'turns', 'conversation', 'time', 'day', 'namespace'],
  'store of each turn': ['text', 'turns', 'role', 'conversation', 'time', 'day', 'namespace'],
  find: ['query', 'k', 'time', 'day', 'namespace'],
  list: ['namespace'],
} as const

const PLACE = /\{(\w+)\}/g

/** Nothing is known of the server, and a model finds its way. */
export const NO_MAPPING: Mapping = Mapping.parse({})

const GRAPH = { env: { MEMORY_FILE_PATH: '{workdir}/memory.jsonl' }, list: { tool: 'read_graph' } }
const OBSERVATIONS = 'entities.*.observations.*'

/**
 * Servers that are known by the name they give themselves. The reference server keeps a graph: a conversation is an entity, what was said are its
 * observations. An entity that is created again loses what it brings, so it is created bare. A model makes entities of its own: there a
 * memory says what it is about.
 */
const PRESETS: Readonly<Record<string, Record<'mapped' | 'driven', Mapping>>> = {
  'memory-server': {
    mapped: Mapping.parse({
      ...GRAPH,
      turn: '[{day}] {role}: {text}',
      store: [
        {
          tool: 'create_entities',
          arguments: { entities: [{ name: '{conversation}', entityType: 'conversation', observations: [] }] },
        },
        {
          tool: 'add_observations',
          arguments: { observations: [{ entityName: '{conversation}', contents: '{turns}' }] },
        },
      ],
      find: { tool: 'search_nodes', arguments: { query: '{query}' } },
      memories: { at: OBSERVATIONS, source: '{^name}' },
      atomic: true,
      idempotent: true,
    }),
    driven: Mapping.parse({
      ...GRAPH,
      memories: [
        { at: OBSERVATIONS, text: '{^name}: {}' },
        { at: 'relations.*', text: '{from} {relationType} {to}' },
      ],
    }),
  },
}

/** The mapping of a server that is known, if it is. */
export function presetOf(server: string, way: 'mapped' | 'driven'): Mapping | undefined {
  return Object.hasOwn(PRESETS, server) ? PRESETS[server]![way] : undefined
}

/** Reads a user's mapping. */
export function readMapping(path: string, cwd: string): Mapping {
  const file = resolve(cwd, path)
  if (!existsSync(file)) throw new UserError(`There is no mapping "${path}".`, 'Give a path relative to where you are.')
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`"${path}" is not JSON: ${messageOf(error)}.`, HELP)
  }
  const read = Mapping.safeParse(json)
  if (!read.success) throw new UserError(`The mapping "${path}" cannot be used: ${z.prettifyError(read.error)}`, HELP)
  const { env, turn, store, find, list } = read.data
  requirePlaces('env', env)
  requirePlaces('turn', turn)
  for (const call of store) requirePlaces(call.each ? 'store of each turn' : 'store', call.arguments)
  requirePlaces('find', find?.arguments ?? {})
  requirePlaces('list', list?.arguments ?? {})
  return read.data
}

function requirePlaces(part: keyof typeof PLACES, value: unknown): void {
  const places: readonly string[] = PLACES[part]
  for (const [, place = ''] of JSON.stringify(value).matchAll(PLACE))
    if (!places.includes(place)) throw unknownName(`place in "${part}"`, place, places)
}

const HELP = 'docs/mcp.md has an example.'

/** Makes sure that a server has the tools that a mapping names. */
export function requireTools({ store, find, list, reads }: Mapping, tools: readonly McpTool[]): void {
  const known = tools.map(({ name }) => name)
  for (const tool of [...store, ...(find ? [find] : []), ...(list ? [list] : [])]
    .map(({ tool }) => tool)
    .concat(reads)) {
    if (!known.includes(tool)) throw unknownName('tool of this server', tool, known)
  }
}

/** Whether a mapping tells the server the time of the scenario when it stores. */
export function passesTime({ store, turn }: Mapping): boolean {
  const timed = (part: unknown) => /\{(?:time|day)\}/.test(JSON.stringify(part))
  return timed(store) || (timed(turn) && /\{(?:text|turns)\}/.test(JSON.stringify(store)))
}

/** A value with its places filled. A text that is one place and nothing else becomes what is filled in, also a number or a list. */
export function fill<T>(value: T, values: Readonly<Record<string, unknown>>): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const [, whole] = /^\{(\w+)\}$/.exec(part) ?? []
      if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole]
      return part.replace(PLACE, (place, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : place))
    }
    if (Array.isArray(part)) return part.map(walk)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, walk(member)]))
  }
  // Parts are replaced by what a tool takes in their place.
  return walk(value) as T
}
