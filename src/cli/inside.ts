import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countO200kTokens } from '../base/tokens.js'
import { nameOf, type Plan, type PlannedLife, type Subject } from '../engine/plan.js'
import { openEndpoint, type PlannedCalls } from '../gateway/index.js'
import { conversationsOf, type LlmRole, type SystemContext, textWithChoices } from '../model/index.js'
import { hashEmbedder } from '../systems/hash-embedder.js'
import { type Rehearsed, rehearse } from '../systems/parts/rehearse.js'
import { textOf } from './rehearsal.js'

/** What a subject will ask of the model inside it; `calls` is null when that cannot be known. */
export interface InsideEstimate {
  subject: string
  model: string
  calls: readonly PlannedCalls[] | null
}

/** Lives of one suite that are rehearsed; the others are taken to be like them, by the length of their conversations. */
const MOST_LIVES = 6

/** Characters whose tokens are counted; beyond, they are reckoned by the share found until then. */
const COUNTED = 400_000

/**
 * What systems with a model inside will ask of it. Each lives its lives with a rehearsal of its model, so that prompts are those that will be
 * sent, as far as they do not depend on what the real model says. Calls that are word for word the same are made once, as the cache does.
 */
export async function estimateInside({ lives, subjects }: Plan): Promise<InsideEstimate[]> {
  const estimates: InsideEstimate[] = []
  for (const subject of subjects) {
    if (subject.model === null) continue
    const own = lives.filter((life) => life.subject === subject)
    estimates.push({
      subject: nameOf(subject),
      model: subject.model,
      calls: subject.definition.rehearsal ? await rehearsed(subject, own) : null,
    })
  }
  return estimates
}

async function rehearsed(subject: Subject, lives: readonly PlannedLife[]): Promise<PlannedCalls[]> {
  const tally = new Tally()
  for (const suite of new Set(lives.map((life) => life.suite))) {
    const all = lives.filter((life) => life.suite === suite)
    const first = all.filter(({ key }) => key.trial === 0)
    const step = Math.ceil(first.length / MOST_LIVES)
    const sample = first.filter((_, i) => i % step === 0)
    tally.weight = lengthOf(all) / Math.max(1, lengthOf(sample))
    for (const life of sample) await live(subject, life, tally)
  }
  return tally.planned(subject.model!)
}

/** Stores everything and asks every question once: what a call says rarely depends on k. */
async function live({ definition, options }: Subject, { scenario, asks }: PlannedLife, tally: Tally): Promise<void> {
  const clock = { now: '' }
  const { signal } = new AbortController()
  const embed = hashEmbedder(64)
  const llm = rehearse(definition.rehearsal!, { onCall: (call) => tally.add(call) })
  const workdir = definition.needs?.endpoint ? mkdtempSync(join(tmpdir(), 'memscope-estimate-')) : ''
  const context: SystemContext = {
    embed,
    llm,
    ...(definition.needs?.endpoint && {
      endpoint: (asked) => openEndpoint({ ...asked, name: definition.name, llm, embed, signal }),
    }),
    workdir,
    namespace: 'estimate',
    now: () => clock.now,
    signal,
    log: () => {},
  }
  const system = await definition.create(context, options)
  const wanted = new Map(asks.map(({ question, ks }) => [question.id, Math.max(...ks.map(Math.abs))]))
  tally.begin()
  for (const event of scenario.timeline) {
    clock.now = event.type === 'conversation' ? event.conversation.time : event.probe.time
    if (event.type === 'conversation') {
      await system.store(event.conversation)
      continue
    }
    await system.settle?.(600_000)
    for (const question of event.probe.questions) {
      const k = wanted.get(question.id)
      if (k === undefined) continue
      const query = { id: question.id, text: question.query ?? question.text, time: clock.now }
      const before = await system.snapshot?.()
      await system.retrieve(query, k, { k })
      await system.restore?.(before)
      if (definition.answers) await system.answer?.({ ...query, text: textWithChoices(question) })
    }
  }
  await system.close?.()
  if (workdir !== '') rmSync(workdir, { recursive: true, force: true })
}

function lengthOf(lives: readonly PlannedLife[]): number {
  return lives.reduce(
    (sum, { scenario }) =>
      sum + conversationsOf(scenario).reduce((n, { turns }) => turns.reduce((m, { text }) => m + text.length, n), 0),
    0,
  )
}

/** Counts calls by role. */
class Tally {
  /** How many lives each call stands for. */
  weight = 1
  readonly #lines = new Map<LlmRole, { calls: number; input: number; output: number }>()
  #seen = new Set<string>()
  #characters = 0
  #tokens = 0

  /** A life begins; its calls are its own. */
  begin(): void {
    this.#seen = new Set()
  }

  add({ options, request, reply }: Rehearsed): void {
    const prompt = request.messages.map(({ content }) => content).join('\n')
    if (this.#seen.has(prompt)) return
    this.#seen.add(prompt)
    const line = this.#lines.get(options.role) ?? { calls: 0, input: 0, output: 0 }
    line.calls += this.weight
    line.input += this.weight * this.#tokensOf(prompt)
    line.output += this.weight * this.#tokensOf(textOf(reply))
    this.#lines.set(options.role, line)
  }

  planned(model: string): PlannedCalls[] {
    return [...this.#lines].map(([role, { calls, input, output }]) => ({
      role,
      model,
      calls: Math.round(calls),
      input: input / calls,
      output: output / calls,
    }))
  }

  #tokensOf(text: string): number {
    if (this.#characters >= COUNTED) return (text.length * this.#tokens) / this.#characters
    const tokens = countO200kTokens(text)
    this.#characters += text.length
    this.#tokens += tokens
    return tokens
  }
}
