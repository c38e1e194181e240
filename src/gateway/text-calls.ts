import { escapeRegExp } from '../base/text.js'
import { isObject, jsonSpans, parseJson } from './json.js'
import { parseLooseJson } from './loose-json.js'
import type { WireToolCall } from './wire.js'

/** Tool calls that a model wrote as text. */
export type TextCalls =
  | { kind: 'none' }
  | { kind: 'calls'; calls: Omit<WireToolCall, 'id'>[] }
  | { kind: 'unclear'; why: string }

/** What servers that do not read calls leave in a reply: Hermes and Qwen, Mistral, Llama. */
const MARK = /<\/?tool_calls?>|\[TOOL_CALLS\]|<function=|<\|python_tag\|>|<function_calls?>|<\|tool_call/i

/** A name right before its arguments: `<function=insert>{…}`, `[TOOL_CALLS]insert[ARGS]{…}`. */
const NAMED = /(?:<function=["']?([\w.:-]+)["']?>|\[TOOL_CALLS\]\s*([\w.:-]+)\s*(?:\[CALL_ID\]\w*)?(?:\[ARGS\])?)\s*$/i

/** No name of a tool is longer, with its marks. */
const LONGEST_NAME = 300

/** Words in brackets that are marks and no JSON. */
const BRACKETED = /\[(TOOL_CALLS|CALL_ID|ARGS)\]/g

/**
 * The tool calls in a text, where there is no doubt: the name is that of an offered tool and the arguments are a JSON object, alone, in a fence,
 * among words or between the marks of a chat template. What looks like a call and is none, or stands word for word in what the model
 * was shown, is unclear: neither nothing nor a guess.
 *
 * @param offered names of the tools
 * @param shown texts that the model may be quoting
 * @example callsInText('{"name": "insert", "parameters": {"content": "User likes figs"}}', ['insert'], [])
 */
export function callsInText(text: string, offered: readonly string[], shown: readonly string[]): TextCalls {
  const nameOf = (name: string) => toolNamed(name, offered)
  // Of the same length, so that places in one are places in the other.
  const masked = text.replace(BRACKETED, '($1)')
  const calls: Omit<WireToolCall, 'id'>[] = []
  for (const { from, to } of jsonSpans(masked)) {
    const span = text.slice(from, to)
    const [, inTag, inMark] = NAMED.exec(text.slice(Math.max(0, from - LONGEST_NAME), from)) ?? []
    const read = readSpan(span, inTag ?? inMark, nameOf)
    if (read === 'unclear') return unclear(`It holds a tool call that cannot be read: ${short(span)}`)
    if (read.length > 0 && shown.some((message) => message.includes(span))) {
      return unclear('It quotes a tool call from what was shown, or makes one in the same words.')
    }
    calls.push(...read)
  }
  if (calls.length > 0) return { kind: 'calls', calls }
  if (MARK.test(text)) return unclear('It has the marks of a tool call, but none that can be read.')
  const written = new RegExp(`^[\\W_]*(?:\\w+\\.)?(?:${offered.map(escapeRegExp).join('|')})\\(`, 'm').exec(text)
  return written
    ? unclear(`It writes a tool call as code: ${short(text.slice(written.index).trim())}`)
    : { kind: 'none' }
}

/** The offered tool that a name means: the name itself, also behind a prefix such as `functions.`; null when there is none. */
export function toolNamed(name: string, offered: readonly string[]): string | null {
  if (offered.includes(name)) return name
  const bare = name.replace(/^.*[.:/]/, '')
  return offered.includes(bare) ? bare : null
}

function readSpan(
  span: string,
  named: string | undefined,
  nameOf: (name: string) => string | null,
): Omit<WireToolCall, 'id'>[] | 'unclear' {
  const found = parseLooseJson(span)
  const value = found.ok ? found.value : undefined
  if (named !== undefined) {
    const name = nameOf(named)
    return name !== null && isObject(value) ? [{ name, arguments: JSON.stringify(value) }] : 'unclear'
  }
  if (value === undefined) {
    const words = [...span.matchAll(/"([\w.:/-]+)"/g)]
    return words.some(([, word]) => nameOf(word!) !== null) ? 'unclear' : []
  }
  const parts = partsOf(value)
  const read = parts.map((part) => callOf(part, nameOf))
  if (read.every((call) => call === null)) return []
  const calls = read.filter((call) => call !== null && call !== 'unclear')
  return calls.length === parts.length ? calls : 'unclear'
}

/** Several calls come as a list, or as a list under `tool_calls`. */
function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isObject(value) && Array.isArray(value.tool_calls)) return value.tool_calls
  return [value]
}

/** One call, whatever the names of its parts; null when it is none. */
function callOf(value: unknown, nameOf: (name: string) => string | null): Omit<WireToolCall, 'id'> | 'unclear' | null {
  if (!isObject(value)) return null
  const body = isObject(value.function) ? value.function : value
  const name = [body.name, body.function, body.tool].find((part) => typeof part === 'string')
  if (typeof name !== 'string') return null
  const given = body.parameters ?? body.arguments ?? body.args ?? body.input
  const input = typeof given === 'string' ? parseJson(given) : given
  const tool = nameOf(name)
  if (tool !== null) return isObject(input) ? { name: tool, arguments: JSON.stringify(input) } : 'unclear'
  return isObject(input) ? 'unclear' : null
}

function unclear(why: string): TextCalls {
  return { kind: 'unclear', why }
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
