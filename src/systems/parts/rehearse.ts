import {
  type Llm,
  LlmError,
  type LlmOptions,
  type LlmReply,
  type LlmRequest,
  type LlmUsage,
  NO_USAGE,
  type Rehearsal,
  type RehearsedReply,
} from '../../model/index.js'

/** A call that was rehearsed. */
export interface Rehearsed {
  step: string
  options: LlmOptions
  request: LlmRequest<unknown>
  reply: RehearsedReply
}

export interface RehearseOptions {
  /** Called after every reply. */
  onCall?(call: Rehearsed): void
  /** What a call used; nothing unless told. */
  usage?(request: LlmRequest<unknown>, reply: RehearsedReply): LlmUsage
}

/** A model played by a rehearsal. A reply that cannot be used or is objected to is the error of a gateway that gives up. */
export function rehearse(rehearsal: Rehearsal, { onCall, usage }: RehearseOptions = {}): Llm {
  let calls = 0
  return {
    model: 'rehearsal:instant',
    async generate<T>(request: LlmRequest<T>, options: LlmOptions): Promise<LlmReply<T>> {
      options.signal?.throwIfAborted()
      const step = options.label?.split('/').at(-1) ?? ''
      const prompt = request.messages.map(({ content }) => content).join('\n\n')
      const said = await rehearsal({ step, prompt, request })
      const number = ++calls
      onCall?.({ step, options, request, reply: said })
      const toolCalls =
        'calls' in said ? said.calls.map(({ name, input }, i) => ({ id: `call_${number}_${i}`, name, input })) : []
      const text = 'text' in said ? said.text : 'json' in said ? JSON.stringify(said.json) : ''
      const forced = request.toolChoice === 'required' && toolCalls.length === 0
      const astray = toolCalls.length > 0 && !request.tools
      const wrong = forced ? 'It calls no tool.' : astray ? 'It calls a tool, and there is none.' : null
      const objection = wrong ?? (await options.objection?.({ text, toolCalls }))
      if (objection) throw unusable(options, objection)
      return {
        text,
        object: toolCalls.length > 0 ? (undefined as T) : await checked(request, said, options),
        toolCalls,
        finish: toolCalls.length > 0 ? 'tool-calls' : 'stop',
        usage: usage?.(request, said) ?? NO_USAGE,
        cost: 0,
        cached: false,
        repairs: 0,
      }
    },
  }
}

async function checked<T>({ schema }: LlmRequest<T>, said: RehearsedReply, options: LlmOptions): Promise<T> {
  // Without a schema `T` is undefined.
  if (!schema) return undefined as T
  const fits = await schema.safeParseAsync('json' in said ? said.json : undefined)
  if (!fits.success) throw unusable(options, fits.error.message)
  return fits.data
}

function unusable({ label }: LlmOptions, why: string): LlmError {
  return new LlmError('unparsable', `The reply for "${label}" cannot be used: ${why}`, '')
}
