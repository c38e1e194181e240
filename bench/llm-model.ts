import type { Rule, ScriptedCall, ScriptedReply } from '../src/gateway/index.js'
import { ScriptedModel, type ScriptedOptions } from '../src/gateway/index.js'
import type { LlmUsage } from '../src/model/index.js'
import { blocksOf, honestReply, itemsOf } from './reading-model.js'

/** Under which tests, kills and benchmarks reach the model over HTTP. */
export const SPEC = 'openai-compatible:test'

/** Prices with which a run of {@link actingModel} has a cost and can be held to a budget. */
export const PRICES = { [SPEC]: { input: 1, output: 4, maxOutput: 2000 } }

/**
 * A scripted model that plays every part of a run as a function of the request alone: it writes notes word for word, answers from the
 * memories it is shown, and judges by words. Whatever the order and number of calls, a run against it has one possible result.
 *
 * @param usage told with every reply instead of counting tokens, which takes time
 * @example const server = await startScriptedServer(actingModel({ latencyMs: 500 }))
 */
export function actingModel(options: Omit<ScriptedOptions, 'rules'> = {}, usage?: Partial<LlmUsage>): ScriptedModel {
  return new ScriptedModel({
    rules: usage ? rules.map((rule) => withUsage(rule, usage)) : rules,
    ...options,
  })
}
const rules: readonly Rule[] = [
  { when: { schema: 'note' }, reply: (call) => ({ json: { note: asked(call).replace(/^user: /gm, '') } }) },
  { when: { schema: true }, reply: (call) => ({ json: honestReply(asked(call)) }) },
  { when: { text: '{"answer": "<letter of the option>"}', role: 'user' }, reply: choice },
  { when: { text: 'Begin with Yes or No', role: 'user' }, reply: yesOrNo },
  { when: { text: 'Question: ', role: 'user' }, reply: free },
]

/** The same rule with usage that is told instead of counted. */
function withUsage(rule: Rule, usage: Partial<LlmUsage>): Rule {
  const reply = async (call: ScriptedCall): Promise<ScriptedReply> => {
    const said = typeof rule.reply === 'function' ? await rule.reply(call) : rule.reply
    return typeof said === 'string' ? { text: said, usage } : { ...said, usage }
  }
  return { ...rule, reply }
}

/** What was asked first: later turns are complaints about replies that were spoilt. */
function asked({ request }: ScriptedCall): string {
  return request.messages.find(({ role }) => role === 'user')?.content ?? ''
}

function memoriesIn(prompt: string): string[] {
  const block = blocksOf(prompt).find(({ name }) => name === 'memories')
  return block ? itemsOf(block).map(({ text }) => text) : []
}

/** The option whose words stand in the memories most; the first of equals. */
function choice(call: ScriptedCall): ScriptedReply {
  const prompt = asked(call)
  const known = wordsOf(memoriesIn(prompt).join(' '))
  const [, options = ''] = prompt.split('\nOptions:\n')
  const scored = [...options.matchAll(/^([A-Z])\. (.*)$/gm)].map(([, letter = '', text = '']) => {
    const words = [...wordsOf(text)]
    return { letter, share: words.filter((word) => known.has(word)).length / Math.max(1, words.length) }
  })
  const best = scored.reduce((a, b) => (b.share > a.share ? b : a), { letter: 'A', share: -1 })
  return { json: { answer: best.letter } }
}

function yesOrNo(call: ScriptedCall): ScriptedReply {
  const prompt = asked(call)
  const [first = ''] = memoriesIn(prompt)
  const question = wordsOf(prompt.split('Question: ').at(-1)!)
  const shared = [...wordsOf(first)].filter((word) => question.has(word)).length
  return `${shared % 2 === 0 ? 'Yes' : 'No'}, because of this: ${first.slice(0, 200)}`
}

function free(call: ScriptedCall): ScriptedReply {
  const memories = memoriesIn(asked(call))
  return memories.length === 0 ? 'I have no information about that.' : memories.join(' ').slice(0, 600)
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])
}
