import { UserError } from '../base/errors.js'
import { countTokens, promptTokens } from '../gateway/index.js'
import { type Llm, NO_USAGE, type RehearsedReply, type SystemDefinition } from '../model/index.js'
import { rehearse } from '../systems/parts/rehearse.js'

/** The provider whose models are played by the systems' own rehearsals: `rehearsal:demo`. */
export const REHEARSAL = 'rehearsal:'

/** What is said of a run with such a model, wherever its numbers are. */
export const REHEARSED_NOTE =
  'Rehearsed, not measured: the models inside are stand-ins that take every sentence down as it is. Numbers show how systems work, not how well.'

export function isRehearsed(model: string): boolean {
  return model.startsWith(REHEARSAL)
}

/** Only models inside systems can be rehearsed. */
export function refuseRehearsal(models: readonly string[]): void {
  const wrong = models.find(isRehearsed)
  if (wrong === undefined) return
  throw new UserError(
    `${wrong} plays models inside memory systems alone: it neither reads nor judges nor embeds.`,
    'Give it to --model, and leave out --reader and --judge, or name other models there.',
  )
}

/**
 * A model without key and network that plays every system by its own rehearsal. Calls find theirs by label; tokens are counted as those of a
 * real model, and nothing costs anything.
 */
export function rehearsedModel(model: string, definitions: readonly SystemDefinition[]): Llm {
  const players = new Map(
    definitions.flatMap(({ name, rehearsal }) =>
      rehearsal
        ? [
            [
              name,
              rehearse(rehearsal, {
                usage: (request, reply) => ({
                  ...NO_USAGE,
                  input: promptTokens(request),
                  output: Math.max(1, countTokens(textOf(reply))),
                }),
              }),
            ] as const,
          ]
        : [],
    ),
  )
  return {
    model,
    generate: (request, options) => {
      const name = options.label?.split('/')[0] ?? ''
      const player = players.get(name)
      if (player) return player.generate(request, options)
      throw new UserError(
        `The system "${name}" has no rehearsal, so that ${model} cannot play its model.`,
        'Add a `rehearsal` to its definition, or name a real model.',
      )
    },
  }
}

/** What a rehearsed model wrote. */
export function textOf(reply: RehearsedReply): string {
  return 'text' in reply ? reply.text : JSON.stringify('json' in reply ? reply.json : reply.calls)
}
