import { sentences, words } from '../../base/text.js'
import { isZodSchema, jsonSchemaOf } from '../../base/zod-schema.js'
import type { JsonSchema, LlmTool, Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'

/** Facts that a model finds in one conversation, and words it looks for, at most. */
const MOST = 12
const MOST_WORDS = 4

/** What a tool that keeps something is likely to be called. */
const KEEPS = /add|create|store|save|write|remember|insert|append|put/i

/**
 * Plays a model that drives any server: it hands every sentence of the user to the first tool that seems to keep things, wherever it takes a
 * text, and later asks for the longest words of a question, or calls what takes no arguments.
 */
export const drivenRehearsal: Rehearsal = ({ step, prompt, request }) => {
  const tools = request.tools ?? []
  if (request.messages.some(({ role }) => role === 'tool')) return { text: 'Done.' }
  const { conversation, question = '' } = dataIn(prompt)
  if (step === 'retrieve') {
    const search = tools.find((tool) => requiredOf(tool).length === 1)
    const open = tools.find((tool) => requiredOf(tool).length === 0)
    const asked = [...new Set(words(question))].filter(({ length }) => length > 3)
    const longest = asked.sort((a, b) => b.length - a.length).slice(0, MOST_WORDS)
    if (search && longest.length > 0) return { calls: longest.map((word) => callOf(search, word)) }
    return open ? { calls: [callOf(open, '')] } : { text: 'Done.' }
  }
  const keeps = tools.find((tool) => KEEPS.test(tool.name) && requiredOf(tool).length > 0)
  const said = itemsIn(conversation).filter(({ mark }) => mark === 'user:')
  const facts = said.flatMap(({ text }) => sentences(text)).slice(0, MOST)
  return keeps && facts.length > 0 ? { calls: facts.map((fact) => callOf(keeps, fact)) } : { text: 'Done.' }
}

function schemaOf({ parameters }: LlmTool): JsonSchema {
  return isZodSchema(parameters) ? jsonSchemaOf(parameters) : parameters
}

function requiredOf(tool: LlmTool): unknown[] {
  const { required } = schemaOf(tool)
  return Array.isArray(required) ? required : []
}

function callOf(tool: LlmTool, text: string) {
  return { name: tool.name, input: filledIn(schemaOf(tool), text) }
}

/** A value that fits a schema, as far as plain schemas go, with the text wherever one may stand. */
function filledIn(schema: JsonSchema, text: string): unknown {
  const { type, properties = {}, required = [], items = {}, enum: choices } = schema
  if (Array.isArray(choices)) return choices[0]
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object': {
      const wanted = Object.entries(properties as Record<string, JsonSchema>).filter(([key]) =>
        (required as string[]).includes(key),
      )
      return Object.fromEntries(wanted.map(([key, part]) => [key, filledIn(part, text)]))
    }
    case 'array':
      return [filledIn(items as JsonSchema, text)]
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return false
    default:
      return text
  }
}
