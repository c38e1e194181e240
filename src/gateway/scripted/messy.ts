import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { unknownName } from '../../base/errors.js'
import { sha256, stableStringify } from '../../base/hash.js'
import { isObject, parseJson } from '../json.js'
import type { WireReply, WireRequest } from '../wire.js'

/** Changes of a JSON value that no pattern can make. */
const VALUES: Readonly<Record<string, (value: unknown, request: WireRequest) => unknown>> = {
  'enum-case': (value, request) => {
    const members = new Set(enumsIn(request.format?.schema))
    return mapped(value, (one) => (typeof one === 'string' && members.has(one) ? swapCase(one) : one))
  },
  'numbers-as-text': (value) => mapped(value, (one) => (typeof one === 'number' ? String(one) : one)),
  'text-as-numbers': (value) =>
    mapped(value, (one) => (typeof one === 'string' && /^\d+$/.test(one) ? Number(one) : one)),
  'booleans-as-text': (value) => mapped(value, (one) => (typeof one === 'boolean' ? String(one) : one)),
  'bare-list': (value) => (isObject(value) ? (Object.values(value).find(Array.isArray) ?? value) : value),
  wrapped: (value) => ({ result: value }),
  'in-list': (value) => [value],
  'as-text': (value) => JSON.stringify(value),
  'one-for-list': (value) => mapped(value, (one) => (Array.isArray(one) && one.length === 1 ? one[0] : one)),
  'name-case': (value) => renamed(value, (name) => name.toUpperCase()),
  'extra-field': (value) => (isObject(value) ? { ...value, confidence: 0.9 } : value),
  'missing-field': (value) =>
    mapped(value, (one) => (isObject(one) ? Object.fromEntries(Object.entries(one).slice(1)) : one)),
}

const Way = z.strictObject({
  name: z.string(),
  about: z.string(),
  /** Which replies it spoils: JSON that was asked for, tool calls, or whatever is said. */
  on: z.enum(['json', 'calls', 'all']),
  template: z.string().optional(),
  replace: z.array(z.tuple([z.string(), z.string()])).optional(),
  value: z.enum(Object.keys(VALUES) as [string, ...string[]]).optional(),
  /** How much of it comes. */
  cut: z.number().optional(),
  /** A call as text. */
  calls: z.string().optional(),
  /** A call under another name. */
  rename: z.string().optional(),
})
type Way = z.infer<typeof Way>

const WAYS = readData(new URL('./messy.json', import.meta.url), z.array(Way))

/** Ways in which replies of imperfect models are not quite what was asked for, by name. */
export const MESSY_WAYS: readonly Pick<Way, 'name' | 'about' | 'on'>[] = WAYS

export interface MessyOptions {
  /** Share of replies that are messy, 0 to 1; all when left out. */
  rate?: number
  /** Among these, evenly; all when left out. */
  ways?: readonly string[]
  /** Which replies are messy follows from the seed and the request. */
  seed?: number | string
  /** The model corrects itself when it is told what is wrong. */
  mends?: boolean
}

/** A reply made messy as the options say, or as it was. */
export function messyReply(reply: WireReply, request: WireRequest, options: MessyOptions): WireReply {
  const { rate = 1, ways = WAYS.map(({ name }) => name), seed = 0, mends = false } = options
  const known = ways.map((name) => WAYS.find((way) => way.name === name) ?? unknown(name))
  if (mends && request.messages.at(-1)?.content.startsWith('That reply cannot be used.')) return reply
  const fitting = known.filter(({ on }) => {
    if (on === 'all') return true
    return on === 'calls' ? reply.toolCalls.length > 0 : request.format !== undefined && reply.toolCalls.length === 0
  })
  const draw = Buffer.from(sha256(`${seed} ${stableStringify(request.messages)}`), 'hex')
  if (fitting.length === 0 || draw.readUInt32BE(0) / 2 ** 32 >= rate) return reply
  return spoilt(reply, request, fitting[draw.readUInt32BE(4) % fitting.length]!)
}

function spoilt(reply: WireReply, request: WireRequest, way: Way): WireReply {
  const { template, replace = [], value, cut, calls, rename, on } = way
  const rewritten = (text: string) => replace.reduce((now, [from, to]) => now.replace(new RegExp(from, 'g'), to), text)
  if (on === 'calls' || (reply.toolCalls.length > 0 && on === 'all')) {
    if (template !== undefined && !template.includes('{reply}'))
      return { ...reply, text: template, toolCalls: [], finish: 'stop' }
    if (template !== undefined) return { ...reply, text: template.replaceAll('{reply}', reply.text) }
    const fill = (text: string, name: string, args: string) =>
      text.replace('{name}', name).replace('{arguments}', () => args)
    if (calls !== undefined) {
      const text = reply.toolCalls.map(({ name, arguments: args }) => fill(calls, name, args)).join('\n')
      return { ...reply, text, toolCalls: [], finish: 'stop' }
    }
    const toolCalls = reply.toolCalls.map((call) => ({
      ...call,
      name: rename === undefined ? call.name : rename.replace('{name}', call.name),
      arguments: rewritten(call.arguments),
    }))
    return { ...reply, toolCalls }
  }
  const changed = value === undefined ? reply.text : JSON.stringify(VALUES[value]!(parseJson(reply.text), request))
  const text = rewritten(changed).slice(0, cut === undefined ? undefined : Math.floor(changed.length * cut))
  const whole = template === undefined ? text : template.replaceAll('{reply}', () => text)
  return { ...reply, text: whole, ...(cut !== undefined && { finish: 'length' as const }) }
}

function unknown(name: string): never {
  throw unknownName(
    'way to be messy',
    name,
    WAYS.map((way) => way.name),
  )
}

/** A value with a change made to everything in it, from the inside out. */
function mapped(value: unknown, change: (one: unknown) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((one) => mapped(one, change)))
  if (!isObject(value)) return change(value)
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, change)])))
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  return mapped(value, (one) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).map(([name, part]) => [rename(name), part])) : one,
  )
}

function enumsIn(schema: unknown): unknown[] {
  if (Array.isArray(schema)) return schema.flatMap(enumsIn)
  if (!isObject(schema)) return []
  return [...(Array.isArray(schema.enum) ? schema.enum : []), ...Object.values(schema).flatMap(enumsIn)]
}

function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}
