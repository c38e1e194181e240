// Makes the vectors that ship with the bundled corpora. Run after a change of a corpus: npm run build && npm run vectors
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbedder, packVectors } from '../dist/gateway/embed/index.js'
import { conversationsOf, questionsOf } from '../dist/model/index.js'
import { suites } from '../dist/suites/registry.js'

const texts = new Set()
for (const suite of suites) {
  const { scenarios } = await suite.load({ view: 'audited', seed: 42, size: 'paper', extra: {} })
  for (const scenario of scenarios) {
    for (const { turns } of conversationsOf(scenario)) for (const { text } of turns) texts.add(text)
    for (const { text, query } of questionsOf(scenario)) texts.add(query ?? text)
  }
}
const cacheDir = mkdtempSync(join(tmpdir(), 'memscope-vectors-'))
const embedder = await createEmbedder({ model: 'minilm', engine: 'wasm', cacheDir })
await packVectors([...texts], embedder, 'src/corpora/vectors/minilm.bin')
await embedder.close()
rmSync(cacheDir, { recursive: true })
process.stdout.write(`${texts.size} vectors of ${embedder.id}\n`)
