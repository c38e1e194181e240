import type { z } from 'zod'
import { isZodSchema, jsonSchemaOf } from '../base/zod-schema.js'
import type { LlmRequest, LlmToolCall } from '../model/index.js'
import { coercedToSchema } from './coerce.js'
import { findJson, isObject } from './json.js'
import { parseLooseJson } from './loose-json.js'
import { callsInText, toolNamed } from './text-calls.js'
import type { WireReply, WireToolCall } from './wire.js'

type Asked = Pick<LlmRequest<unknown>, 'messages' | 'schema' | 'tools' | 'toolChoice'>

/** The calls of a reply, each with what is wrong with it; `unclear` when nobody can tell what it calls for. */
export type ReadCalls = { ok: true; calls: LlmToolCall[]; asText: boolean } | { ok: false; unclear: string }

/** The tool calls of a reply: those that a server passed on as such, else those that a model wrote as text. */
export function readToolCalls(request: Asked, reply: WireReply, explain: (error: z.ZodError) => string): ReadCalls {
  const { messages, schema, tools = [], toolChoice } = request
  const offered = tools.map(({ name }) => name)
  const check = (call: WireToolCall) => checkedCall(call, request, offered, explain)
  const mayBeText = tools.length > 0 && toolChoice !== 'none' && !schema
  if (reply.toolCalls.length > 0 || !mayBeText) return { ok: true, calls: reply.toolCalls.map(check), asText: false }
  const shown = messages.flatMap(({ role, content }) => (role === 'user' || role === 'tool' ? [content] : []))
  const found = callsInText(reply.text, offered, shown)
  if (found.kind === 'unclear') return { ok: false, unclear: found.why }
  const calls = found.kind === 'calls' ? found.calls : []
  const named = calls.map((call, i) => check({ id: callId(messages.length, i), ...call }))
  return { ok: true, calls: named, asText: calls.length > 0 }
}

/** A call whose arguments are an object that fits, or what is wrong with it. History takes only names and objects, so it gets those. */
function checkedCall(
  { id, name, arguments: text }: WireToolCall,
  { tools = [] }: Asked,
  offered: readonly string[],
  explain: (error: z.ZodError) => string,
): LlmToolCall {
  const found = inputOf(text)
  const input = found.ok ? found.input : { unreadable: text }
  const known = toolNamed(name, offered)
  if (known === null) {
    const wrong = `There is no tool "${name}". There are: ${offered.join(', ') || 'none'}.`
    return { id, name: name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed', input, wrong }
  }
  if (!found.ok) return { id, name: known, input, wrong: `The arguments cannot be read. ${found.why}` }
  const { parameters } = tools.find((tool) => tool.name === known)!
  if (!isZodSchema(parameters)) return { id, name: known, input }
  const asWritten = parameters.safeParse(input)
  const fits = asWritten.success ? asWritten : parameters.safeParse(coercedToSchema(input, jsonSchemaOf(parameters)))
  return fits.success
    ? { id, name: known, input: fits.data }
    : { id, name: known, input, wrong: `The arguments do not fit: ${explain(asWritten.error ?? fits.error)}` }
}

function inputOf(text: string): { ok: true; input: object } | { ok: false; why: string } {
  const written = text.trim() === '' ? '{}' : text
  const strict = findJson(written)
  const found = strict.ok ? strict : parseLooseJson(written.trim())
  if (!found.ok) return strict.ok ? found : strict
  // Some servers write the JSON of arguments as a JSON string once more.
  const again = typeof found.value === 'string' ? findJson(found.value) : found
  const value = again.ok ? again.value : found.value
  return isObject(value) ? { ok: true, input: value } : { ok: false, why: 'Expected a JSON object.' }
}

/** Of nine letters and digits, which every provider takes, and not twice in a conversation. */
function callId(messages: number, index: number): string {
  return `call${String(messages).padStart(3, '0')}${String(index).padStart(2, '0')}`
}
