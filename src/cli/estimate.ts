import { countO200kTokens } from '../base/tokens.js'
import { type Plan, SELF } from '../engine/plan.js'
import { estimate, type PlannedCalls, type PriceTable, priceTable } from '../gateway/index.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { judgeBill, PROTOCOLS, type Protocol } from '../judges/llm/bill.js'
import { verbatimCase } from '../judges/llm/verbatim.js'
import { answerTrialOf, FIXED_DEPTH, isRehearsed, type LlmRole, questionsOf } from '../model/index.js'
import { type AnswerStyle, messagesFor } from '../readers/llm/index.js'
import { readerPromptsWith } from '../readers/llm/reader-prompts.js'
import type { Workshop } from './compose.js'
import { estimateInside } from './inside.js'
import { modelsOfJudge } from './models.js'

/** Length of an answer that is assumed. */
const ANSWER_TOKENS = 150

/** Depth that stands for "everything" when a system has no k. */
const WHOLE_STORE = 1000

/**
 * What readers, judges and systems of a plan will ask of models, told before the first call. Memories are assumed to keep everything as said and to be found
 * by words. What systems ask of models inside them is rehearsed when asked for, which may take a while.
 */
export async function estimateOf(
  { plan, judgedAgain, embed }: Workshop,
  prices: string | undefined,
  rehearse: boolean,
): Promise<string | null> {
  const planned: PlannedCalls[] = []
  const inside = [...new Set(plan.subjects.flatMap(({ model }) => model ?? []))]
  const protocol = protocolOf(plan.request.judge)
  const judgeModels = modelsOfJudge(plan.request.judge)
  const times = 1 + judgedAgain.length
  const judged = new Set<string>()
  for (const life of plan.lives) {
    for (const k of [...new Set(life.asks.flatMap(({ ks }) => ks))]) {
      const depth = k === FIXED_DEPTH ? WHOLE_STORE : Math.abs(k)
      const one = verbatimCase(life.scenario, life.suite, depth)
      const asked = new Set(life.asks.filter(({ ks }) => ks.includes(k)).map(({ question }) => question.id))
      const questions = questionsOf(life.scenario).filter(({ id }) => asked.has(id))
      for (const reader of life.readers) {
        // What a system answers by itself is its own work, and rehearsed with it.
        if (reader === SELF) continue
        for (const question of questions) {
          const messages = messagesFor(
            question,
            await one.retrieved(question),
            '',
            plan.request.answerStyle as AnswerStyle,
            readerPromptsWith(plan.request.readerPrompt),
          )
          const input = messages.reduce((sum, { content }) => sum + countO200kTokens(content), 0)
          planned.push({ role: 'answer', model: answerTrialOf(reader).reader, calls: 1, input, output: ANSWER_TOKENS })
        }
      }
      if (!protocol) continue
      const store = `${life.scenario.id} ${life.key.trial} ${life.subject.definition.class === 'raw' ? 'raw' : life.key.system}`
      const bill = await judgeBill({ ...one, questions }, { protocol, lexical: createLexicalJudge({ embed }) })
      // Facts are judged once per store, whatever the depth; the paper's protocol does it for every answer.
      const stages = protocol === 'paper' ? life.readers.length : judged.has(store) ? 0 : 1
      judged.add(store)
      for (const model of judgeModels) {
        for (const [sent, count] of [[bill.stages, stages] as const, [bill.answers, life.readers.length] as const]) {
          if (sent.calls === 0 || count === 0) continue
          const calls = sent.calls * count * times
          planned.push({ role: 'judge', model, calls, input: sent.promptTokens / sent.calls, output: ANSWER_TOKENS })
        }
      }
    }
  }
  if (planned.length === 0 && inside.length === 0) return null
  const table = withRehearsals(priceTable(prices))
  const rest = inside.length > 0 && !rehearse ? `; what memory systems ask of ${inside.join(', ')} comes on top` : ''
  const lines = planned.length === 0 ? [] : [`Readers and judges: ${wordsOf(planned, table)}${rest}.`]
  if (planned.length === 0 && !rehearse)
    lines.push(`Memory systems ask ${inside.join(', ')}; --estimate says how much.`)
  if (rehearse && inside.length > 0) lines.push(...(await insideLines(plan, planned, table)))
  return lines.join('\n')
}

/** A line for every system with a model inside, and one for everything. */
async function insideLines(plan: Plan, others: readonly PlannedCalls[], prices: PriceTable): Promise<string[]> {
  const estimates = await estimateInside(plan)
  const lines = estimates.map(
    ({ subject, calls }) => `${subject}: ${calls ? wordsOf(calls, prices) : 'cannot be known before'}.`,
  )
  const all = [...others, ...estimates.flatMap(({ calls }) => calls ?? [])]
  return [...lines, `Together: ${wordsOf(all, prices)}.`]
}

/** Models that are rehearsed cost nothing. */
function withRehearsals(prices: PriceTable): PriceTable {
  return { ...prices, cost: (model, usage) => (isRehearsed(model) ? 0 : prices.cost(model, usage)) }
}

function wordsOf(planned: readonly PlannedCalls[], prices: PriceTable): string {
  const { lines, calls, usage, cost, unpriced } = estimate(planned, prices)
  const money = cost === null ? `price unknown for ${unpriced.join(', ')}` : `about $${cost.toFixed(2)}`
  const count = (number: number) => Math.round(number).toLocaleString('en')
  const callsTo = (...roles: LlmRole[]) =>
    lines.reduce((sum, line) => sum + (roles.includes(line.role) ? line.calls : 0), 0)
  const [store, retrieve] = [callsTo('ingest'), callsTo('retrieve')]
  const where = store + retrieve > 0 ? ` (${count(store)} to store, ${count(retrieve)} to retrieve)` : ''
  return `about ${count(calls)} calls${where}, ${count(usage.input)} tokens in, ${count(usage.output)} out, ${money}`
}

/** How a judge with models asks them; null when it has none. Each model of a panel judges as one alone would. */
function protocolOf(judge: string): Protocol | null {
  if (judge.startsWith('panel:')) return 'llm'
  return PROTOCOLS.find((protocol) => judge.startsWith(`${protocol}:`)) ?? null
}
