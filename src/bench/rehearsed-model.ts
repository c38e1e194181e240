import { type Rule, ScriptedModel, type ScriptedReply } from '../gateway/index.js'
import { fromWire } from '../gateway/loopback/from-wire.js'
import type { RehearsedReply, SystemDefinition } from '../model/index.js'
import { systems } from '../systems/registry.js'

/**
 * A scripted model that plays the model inside every built-in system with prompts of its own, each by its rehearsal. What is asked for is known
 * by the prompt alone, as a server sees it: no call carries a name. Steps are taken to have the names of their prompts.
 *
 * @example const server = await startScriptedServer(rehearsedModel())
 */
export function rehearsedModel(): ScriptedModel {
  const played = systems.filter(({ rehearsal, needs }) => rehearsal && !needs?.endpoint)
  return new ScriptedModel({
    rules: played.flatMap((system) =>
      Object.entries(system.prompts ?? {}).map(([step, text]) => rule(system, step, text)),
    ),
  })
}

function rule({ rehearsal }: SystemDefinition, step: string, text: string): Rule {
  return {
    when: { text: opening(text), role: 'system' },
    reply: ({ request }) => {
      const prompt = request.messages.map(({ content }) => content).join('\n\n')
      return said(rehearsal!({ step, prompt, request: fromWire(request, undefined) }))
    },
  }
}

/** A message that begins with a prompt, whatever its places are filled with. */
function opening(prompt: string): RegExp {
  const pieces = prompt.split(/\{\w+\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pieces.join('[\\s\\S]*?')}`)
}

function said(reply: RehearsedReply): ScriptedReply {
  if ('calls' in reply) return { toolCalls: reply.calls }
  return 'json' in reply ? { json: reply.json } : reply.text
}
