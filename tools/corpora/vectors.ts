// Makes what ships with the bundled corpora so that nobody computes it again: vectors of all that the tour asks for and of MemFail at full size,
// and what the entailment model says in the tour.
// Run after a change of a corpus or of a judge: npm run build && npm run vectors
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { createEntailment } from '../../src/gateway/entailment/index.js'
import { conversationsOf, questionsOf } from '../../src/model/index.js'
import { memfail } from '../../src/suites/memfail/index.js'
import { removeTemporary, temporaryFolder } from '../temporary.js'
import { packCache } from './pack-cache.js'

const PACKS = { vectors: 'minilm.bin', readings: 'entailment.bin' }
const home = temporaryFolder('vectors')
// Without the packs that are there, so that what nobody asks for any more falls away.
for (const name of Object.values(PACKS)) rmSync(join('dist/corpora/vectors', name), { force: true })
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
const readings = createEntailment({ cacheDir })
for (const [what, { id, dimensions }] of Object.entries({ vectors: embedder, readings })) {
  const count = packCache(
    cacheDir,
    { embedder: id, dimensions },
    join('src/corpora/vectors', PACKS[what as keyof typeof PACKS]),
  )
  process.stdout.write(`${count} ${what} of ${id}\n`)
}
await readings.close()
removeTemporary(home)
