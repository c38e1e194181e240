// Makes the vectors that ship of what Mosaic knows of kinds, so that nobody waits for them. Run after main.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { inventoryTexts, kindTexts } from '../../src/systems/mosaic/kinds.js'
import { packCache } from '../../tools/corpora/pack-cache.js'

const cacheDir = mkdtempSync(join(tmpdir(), 'memscope-kinds-'))
try {
  const embedder = await createEmbedder({ model: 'minilm', engine: 'wasm', cacheDir })
  const texts = Object.values(inventoryTexts(kindTexts())).flat()
  for (let at = 0; at < texts.length; at += 256) await embedder.embed(texts.slice(at, at + 256))
  await embedder.close()
  const { id, dimensions } = embedder
  const count = packCache(cacheDir, { embedder: id, dimensions, isCoarse: true }, 'src/corpora/vectors/kinds.bin')
  process.stdout.write(`${count} vectors of ${id}\n`)
} finally {
  rmSync(cacheDir, { recursive: true, force: true })
}
