import { PassThrough } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import { duration } from '../base/figures.js'
import { foldedWarnings, progressLine, startLine, timeLeftOf } from './progress.js'

/** A stream that is no terminal, and what was written to it. */
function paper() {
  const lines: string[] = []
  const stream = { isTTY: false, write: (text: string) => lines.push(text.trimEnd()) }
  return { lines, stream: stream as unknown as NodeJS.WriteStream }
}

describe('time left', () => {
  it('is told at the rate so far, and not before the first percent', () => {
    let time = 0
    const left = timeLeftOf(() => time)
    expect(left({ done: 0, total: 1000 })).toBeNull()
    time = 5_000
    expect(left({ done: 9, total: 1000 })).toBeNull()
    time = 10_000
    expect(left({ done: 10, total: 1000 })).toBe('about 17 min')
    time = 60_000
    expect(left({ done: 500, total: 1000 })).toBe('about 60 s')
    expect(left({ done: 1000, total: 1000 })).toBeNull()
  })

  it('does not count what an earlier sitting did', () => {
    let time = 0
    const left = timeLeftOf(() => time)
    left({ done: 900, total: 1000 })
    time = 10_000
    expect(left({ done: 910, total: 1000 })).toBe('about 2 min')
  })

  it('stands in the line of progress', () => {
    let time = 0
    const { lines, stream } = paper()
    const line = progressLine(stream, undefined, () => time)
    line.update({ done: 0, total: 100, at: 'a' })
    time = 60_000
    line.update({ done: 10, total: 100, at: 'b' })
    expect(lines.at(-1)).toBe(' 10 %  10/100  about 9 min left  b')
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
    let shown = ''
    const stream = { isTTY: false, write: (text: string) => (shown += text) } as unknown as NodeJS.WriteStream
    const line = progressLine(stream)
    line.note('mine: \x1b]0;OWNED\x07\x1b[2J bad\r news')
    line.update({ done: 1, total: 1, at: 'tiny\x1b[31m/all' })
    expect(shown).toBe('mine:  bad news\n100 %  1/1  tiny/all\n')
  })
})

describe('what is ahead of a run', () => {
  it('is told at the start in questions, with how to make it smaller', () => {
    const ahead = { questions: 1_400, own: false, size: 'paper' as const }
    expect(startLine({ ...ahead, ms: 240_000 })).toMatch(
      /^1,400 questions.*; about 4 min\. Fewer: --size quick, --limit <n>\.$/,
    )
    expect(startLine({ ...ahead, size: 'quick', ms: 1 })).toMatch(/Fewer: --limit <n>\.$/)
    expect(startLine({ ...ahead, ms: null })).not.toContain('Fewer')
  })
})

test('between two steps the plain progress is told again every half minute, with what goes on beside it', () => {
  let time = 10_000
  let texts = 0
  const stream = new PassThrough() as unknown as NodeJS.WriteStream
  const line = progressLine(
    stream,
    () => ` +${texts}`,
    () => time,
  )
  const told = () => String((stream as unknown as PassThrough).read() ?? '')
  line.again()
  line.update({ done: 1, total: 4, at: 'a' })
  expect(told()).toBe(' 25 %  1/4  a +0\n')
  time += 29_000
  texts = 7
  line.again()
  expect(told()).toBe('')
  time += 1_000
  line.again()
  expect(told()).toBe(' 25 %  1/4  a +7\n')
})

describe('warnings', () => {
  it('of one memory are shown a few times, then counted; others are all shown', () => {
    const shown: string[] = []
    const warnings = foldedWarnings((message) => shown.push(message), 2)
    for (let i = 1; i <= 4; i++) warnings.tell(`memobase: memo ${i} is cut off`)
    for (let i = 1; i <= 3; i++) warnings.tell(`bm25 could not store ${i}: gone`)
    warnings.tell('nemori: one message is in no episode')
    warnings.tellRest()
    warnings.tellRest()
    expect(shown).toEqual([
      'memobase: memo 1 is cut off',
      'memobase: memo 2 is cut off',
      'bm25 could not store 1: gone',
      'bm25 could not store 2: gone',
      'bm25 could not store 3: gone',
      'nemori: one message is in no episode',
      'memobase: 2 more; --debug shows all',
    ])
  })
})
