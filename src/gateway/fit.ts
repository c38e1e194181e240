import type { z } from 'zod'
import { stableStringify } from '../base/hash.js'
import { jsonSchemaOf } from '../base/zod-schema.js'
import type { JsonSchema } from '../model/index.js'
import { coercedToSchema, onlyList } from './coerce.js'
import { findJson, isObject, jsonSpans } from './json.js'
import { parseLooseJson } from './loose-json.js'

/** What a reply holds for a schema, or why it holds nothing. */
export type Fitted<T> = { ok: true; value: T } | { ok: false; why: string }

/** Wrappers inside of which models put what was asked for. */
const MOST_WRAPPERS = 2

/**
 * The one value in a reply that fits a schema. Of JSON among words, in fences, written loosely or inside of a wrapper the one candidate that
 * fits is taken; where two different ones fit, or something is cut off, none is: it is asked for again rather than chosen from.
 *
 * @param explain puts into words what is wrong with a value
 */
export async function fitReply<T>(
  text: string,
  schema: z.ZodType<T>,
  explain: (error: z.ZodError) => string,
): Promise<Fitted<T>> {
  const strict = await strictFit(text, schema, explain)
  if (strict.ok) return strict
  const shape = jsonSchemaOf(schema)
  const candidates = candidatesIn(text)
  if (candidates === null) return strict
  for (const forms of [asWritten, (value: unknown) => asMeant(value, shape)]) {
    const fits = new Map<string, T>()
    for (const value of candidates) {
      for (const form of forms(value)) {
        const fit = await schema.safeParseAsync(form)
        if (!fit.success) continue
        fits.set(stableStringify(fit.data), fit.data)
        break
      }
    }
    if (fits.size > 1)
      return { ok: false, why: 'The reply holds more than one JSON value that fits. Expected exactly one.' }
    const [value] = fits.values()
    if (fits.size === 1) return { ok: true, value: value! }
  }
  return strict
}

/** The same without any help: the reply is one JSON value, and fits. What judges say is taken only so. */
export async function strictFit<T>(
  text: string,
  schema: z.ZodType<T>,
  explain: (error: z.ZodError) => string,
): Promise<Fitted<T>> {
  const found = findJson(text)
  if (!found.ok) return found
  const fits = await schema.safeParseAsync(found.value)
  return fits.success
    ? { ok: true, value: fits.data }
    : { ok: false, why: `The JSON does not fit the schema: ${explain(fits.error)}` }
}

/** Everything in a text that can be read as JSON: all of it, what stands in fences, and what stands in brackets; null when some of it is cut off. */
function candidatesIn(text: string): unknown[] | null {
  const whole = parseLooseJson(text.trim())
  if (whole.ok) return [whole.value]
  const fenced = [...text.matchAll(/```[\w+-]*[ \t]*\r?\n?([\s\S]*?)```/g)].map((match) => match[1]!.trim())
  const outside = text.replace(/```[\s\S]*?```/g, '\n')
  const spans = [...fenced, ...spansIn(outside)]
  if (spans.some((span) => !/[}\]]$/.test(span) && /^[{[]/.test(span))) return null
  return spans.flatMap((span) => {
    const read = parseLooseJson(span)
    return read.ok && typeof read.value === 'object' ? [read.value] : []
  })
}

function spansIn(text: string): string[] {
  return jsonSpans(text).map(({ from, to }) => text.slice(from, to))
}

function asWritten(value: unknown): unknown[] {
  return [value]
}

/** What a value may be meant as, the plainest first: itself with its parts bent, without a wrapper, as the list that is asked for. */
function asMeant(value: unknown, schema: JsonSchema): unknown[] {
  const inner = unwrapped(value)
  const list = onlyList(schema)
  const listed = list === null ? [] : inner.filter(Array.isArray).map((one) => ({ [list]: one }))
  return [...inner, ...listed].map((one) => coercedToSchema(one, schema))
}

/** A value, what a text of it holds, and what stands inside of it where nothing else does. */
function unwrapped(value: unknown): unknown[] {
  const values = [value]
  for (let at = 0; at < values.length && values.length <= MOST_WRAPPERS; at++) {
    const one = values[at]
    const read = typeof one === 'string' ? parseLooseJson(one.trim()) : null
    if (read?.ok && typeof read.value === 'object') values.push(read.value)
    const parts = isObject(one) ? Object.values(one) : Array.isArray(one) && one.length === 1 ? one : []
    if (parts.length === 1 && (typeof parts[0] === 'object' || typeof parts[0] === 'string')) values.push(parts[0])
  }
  return values
}
