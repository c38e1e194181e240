import { describe, expect, it } from 'vitest'
import { growthOf } from './base/growth.js'
import { HOSTILE_SHAPES } from './hostile-shapes.js'
import { subjects } from './hostile-subjects.js'

const SIZES = [10_000, 160_000] as const
/** Between linear (1) and quadratic (2); below it a text sixteen times as long takes less than a hundred times as long. */
const MOST = 1.6

describe.each(await subjects())('%s', (_, read) => {
  it.each(HOSTILE_SHAPES)('reads %s in time that grows as their length', async (_shape, text) => {
    // Texts that were read are remembered, so none comes twice.
    let times = 0
    expect(await growthOf((size) => read(`${times++} ${text(size)}`), SIZES, MOST)).toBeLessThan(MOST)
  })
})
