import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { messageOf } from './errors.js'
import { printable, shortened } from './text.js'

describe('the message of an error', () => {
  it('names the cause of a failed fetch', async () => {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    await new Promise((done) => server.close(done))
    const failed = await fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error)
    expect(messageOf(failed)).toBe(`fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`)
  })

  it('goes through causes, says nothing twice, and takes what is no error', () => {
    const deep = new Error('asking failed', { cause: new Error('asking failed', { cause: new RangeError('too far') }) })
    expect(messageOf(deep)).toBe('asking failed: too far')
    const many = new AggregateError([new Error('no way by 6'), new Error('no way by 4')], '')
    expect(messageOf(new TypeError('fetch failed', { cause: many }))).toBe('fetch failed: no way by 6, no way by 4')
    expect(messageOf(Object.assign(new Error('cut'), { code: 'ECUT' }))).toBe('cut [ECUT]')
    expect([messageOf('thrown'), messageOf(undefined), messageOf(new TypeError())]).toEqual([
      'thrown',
      'undefined',
      'TypeError',
    ])
    const round = new Error('round')
    round.cause = round
    expect(messageOf(round)).toBe('round')
  })

  it('is cut when it is endless, and says so', () => {
    const message = messageOf(new Error('A'.repeat(50_000_000)))
    expect(message.length).toBeLessThan(2_050)
    expect(message).toMatch(/more characters\]$/)
  })
})

describe('a text for a terminal', () => {
  it.each([
    ['\x1b]0;OWNED\x07title', 'title'],
    ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b[2J\x1b[1;31mred\x1b[0m', 'red'],
    ['\x9b31mred\x9d0;x\x9c', 'red'],
    ['\x1bcreset \x1b(B', 'reset '],
    ['a\rb\bc\x7f\0', 'abc'],
    ['left \u202eright\u2066', 'left right'],
    ['unended \x1b]0;still there', 'unended ]0;still there'],
    ['tabs\tand\nlines, naïve 日本 👩‍🚀', 'tabs\tand\nlines, naïve 日本 👩‍🚀'],
  ])('keeps words alone: %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  it('can be cut, never inside a character', () => {
    expect(shortened('abc', 3)).toBe('abc')
    expect(shortened('ab🧠cd', 3)).toBe('ab… [3 more characters]')
  })
})
