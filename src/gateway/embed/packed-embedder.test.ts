import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Embedder } from '../../model/index.js'
import { withVectorPacks, writeVectorPack } from './packed-embedder.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-packs-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An embedder that notes what it had to compute. */
function countingEmbedder(id = 'lengths'): Embedder & { asked: string[] } {
  const asked: string[] = []
  return {
    id,
    dimensions: 2,
    asked,
    embed: async (texts) => {
      asked.push(...texts)
      return texts.map((text) => Float32Array.of(text.length, 1))
    },
    missing: (texts) => texts,
  }
}

describe('an embedder with vector packs', () => {
  const file = join(folder, 'animals.bin')

  it('computes only what no pack has', async () => {
    expect(await writeVectorPack(file, countingEmbedder(), ['cat', 'heron', 'cat'])).toBe(2)
    const embedder = countingEmbedder()
    const packed = withVectorPacks(embedder, [file])
    const vectors = await packed.embed(['heron', 'ox', 'cat', 'ox'])
    expect(vectors.map(([length]) => length)).toEqual([5, 2, 3, 2])
    expect(embedder.asked).toEqual(['ox'])
    expect(packed.missing!(['cat', 'ox'])).toEqual(['ox'])
  })

  it('stays near the vectors when the pack is coarse', async () => {
    const coarse = join(folder, 'coarse.bin')
    await writeVectorPack(coarse, countingEmbedder(), ['heron'], { isCoarse: true })
    const [vector] = await withVectorPacks(countingEmbedder(), [coarse]).embed(['heron'])
    expect(vector![0]).toBeCloseTo(5, 1)
  })

  it('passes over packs of another embedder', async () => {
    await writeVectorPack(file, countingEmbedder(), ['cat'])
    const other = countingEmbedder('others')
    expect(withVectorPacks(other, [file])).toBe(other)
  })

  it('refuses a damaged pack', () => {
    const damaged = join(folder, 'damaged.bin')
    writeFileSync(damaged, 'MEMVEC1\nnothing')
    expect(() => withVectorPacks(countingEmbedder(), [damaged])).toThrow('are damaged')
  })
})
