import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { UserError, unknownName } from '../src/base/errors.js'
import { homeAt, openEmbedder } from '../src/library/compose.js'
import type { Bench } from './bench.js'
import { chatsBench } from './chats/index.js'
import { benchEpisodes } from './episodes.js'
import { gatewayBench } from './gateway.js'
import { benchGenerator } from './generator.js'
import { driftBench } from './judge/drift.js'
import { enginesBench } from './judge/engines.js'
import { judgeBench } from './judge/speed.js'
import { benchLives } from './lives.js'
import { llmRunBench } from './llm-run.js'
import { tableMarkdown, writeSection } from './markdown.js'
import { pairedBench } from './paired/index.js'
import { reportBench } from './report/index.js'
import { systemsBench } from './systems/index.js'
import { insideBench } from './systems/inside.js'
import { turnsBench } from './turns/index.js'
import { viewBench } from './view/index.js'

const generatorBench: Bench = {
  name: 'generator',
  about: 'making 1,000 to 100,000 rows of every MemFail task',
  run: () => benchGenerator(),
}

const memeBench: Bench = {
  name: 'meme',
  about: 'making and checking 10,000 MEME episodes',
  run: benchEpisodes,
}

const memoraBench: Bench = {
  name: 'memora',
  about: 'ten Memora lives of 7, 28 and 92 days beside the paper, and 1,000 seeds of each',
  run: async (progress) => {
    const embedder = await openEmbedder('minilm', homeAt(undefined))
    try {
      return await benchLives(progress, embedder)
    } finally {
      await embedder.close()
    }
  },
}

/** All benchmarks. A new one is a module with a `Bench`, named here. */
const benches: readonly Bench[] = [
  systemsBench,
  insideBench,
  reportBench,
  pairedBench,
  gatewayBench,
  llmRunBench,
  generatorBench,
  memeBench,
  memoraBench,
  chatsBench,
  turnsBench,
  viewBench,
  judgeBench,
  enginesBench,
  driftBench,
]

const FILE = 'lab/benchmarks.md'
const USAGE = `npm run bench -- [name…] [--write]
  ${benches.map(({ name, about }) => `${name}: ${about}`).join('\n  ')}
  --write keeps the tables in ${FILE}`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  })
  if (values.help) {
    console.log(USAGE)
    return
  }
  const chosen = positionals.length === 0 ? benches : positionals.map(benchNamed)
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}.`
  for (const bench of chosen) {
    const table = await bench.run((message) => console.error(`${bench.name}: ${message}`))
    console.log(`\n${table.title}\n\n${table.note}\n\n${tableMarkdown(table)}\n\n${machine}`)
    if (values.write) writeSection(FILE, bench.name, table, machine)
  }
}

function benchNamed(name: string): Bench {
  const found = benches.find((bench) => bench.name === name)
  if (!found) {
    throw unknownName(
      'benchmark',
      name,
      benches.map((bench) => bench.name),
    )
  }
  return found
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`${error.message} ${error.hint ?? ''}`)
  process.exitCode = error.exitCode
}
