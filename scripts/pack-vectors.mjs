// Makes the vectors that ship with the bundled corpora: all that the tour asks for, and MemFail at full size.
// Run after a change of a corpus or of a judge: npm run build && npm run vectors
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbedder, packCache } from '../dist/gateway/embed/index.js'
import { conversationsOf, questionsOf } from '../dist/model/index.js'
import { memfail } from '../dist/suites/memfail/index.js'

const PACK = 'src/corpora/vectors/minilm.bin'
const BUILT = 'dist/corpora/vectors/minilm.bin'
const home = mkdtempSync(join(tmpdir(), 'memscope-vectors-'))
// Without the pack that is there, so that what nobody asks for any more falls away.
if (existsSync(BUILT)) renameSync(BUILT, `${BUILT}.old`)
execFileSync(process.execPath, ['dist/cli/main.js', 'run', '--home', home, '--html', join(home, 'tour.html')], {
  stdio: 'inherit',
})

const texts = new Set()
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
