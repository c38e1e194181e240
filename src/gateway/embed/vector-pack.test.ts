import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packVectors } from '../../../test/gateway/pack-vectors.js'
import type { Embedder } from '../../model/index.js'
import { packsIn } from './local.js'
import { readPack } from './vector-pack.js'
import { vectorKey } from './vector-store.js'
import { writePack } from './write-pack.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-pack-'))
const file = join(folder, 'below', 'test.bin')
const texts = Array.from({ length: 50 }, (_, i) => `text ${i}`)
const embedder: Embedder = {
  id: 'test',
  dimensions: 3,
  embed: async (list) => list.map((text) => Float32Array.of(text.length, Number(text.slice(5)), 0.1)),
}

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, d) => sum + value * b[d]!, 0)

describe('a vector pack', () => {
  it('gives back to the bit what was packed, each text once', async () => {
    expect(await packVectors([...texts, 'text 3'], embedder, file)).toBe(50)
    const pack = readPack(file)
    expect(pack).toMatchObject({ embedder: 'test', size: 50 })
    expect(pack.get(texts.map((text) => vectorKey('test', text)))).toEqual(await embedder.embed(texts))
    expect(pack.get([vectorKey('test', 'unknown'), vectorKey('other', 'text 1')])).toEqual([undefined, undefined])
  })

  it('is the same file in whatever order the texts come', async () => {
    const other = join(folder, 'other.bin')
    await packVectors(texts, embedder, file)
    await packVectors(texts.toReversed(), embedder, other)
    expect(readFileSync(other).equals(readFileSync(file))).toBe(true)
  })

  it('is refused when it is damaged or cut short', async () => {
    await packVectors(texts, embedder, file)
    const bytes = readFileSync(file)
    const damaged = join(folder, 'damaged.bin')
    for (const wrong of [
      bytes.subarray(0, -1),
      bytes.subarray(0, 20),
      Buffer.alloc(0),
      Buffer.from(bytes).fill(7, 300, 301),
    ]) {
      writeFileSync(damaged, wrong)
      expect(() => readPack(damaged)).toThrow(/damaged/)
    }
  })

  it('may be coarse: a quarter of the size, and cosines are nearly the same', () => {
    const entries = texts.map((text, at) => {
      const vector = Float32Array.from({ length: 384 }, (_, d) => Math.sin((at + 1) * (d + 1)))
      const length = Math.hypot(...vector)
      return { key: vectorKey('test', text), vector: vector.map((value) => value / length) }
    })
    writePack(file, { embedder: 'test', dimensions: 384, entries, isCoarse: true })
    expect(readFileSync(file).length).toBeLessThan(50 * (16 + 388) + 200)
    const read = readPack(file).get(entries.map(({ key }) => key))
    for (const [i, { vector }] of entries.entries())
      for (const { vector: other } of entries) expect(cosine(read[i]!, other)).toBeCloseTo(cosine(vector, other), 2.5)
    writePack(file, {
      embedder: 'test',
      dimensions: 2,
      entries: [{ key: entries[0]!.key, vector: new Float32Array(2) }],
      isCoarse: true,
    })
    expect(readPack(file).get([entries[0]!.key])).toEqual([Float32Array.of(0, 0)])
  })

  it('may hold nothing', async () => {
    await packVectors([], embedder, file)
    expect(readPack(file).get([vectorKey('test', 'x')])).toEqual([undefined])
  })
})

describe('packsIn', () => {
  it('finds packs in a folder, and none where there is no folder', async () => {
    await packVectors([], embedder, file)
    expect(packsIn(join(folder, 'below'))).toEqual([file])
    expect(packsIn(join(folder, 'nowhere'))).toEqual([])
  })
})
