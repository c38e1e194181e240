import { escapeRegExp } from '../src/base/text.js'
import { systems as builtin, loadAll } from '../src/builtins.js'
import { type Rule, ScriptedModel, type ScriptedOptions, type ScriptedReply } from '../src/gateway/index.js'
import { fromWire } from '../src/gateway/loopback/from-wire.js'
import type { RehearsedReply, SystemDefinition } from '../src/model/index.js'

const systems = await loadAll(builtin)

/**
 * A scripted model that plays the model inside every built-in system with prompts of its own, each by its rehearsal. What is asked for is known
 * by the prompt alone, as a server sees it: no call carries a name. Steps are taken to have the names of their prompts.
 *
 * @example const server = await startScriptedServer(rehearsedModel())
 */
export function rehearsedModel(options: Omit<ScriptedOptions, 'rules'> = {}): ScriptedModel {
  const played = systems.filter(({ rehearsal }) => rehearsal)
  const own = played.filter(({ needs }) => !needs?.endpoint)
  // A package has prompts of its own, which nobody here knows: what fits no other system is taken for its.
  const packaged = played.filter(({ needs }) => needs?.endpoint)
  return new ScriptedModel({
    ...options,
    rules: [
      ...own.flatMap((system) =>
        Object.entries(system.prompts ?? {}).map(([step, text]) => rule(system, step, opening(text))),
      ),
      ...packaged.map((system) => rule(system, 'any', /^/)),
    ],
  })
}

function rule({ rehearsal }: SystemDefinition, step: string, text: RegExp): Rule {
  return {
    when: { text, role: 'system' },
    reply: async ({ request }) => {
      const prompt = request.messages.map(({ content }) => content).join('\n\n')
      return said(await rehearsal!({ step, prompt, request: fromWire(request, undefined) }))
    },
  }
}

/** A message that begins with a prompt, whatever its places are filled with. */
function opening(prompt: string): RegExp {
  const pieces = prompt.split(/\{\w+\}/).map(escapeRegExp)
  return new RegExp(`^${pieces.join('[\\s\\S]*?')}`)
}

function said(reply: RehearsedReply): ScriptedReply {
  if ('calls' in reply) return { toolCalls: reply.calls }
  return 'json' in reply ? { json: reply.json } : reply.text
}
