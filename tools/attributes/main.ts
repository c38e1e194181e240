// Makes an inventory of attributes (`attributes.bin`) out of the text in `text/`: the signs of its vectors, no word of it.
// Run after a change of the text: npm run attributes
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { readSigns, writeSigns } from './inventory.js'
import { type AttributeText, hashOf, MADE_OF, readAttributes } from './text.js'

const read = readAttributes()
const { attributes, names, tellings } = read
const cacheDir = mkdtempSync(join(tmpdir(), 'memscope-attributes-'))
const embedder = await createEmbedder({ model: 'minilm', cacheDir })
const embedded = async (rows: readonly AttributeText[]) => {
  const vectors = await embedder.embed(rows.map(({ text }) => text))
  return rows.map(({ owner }, i) => ({ owner, vector: vectors[i]! }))
}
const bytes = writeSigns(attributes, await embedded(names), await embedded(tellings))
writeFileSync('tools/attributes/attributes.bin', gzipSync(bytes, { level: 9 }))
writeFileSync(MADE_OF, `${hashOf(read)}\n`)
await embedder.close()
rmSync(cacheDir, { recursive: true })
const written = readSigns(bytes)
process.stdout.write(
  `${written.attributes} attributes, ${written.names.owners.length} names, ${written.tellings.owners.length} tellings\n`,
)
