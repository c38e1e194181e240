import type { SystemContext } from '../../src/model/index.js'
import { hashEmbedder } from '../../src/systems/hash-embedder.js'
import { resolveSystem } from '../../src/systems/registry.js'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import { quantile } from '../bench.js'
import { SyntheticText } from '../synthetic.js'

/** What one system did with so many memories. */
export interface Measured {
  size: number
  ingestMs: number
  p50Ms: number
  p95Ms: number
  peakMb: number
}

const QUERIES = 200
const WARM_UP = 20
const K = 5

/** Fills a system with memories and asks it questions. Meant for a process of its own, for the peak of memory is that of the process. */
export async function measureSystem(spec: string, size: number): Promise<Measured> {
  const text = new SyntheticText(1)
  const sentences = Array.from({ length: size }, () => text.sentence())
  const queries = Array.from({ length: QUERIES + WARM_UP }, (_, i) =>
    text.questionAbout(sentences[(i * 7919) % sentences.length]!),
  )
  const { definition, options } = await resolveSystem(spec, process.cwd())
  const workdir = temporaryFolder('bench')
  const context: SystemContext = {
    embed: hashEmbedder(384),
    workdir,
    namespace: 'bench',
    now: () => '2024-01-01T00:00:00Z',
    signal: new AbortController().signal,
    log: () => {},
  }
  const system = await definition.create(context, options)

  const started = performance.now()
  for (const [i, sentence] of sentences.entries()) {
    await system.store({ id: `c${i}`, time: '2024-01-01T00:00:00Z', turns: [{ role: 'user', text: sentence }] })
  }
  await system.settle?.(600_000)
  const ingestMs = performance.now() - started

  const latencies: number[] = []
  for (const [i, query] of queries.entries()) {
    const asked = performance.now()
    await system.retrieve({ id: `q${i}`, text: query, time: '2024-01-02T00:00:00Z' }, K, { k: K })
    if (i >= WARM_UP) latencies.push(performance.now() - asked)
  }
  await system.close?.()
  removeTemporary(workdir)
  return {
    size,
    ingestMs,
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
    peakMb: process.resourceUsage().maxRSS / 1024,
  }
}
