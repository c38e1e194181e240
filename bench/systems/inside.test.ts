import { describe, expect, it } from 'vitest'
import { insideSystems } from './inside.js'
import { measureInside } from './measure-inside.js'

describe('storing beside the model', () => {
  it.each(insideSystems)('is measured at every size, and is little work, in %s', async (system) => {
    const [small, large] = await measureInside(system, [40, 200])
    expect(large!.conversations).toBeGreaterThan(small!.conversations)
    expect(large!.p50Ms).toBeGreaterThan(0)
    // Far above the bound of the benchmark, for tests share their processor: only something quadratic gets there.
    expect(large!.p50Ms).toBeLessThan(25)
  })
})
