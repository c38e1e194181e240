// Makes data/kinds.bin, so that nobody waits for these vectors. Run after a change of data/*.jsonl: npm run build && npm run vectors
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEmbedder, writeVectorPack } from 'memscope/retrieval'
import { inventoryTexts, kindTexts } from '../dist/kinds.js'

const cacheDir = mkdtempSync(join(tmpdir(), 'mosaic-vectors-'))
const embedder = await createEmbedder({ model: 'minilm', engine: 'wasm', cacheDir })
const texts = Object.values(inventoryTexts(kindTexts())).flat()
const file = fileURLToPath(new URL('../data/kinds.bin', import.meta.url))
const count = await writeVectorPack(file, embedder, texts, { isCoarse: true })
await embedder.close()
rmSync(cacheDir, { recursive: true })
process.stdout.write(`${count} vectors of ${embedder.id}\n`)
