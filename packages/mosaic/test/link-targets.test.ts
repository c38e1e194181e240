import { VectorIndex } from 'memscope/retrieval'
import { describe, expect, it } from 'vitest'
import { LinkTargets } from '../src/link-targets.js'

/** Vectors of no meaning, the same every time. */
function randomVectors(count: number, dimensions = 256): Float32Array[] {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, next))
}

/** Targets at every second place of an index. */
function targetsOf(vectors: readonly Float32Array[]) {
  const index = new VectorIndex(256)
  const targets = new LinkTargets()
  for (const [i, vector] of vectors.entries()) {
    index.add(vector)
    index.add(vector)
    targets.add(2 * i)
  }
  return { index, targets }
}

describe('what may be linked to', () => {
  it('is all that was said after, where that is not much', () => {
    const { index, targets } = targetsOf(randomVectors(1500))
    const all = Array.from({ length: 1500 }, (_, i) => 2 * i)
    expect(targets.near(index.at(0), 2 * 1500 - 1 - 2048, index)).toEqual(all.slice(-1024))
    expect(targets.near(index.at(0), 2998, index)).toEqual([])
    expect(targets.near(index.at(0), 2997, index)).toEqual([2998])
    expect(targets.near(index.at(0), 2996, index)).toEqual([2998])
  })

  it('is the nearest of very many, in the order of saying, also of those that came last', () => {
    const vectors = randomVectors(5000)
    const { index, targets } = targetsOf(vectors)
    const near = [...targets.near(vectors[4321]!, -1, index)]
    expect(near).toContain(2 * 4321)
    expect(near).toEqual(near.toSorted((a, b) => a - b))
    expect(near.length).toBeGreaterThanOrEqual(256)
    expect(near.length).toBeLessThan(600)
    const [late] = randomVectors(5001).slice(-1)
    index.add(late!)
    targets.add(10_000)
    const slightly = late!.map((value, i) => (i % 9 ? value : value / 2))
    expect(targets.near(slightly, -1, index)).toContain(10_000)
    expect(targets.near(slightly, 2 * 3000, index).every((note) => note > 6000)).toBe(true)
  })

  it('has what is near indeed, in nearly all cases', () => {
    const vectors = randomVectors(5000)
    const { index, targets } = targetsOf(vectors)
    const noise = randomVectors(5100).slice(-100)
    const isFound = noise.map((other, i) => {
      // Of the same length and without a likeness of their own: the cosine is 0.6.
      const asked = vectors[i * 40]!.map((value, d) => 0.6 * value + 0.8 * other[d]!)
      return targets.near(asked, -1, index).includes(2 * i * 40)
    })
    expect(isFound.filter(Boolean).length).toBeGreaterThanOrEqual(97)
  })
})
