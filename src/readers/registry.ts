import { UserError } from '../base/errors.js'
import { modelReader, readers } from '../builtins.js'
import {
  type AskedInstrument,
  askedOf,
  contextFor,
  notLoaded,
  type OwnInstruments,
  ownKey,
  resolveInstrument,
} from '../judges/asked.js'
import type { OwnPrompts, Reader, ReaderContext, ReaderDefinition } from '../model/index.js'

const EXAMPLE = `The file should hold, for example:
  import { defineReader } from 'memscope'
  export default defineReader({
    create: () => ({
      async read(question, memories, { time }) {
        return { answer: '…', prompt: '', tokens: { input: 0, output: 0 }, cost: 0 }
      },
    }),
  })`

/**
 * Finds a reader by what a user typed: `provider:model`, which is read by a model, or the path of a file of their own.
 *
 * @param own objects of the caller's, by name
 * @example await resolveReader('openai:gpt-5-mini', process.cwd())
 * @example await resolveReader('./my-reader.ts:openai:gpt-5-mini', process.cwd())
 */
export async function resolveReader(
  spec: string,
  cwd: string,
  own?: OwnInstruments<ReaderDefinition>,
): Promise<AskedInstrument<ReaderDefinition>> {
  return resolveInstrument(spec, { kind: 'reader', example: EXAMPLE, cwd, own }, async (name, rest) => {
    const named = readers.find((reader) => reader.name === name)
    if (named) return askedOf(await named.load(), rest, spec)
    return { ...askedOf(await modelReader.load(), spec, spec), label: spec }
  })
}

/** Makes a reader that was asked for. */
export async function createReader(
  asked: AskedInstrument<ReaderDefinition>,
  tools: Pick<ReaderContext, 'embed' | 'llm' | 'style' | 'reasoning'> & { prompts?: OwnPrompts },
): Promise<Reader> {
  const { definition, label, content, keptBy } = asked
  if (keptBy !== undefined) return { name: label, key: keptBy, read: notLoaded(label) }
  const context = contextFor(asked, tools, 'readers')
  const made = await definition.create({ ...context, style: tools.style, reasoning: tools.reasoning })
  if (content === null) return { name: label, key: label, ...made }
  const { read } = (made ?? {}) as { read?: unknown }
  if (typeof read !== 'function') throw new UserError(`The reader that "${label}" creates lacks read().`, EXAMPLE)
  const settings = `${tools.style} ${tools.reasoning} ${made.key ?? ''}`
  return {
    name: label,
    key: `reader:${ownKey(asked, context.prompts, tools.embed, settings)}`,
    read: (...given) => made.read(...given),
  }
}
