import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.js'

const now = Date.parse('2026-05-01T12:00:00Z')

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'Retry-After': '0.5' }, 500],
    [{ 'retry-after': 'Fri, 01 May 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Fri, 01 May 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '125', 'retry-after': '9' }, 125],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
    [undefined, null],
  ])('reads %j', (headers, expected) => {
    expect(retryAfterMs(headers as Record<string, string> | undefined, now)).toEqual(expected)
  })
})
