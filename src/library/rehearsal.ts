import { UserError } from '../base/errors.js'
import { countTokens, promptTokens } from '../gateway/index.js'
import type { Llm, LlmRequest, LlmUsage, RehearsedReply, SystemDefinition } from '../model/index.js'
import { isRehearsed, NO_USAGE } from '../model/index.js'
import { rehearse } from '../systems/parts/rehearse.js'

/** Only models inside systems can be rehearsed. */
export function refuseRehearsal(models: readonly string[]): void {
  const wrong = models.find(isRehearsed)
  if (wrong === undefined) return
  throw new UserError(
    `${wrong} plays the models inside memory systems: it does not read, judge or embed.`,
    'Give it to --model alone.',
  )
}

/** A model without key, network and price that answers as the rehearsal of a system does; tokens are counted as of a real one. */
export function rehearsedModel(model: string, { name, rehearsal }: SystemDefinition): Llm {
  if (!rehearsal)
    throw new UserError(
      `${model} cannot play the model inside "${name}", which has no rehearsal.`,
      'Add a `rehearsal` to its definition, or name another model.',
    )
  const { generate } = rehearse(rehearsal, { usage: rehearsedUsage })
  return { model, generate }
}

/** Tokens as a real model would count them. */
export function rehearsedUsage(request: LlmRequest<unknown>, reply: RehearsedReply): LlmUsage {
  return { ...NO_USAGE, input: promptTokens(request), output: Math.max(1, countTokens(rehearsedText(reply))) }
}

/** What a rehearsed model writes. */
export function rehearsedText(reply: RehearsedReply): string {
  return 'text' in reply ? reply.text : JSON.stringify('json' in reply ? reply.json : reply.calls)
}
