// Makes the vectors that ship with the bundled corpora: all that the tour asks for, and MemFail at full size.
// Run after a change of a corpus or of a judge: npm run build && npm run vectors
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { VectorCache } from '../../src/gateway/embed/vector-cache.js'
import { writePack } from '../../src/gateway/embed/vector-pack.js'
import { conversationsOf, type Embedder, questionsOf } from '../../src/model/index.js'
import { memfail } from '../../src/suites/memfail/index.js'

const PACK = 'src/corpora/vectors/minilm.bin'
const BUILT = 'dist/corpora/vectors/minilm.bin'
const home = mkdtempSync(join(tmpdir(), 'memscope-vectors-'))
// Without the pack that is there, so that what nobody asks for any more falls away.
if (existsSync(BUILT)) renameSync(BUILT, `${BUILT}.old`)
execFileSync(process.execPath, ['dist/cli/main.js', 'run', '--home', home, '--html', join(home, 'tour.html')], {
  stdio: 'inherit',
})

const texts = new Set<string>()
const { scenarios } = await memfail.load({ view: 'audited', seed: 42, size: 'paper', extra: {} })
for (const scenario of scenarios) {
  for (const { turns } of conversationsOf(scenario)) for (const { text } of turns) texts.add(text)
  for (const { text, query } of questionsOf(scenario)) texts.add(query ?? text)
}
const cacheDir = join(home, 'cache')
const embedder = await createEmbedder({ model: 'minilm', engine: 'wasm', cacheDir })
await embedder.embed([...texts])
await embedder.close()
const count = packCache(cacheDir, embedder, PACK)
rmSync(home, { recursive: true })
rmSync(`${BUILT}.old`, { force: true })
process.stdout.write(`${count} vectors of ${embedder.id}\n`)

/**
 * Writes everything that a cache holds to a pack, so that a run that filled it need not compute anything the next time.
 *
 * @returns how many vectors the pack holds
 */
function packCache(folder: string, embedder: Embedder, file: string): number {
  const cache = new VectorCache(folder, embedder.id, embedder.dimensions)
  const keys = cache.keys()
  const vectors = cache.get(keys)
  cache.close()
  const entries = keys.flatMap((key, i) => (vectors[i] ? [{ key, vector: vectors[i] }] : []))
  writePack(file, { embedder: embedder.id, dimensions: embedder.dimensions, entries })
  return entries.length
}
