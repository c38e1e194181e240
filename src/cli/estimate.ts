import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { FIXED_DEPTH } from '../engine/plan.js'
import { estimate, type PlannedCalls, priceTable } from '../gateway/index.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { judgeBill, type Protocol } from '../judges/llm/bill.js'
import { verbatimCase } from '../judges/llm/verbatim.js'
import { answerTrialOf, questionsOf } from '../model/index.js'
import { type AnswerStyle, messagesFor } from '../readers/llm/index.js'
import type { Workshop } from './compose.js'

/** Length of an answer that is assumed. */
const ANSWER_TOKENS = 150

/** Depth that stands for "everything" when a system has no k. */
const WHOLE_STORE = 1000

/**
 * What readers and judges of a plan will be sent, told before the first call. Memories are assumed to keep everything as said and to be found
 * by words; what systems ask of models inside them cannot be known before.
 */
export async function estimateOf({ plan, judge, embed }: Workshop, prices: string | undefined): Promise<string | null> {
  const planned: PlannedCalls[] = []
  const inside = [...new Set(plan.subjects.flatMap(({ model }) => model ?? []))]
  const [, protocol, judgeModel] = /^(paper|llm|hybrid):(.+)$/.exec(judge.name) ?? []
  const judged = new Set<string>()
  for (const life of plan.lives) {
    for (const k of [...new Set(life.asks.flatMap(({ ks }) => ks))]) {
      const depth = k === FIXED_DEPTH ? WHOLE_STORE : Math.abs(k)
      const one = verbatimCase(life.scenario, life.suite, depth)
      const asked = new Set(life.asks.filter(({ ks }) => ks.includes(k)).map(({ question }) => question.id))
      const questions = questionsOf(life.scenario).filter(({ id }) => asked.has(id))
      for (const reader of life.readers) {
        for (const question of questions) {
          const messages = messagesFor(
            question,
            await one.retrieved(question),
            '',
            plan.request.answerStyle as AnswerStyle,
          )
          const input = messages.reduce((sum, { content }) => sum + countTokens(content), 0)
          planned.push({ role: 'answer', model: answerTrialOf(reader).reader, calls: 1, input, output: ANSWER_TOKENS })
        }
      }
      if (protocol && judgeModel && life.readers.length > 0) {
        const store = `${life.scenario.id} ${life.key.trial} ${life.subject.definition.class === 'raw' ? 'raw' : life.key.system}`
        const bill = await judgeBill(
          { ...one, questions },
          { protocol: protocol as Protocol, lexical: createLexicalJudge({ embed }) },
        )
        const stages = judged.has(store) && protocol !== 'paper' ? null : bill.stages
        judged.add(store)
        for (const sent of [stages, bill.answers]) {
          if (sent && sent.calls > 0)
            planned.push({
              role: 'judge',
              model: judgeModel,
              calls: sent.calls,
              input: sent.promptTokens / sent.calls,
              output: ANSWER_TOKENS,
            })
        }
      }
    }
  }
  if (planned.length === 0 && inside.length === 0) return null
  const { calls, usage, cost, unpriced } = estimate(planned, priceTable(prices))
  const money = cost === null ? `price unknown for ${unpriced.join(', ')}` : `about $${cost.toFixed(2)}`
  const rest = inside.length > 0 ? `; what memory systems ask of ${inside.join(', ')} comes on top` : ''
  return `Readers and judges: about ${calls.toLocaleString('en')} calls, ${Math.round(usage.input).toLocaleString('en')} tokens in, ${money}${rest}.`
}
