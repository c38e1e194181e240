import { type Assessment, assessQuestion } from '../../src/analysis/assess.js'
import { countTokens } from '../../src/base/tokens.js'
import { openEndpoint } from '../../src/gateway/loopback/endpoint.js'
import {
  conversationsOf,
  type FactVerdict,
  type LlmRequest,
  type LlmRole,
  type LlmUsage,
  type Memory,
  type MemorySystem,
  probesOf,
  type Query,
  type Question,
  type RehearsedReply,
  type Scenario,
  type WitnessRecord,
} from '../../src/model/index.js'
import { rehearse } from '../../src/systems/parts/rehearse.js'
import { resolveSystem } from '../../src/systems/registry.js'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import { judgeByForms } from './forms-judge.js'
import { followScript, type Script } from './script.js'
import { loadStory } from './story.js'
import { wordEmbedder } from './word-embedder.js'

/** One call of the model. */
export interface AskedCall {
  /** Conversation or question during which it was made. */
  at: string
  step: string
  role: LlmRole
  /** All messages, one after another. */
  prompt: string
  reply: RehearsedReply
  tokens: { input: number; output: number }
}

/** What a system did with the story. */
export interface StoryRun {
  /** Calls of the model, in order. */
  asked: AskedCall[]
  /** What it held after each conversation, by the conversation's id. */
  dumps: Record<string, Memory[]>
  /** What it held at the end. */
  held: Memory[]
  /** What it found for each question, by the question's id. */
  retrieved: Record<string, Memory[]>
  /** What it answered by itself. */
  answers: Record<string, string>
  /** The judge's word on every fact at the end. */
  verdicts: Record<string, FactVerdict>
  /** What became of each question, by its id. */
  outcomes: Record<string, Assessment>
}

/**
 * Lives the story with one system under a script, and judges it. Nothing is random and nothing is reached.
 *
 * @example const { outcomes } = await runStory('mem0-v1', readStoryScript('mem0-v1'))
 */
export async function runStory(spec: string, script: Script | null, k = 5): Promise<StoryRun> {
  const { scenario } = loadStory()
  const { definition, options } = await resolveSystem(spec, process.cwd())
  const run: StoryRun = { asked: [], dumps: {}, held: [], retrieved: {}, answers: {}, verdicts: {}, outcomes: {} }
  const clock = { at: '', now: '' }
  const workdir = temporaryFolder('story')
  const { signal } = new AbortController()
  const embed = wordEmbedder()
  const llm = script && scripted(script, clock, run)
  const system = await definition.create(
    {
      embed,
      ...(llm && { llm }),
      ...(llm &&
        definition.needs?.endpoint && {
          endpoint: (asked) => openEndpoint({ ...asked, name: definition.name, llm, embed, signal }),
        }),
      workdir,
      namespace: 'story',
      now: () => clock.now,
      signal,
      log: () => {},
    },
    options,
  )
  try {
    for (const conversation of conversationsOf(scenario)) {
      Object.assign(clock, { at: conversation.id, now: conversation.time })
      await system.store(conversation)
      await system.settle?.(60_000)
      run.dumps[conversation.id] = structuredClone(await system.dump!())
    }
    run.held = structuredClone(await system.dump!())
    const [probe] = probesOf(scenario)
    for (const question of probe!.questions) {
      Object.assign(clock, { at: question.id, now: probe!.time })
      const query = { id: question.id, text: question.text, time: probe!.time }
      const depth = definition.depth === 'fixed' ? Number.MAX_SAFE_INTEGER : k
      run.retrieved[question.id] = await askOnce(system, query, depth)
      if (definition.answers && system.answer) run.answers[question.id] = (await system.answer(query)).text
    }
  } finally {
    await system.close?.()
    removeTemporary(workdir)
  }
  judge(scenario, run)
  return run
}

async function askOnce(system: MemorySystem, query: Query, k: number): Promise<Memory[]> {
  const before = await system.snapshot?.()
  const found = structuredClone(await system.retrieve(query, k, { k }))
  await system.restore?.(before)
  return found
}

function scripted(script: Script, clock: { at: string }, { asked }: StoryRun) {
  return rehearse(
    followScript(script, () => clock.at),
    {
      usage: usageOf,
      onCall: ({ step, options, request, reply }) => {
        const { input, output } = usageOf(request, reply)
        const prompt = request.messages.map(({ content }) => content).join('\n\n')
        asked.push({ at: clock.at, step, role: options.role, prompt, reply, tokens: { input, output } })
      },
    },
  )
}

function usageOf({ messages }: LlmRequest<unknown>, reply: RehearsedReply): LlmUsage {
  const said = 'text' in reply ? reply.text : JSON.stringify('json' in reply ? reply.json : reply.calls)
  const input = messages.reduce((sum, { content }) => sum + countTokens(content), 0)
  return { input, cachedInput: 0, output: countTokens(said), reasoning: 0 }
}

function judge(scenario: Scenario, run: StoryRun): void {
  const byId = (verdicts: readonly FactVerdict[]) =>
    Object.fromEntries(verdicts.map((verdict) => [verdict.fact, verdict]))
  run.verdicts = byId(judgeByForms(scenario.facts, run.held))
  const earlier = new Set<string>()
  for (const dump of Object.values(run.dumps)) {
    for (const { fact, label } of judgeByForms(scenario.facts, dump)) {
      if (label !== 'not_stored') earlier.add(fact)
    }
  }
  const texts = new Map(run.held.map(({ id, text }) => [id, text]))
  for (const question of probesOf(scenario)[0]!.questions) {
    const found = run.retrieved[question.id]!
    const asHeld = found.every(({ id, text }) => texts.get(id) === text)
    const returned = asHeld ? null : byId(judgeByForms(scenario.facts, found))
    run.outcomes[question.id] = assessQuestion({
      question,
      witness: witnessOf(question, found),
      inStore: (fact) => run.verdicts[fact],
      inRetrieved: returned && ((fact) => returned[fact]),
      answered: null,
      correctionsOf: (fact) => scenario.facts.filter(({ replaces }) => replaces === fact).map(({ id }) => id),
      wasStored: (fact) => earlier.has(fact),
      statusOf: (memory) => run.held.find(({ id }) => id === memory)?.status,
    })
  }
}

function witnessOf({ id }: Question, found: readonly Memory[]): WitnessRecord {
  return {
    question: id,
    probe: 'end',
    depth: { k: found.length },
    retrieved: found.map((memory) => memory.id),
    scores: found.map(({ score }) => score ?? null),
    retrievedSnapshot: null,
    contextTokens: 0,
    sizes: [],
    ms: null,
    tokens: {},
    cost: 0,
    error: null,
  }
}
