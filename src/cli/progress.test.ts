import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { duration } from '../base/figures.js'
import { shownProgress } from './progress.js'

const EVERY_MS = 5_000
const AHEAD = { type: 'started', run: 'r', questions: 1_400, ms: 240_000, own: false, size: 'paper' } as const

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

/** What is shown on a stream that is no terminal, line by line. */
function shown({ quiet = false } = {}) {
  const lines: string[] = []
  const stream = { isTTY: false, write: (text: string) => lines.push(...text.trimEnd().split('\n')) }
  const progress = shownProgress(stream as unknown as NodeJS.WriteStream, quiet)
  const at = (ms: number, done: number, total: number, where = 'a') => {
    vi.setSystemTime(ms)
    progress.onProgress({ type: 'progress', done, total, at: where })
    return lines.at(-1)
  }
  return { lines, progress, at }
}

describe('time left', () => {
  it('is told at the rate so far, and not before the first percent', () => {
    const { at } = shown()
    expect(at(EVERY_MS, 0, 1000)).toBe('  0 %  0/1000  a')
    expect(at(10_000, 9, 1000)).toBe('  0 %  9/1000  a')
    expect(at(15_000, 10, 1000)).toBe('  1 %  10/1000  about 17 min left  a')
    expect(at(65_000, 500, 1000)).toBe(' 50 %  500/1000  about 60 s left  a')
    expect(at(70_000, 1000, 1000)).toBe('100 %  1000/1000  a')
  })

  it('does not count what an earlier sitting did', () => {
    const { at } = shown()
    at(EVERY_MS, 900, 1000)
    expect(at(15_000, 910, 1000)).toBe(' 91 %  910/1000  about 2 min left  a')
  })

  it('is as rough as it is known', () => {
    expect([400, 9_400, 44_000, 100_000, 3_600_000, 6_300_000].map(duration)).toEqual([
      'about 1 s',
      'about 9 s',
      'about 40 s',
      'about 2 min',
      'about 60 min',
      'about 1.8 h',
    ])
  })
})

describe('the progress of a run', () => {
  it('shows notes and places without anything that a terminal would obey', () => {
    const { lines, progress, at } = shown()
    progress.note('mine: \x1b]0;OWNED\x07\x1b[2J bad\r news')
    at(0, 1, 1, 'tiny\x1b[31m/all')
    expect(lines).toEqual(['mine:  bad news', '100 %  1/1  tiny/all'])
  })

  it('begins with what is ahead in questions, and how to make it smaller', () => {
    const first = (change: object) => {
      const { lines, progress } = shown()
      progress.onProgress({ ...AHEAD, ...change })
      progress.end()
      return lines[0]
    }
    expect(first({})).toMatch(/^1,400 questions.*; about 4 min\. Fewer: --size quick, --limit <n>\.$/)
    expect(first({ size: 'quick', ms: 1 })).toMatch(/Fewer: --limit <n>\.$/)
    expect(first({ ms: null })).not.toContain('Fewer')
  })

  it('is told again every half minute between two steps, with what goes on beside it', () => {
    const { lines, progress, at } = shown()
    progress.onProgress(AHEAD)
    at(EVERY_MS, 1, 4)
    expect(lines.at(-1)).toBe(' 25 %  1/4  a')
    progress.onProgress({ type: 'embedded', texts: 7 })
    const before = lines.length
    vi.advanceTimersByTime(29_000)
    expect(lines).toHaveLength(before)
    vi.advanceTimersByTime(2_000)
    expect(lines.slice(before)).toEqual([' 25 %  1/4  a  (7 texts embedded)'])
    progress.end()
  })

  it('shows nothing but what went wrong when it is to be quiet', () => {
    const { lines, progress, at } = shown({ quiet: true })
    progress.onProgress(AHEAD)
    at(EVERY_MS, 1, 1)
    progress.onProgress({ type: 'warning', message: 'lost' })
    expect(lines).toEqual(['lost'])
  })
})

describe('warnings', () => {
  it('of one memory are shown a few times, then counted; others are all shown', () => {
    const { lines, progress } = shown()
    const warn = (message: string) => progress.onProgress({ type: 'warning', message })
    for (let i = 1; i <= 7; i++) warn(`memobase: memo ${i} is cut off`)
    for (let i = 1; i <= 6; i++) warn(`bm25 could not store ${i}: gone`)
    warn('nemori: one message is in no episode')
    progress.end()
    progress.end()
    expect(lines).toEqual([
      ...[1, 2, 3, 4, 5].map((i) => `memobase: memo ${i} is cut off`),
      ...[1, 2, 3, 4, 5, 6].map((i) => `bm25 could not store ${i}: gone`),
      'nemori: one message is in no episode',
      'memobase: 2 more; --debug shows all',
    ])
  })
})
