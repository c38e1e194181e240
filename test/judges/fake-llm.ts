import { type Llm, LlmError, type LlmOptions, type LlmReply, type LlmRequest, NO_USAGE } from '../../src/model/index.js'

/** A model in the test itself: `reply` gets the text of the last message and the number of the call, from 1. */
export interface FakeLlm extends Llm {
  readonly prompts: string[]
  readonly requests: LlmRequest<unknown>[]
  readonly options: LlmOptions[]
}

/** Replies are checked against the schema; one that does not fit is the error that the gateway throws when it gives up. */
export function fakeLlm(reply: (prompt: string, call: number) => unknown, model = 'fake:model'): FakeLlm {
  const fake: FakeLlm = {
    model,
    prompts: [],
    requests: [],
    options: [],
    async generate<T>(request: LlmRequest<T>, options: LlmOptions): Promise<LlmReply<T>> {
      const prompt = request.messages.at(-1)!.content
      fake.prompts.push(prompt)
      fake.requests.push(request)
      fake.options.push(options)
      const said = reply(prompt, fake.prompts.length)
      const blank = { toolCalls: [], finish: 'stop' as const, usage: NO_USAGE, cost: 0, cached: false, repairs: 0 }
      if (!request.schema) return { ...blank, text: String(said), object: undefined as T }
      const fits = request.schema.safeParse(said)
      if (!fits.success) throw new LlmError('unparsable', 'The reply cannot be used.', '')
      return { ...blank, text: JSON.stringify(said), object: fits.data }
    },
  }
  return fake
}
