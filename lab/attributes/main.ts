// Makes what Mosaic knows of attributes (`attributes.bin` beside its code) out of the text in `text/`: the signs of its vectors, no word of it.
// Run after a change of the text; with --check it only compares what ships with the text.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { readSigns, writeSigns } from '../../src/systems/mosaic/attribute-inventory.js'
import { type AttributeText, hashOf, MADE_OF, readAttributes } from './text.js'

const SHIPPED = 'src/systems/mosaic/attributes.bin'

const read = readAttributes()
if (process.argv.includes('--check')) check()
else await make()

async function make(): Promise<void> {
  const { attributes, names, tellings } = read
  const cacheDir = mkdtempSync(join(tmpdir(), 'memscope-attributes-'))
  try {
    const embedder = await createEmbedder({ model: 'minilm', cacheDir })
    const embedded = async (rows: readonly AttributeText[]) => {
      const vectors = await embedder.embed(rows.map(({ text }) => text))
      return rows.map(({ owner }, i) => ({ owner, vector: vectors[i]! }))
    }
    const bytes = writeSigns(attributes, await embedded(names), await embedded(tellings))
    await embedder.close()
    writeFileSync(SHIPPED, gzipSync(bytes, { level: 9 }))
    writeFileSync(MADE_OF, `${hashOf(read)}\n`)
  } finally {
    rmSync(cacheDir, { recursive: true, force: true })
  }
  process.stdout.write(`${attributes} attributes, ${names.length} names, ${tellings.length} tellings\n`)
}

/** Ends with 1 where the signs that ship were not made of the text as it stands. */
function check(): void {
  const { attributes, names, tellings } = read
  const shipped = readSigns(gunzipSync(readFileSync(SHIPPED)))
  const ownersOf = (rows: readonly AttributeText[]) => rows.map(({ owner }) => owner)
  const isSame =
    readFileSync(MADE_OF, 'utf8').trim() === hashOf(read) &&
    shipped.attributes === attributes &&
    isDeepStrictEqual([...shipped.names.owners], ownersOf(names)) &&
    isDeepStrictEqual([...shipped.tellings.owners], ownersOf(tellings))
  process.stdout.write(`${SHIPPED} ${isSame ? 'was made of this text' : 'was made of other text: make it again'}\n`)
  process.exitCode = isSame ? 0 : 1
}
