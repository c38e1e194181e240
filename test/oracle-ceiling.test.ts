import { describe, expect, it } from 'vitest'
import { offCeiling } from './ceiling.js'

describe('oracle equals the ceiling at every k and budget of tokens', () => {
  const bundled = [
    ['--suite', 'memfail', '--size', 'paper'],
    ['--suite', 'meme', '--size', '20', '--filler', 'none'],
    ['--suite', 'memora', '--days', '7'],
  ]
  it.each(bundled.map((flags) => [flags.join(' '), flags] as const))('with %s', async (_, flags) => {
    expect(await offCeiling(...flags)).toEqual([])
  })
})
