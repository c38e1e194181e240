import type { Embedder, Llm, SystemContext } from '../../src/model/index.js'
import { hashEmbedder } from '../../src/systems/hash-embedder.js'
import { rehearse } from '../../src/systems/parts/rehearse.js'
import { resolveSystem } from '../../src/systems/registry.js'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import { quantile } from '../bench.js'
import { SyntheticText } from '../synthetic.js'

/** What a system took to store a conversation, beside its models. */
export interface MeasuredInside {
  /** Memories held when it was measured. */
  memories: number
  /** Conversations stored until then. */
  conversations: number
  /** Half of the conversations took less, in the round that was disturbed least. */
  p50Ms: number
  p95Ms: number
  /** Model calls a conversation, of those measured. */
  calls: number
}

/** Rounds of conversations measured at every size: a machine with other work to do disturbs some of them. */
const ROUNDS = 5
const MEASURED = 20
/** Conversations between two looks at how much is held. */
const LOOK = 20

/**
 * Fills a system with conversations of one sentence, its model played by its rehearsal, and measures storing whenever a size is reached. Systems
 * that hold less than one memory a conversation are measured after as many conversations.
 */
export async function measureInside(spec: string, sizes: readonly number[]): Promise<MeasuredInside[]> {
  const { definition, options } = await resolveSystem(spec, process.cwd())
  const text = new SyntheticText(1)
  const models = { ms: 0, calls: 0 }
  const workdir = temporaryFolder('bench')
  const context: SystemContext = {
    embed: timedEmbedder(hashEmbedder(384), models),
    llm: timedModel(rehearse(definition.rehearsal!), models),
    workdir,
    namespace: 'bench',
    now: () => '2024-01-01T00:00:00Z',
    signal: new AbortController().signal,
    log: () => {},
  }
  const system = await definition.create(context, options)
  let stored = 0
  const store = async (): Promise<number> => {
    const conversation = {
      id: `c${stored}`,
      time: new Date(Date.UTC(2024, 0, 1) + stored * 3_600_000).toISOString(),
      turns: [{ role: 'user' as const, text: text.sentence() }],
    }
    stored++
    const [started, before] = [performance.now(), models.ms]
    await system.store(conversation)
    await system.settle?.(600_000)
    return performance.now() - started - (models.ms - before)
  }
  const found: MeasuredInside[] = []
  for (const size of sizes) {
    while (stored < size && (stored % LOOK !== 0 || (await system.dump!()).length < size)) await store()
    const memories = (await system.dump!()).length
    const before = { conversations: stored, calls: models.calls }
    const rounds: number[][] = []
    for (let round = 0; round < ROUNDS; round++) {
      const times: number[] = []
      for (let i = 0; i < MEASURED; i++) times.push(await store())
      rounds.push(times)
    }
    const least = (share: number) => Math.min(...rounds.map((times) => quantile(times, share)))
    found.push({
      memories,
      conversations: before.conversations,
      p50Ms: least(0.5),
      p95Ms: least(0.95),
      calls: (models.calls - before.calls) / (ROUNDS * MEASURED),
    })
  }
  await system.close?.()
  removeTemporary(workdir)
  return found
}

interface Spent {
  ms: number
  calls: number
}

function timedModel(llm: Llm, spent: Spent): Llm {
  return {
    model: llm.model,
    generate: async (request, options) => {
      spent.calls++
      return timed(() => llm.generate(request, options), spent)
    },
  }
}

function timedEmbedder(embedder: Embedder, spent: Spent): Embedder {
  return { ...embedder, embed: (texts) => timed(() => embedder.embed(texts), spent) }
}

async function timed<T>(work: () => Promise<T>, spent: Spent): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    spent.ms += performance.now() - started
  }
}
