import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableJson } from '../base/text.js'
import { wrap } from './columns.js'
import { escapeForTerminal } from './escape.js'

/** What GitHub, Azure or TeamCity would do something for; a runner strips white space before it looks. */
const isCommand = (line: string) => line.trimStart().startsWith('::') || /##\w*\[/.test(line)

/** Texts that are full of what makes commands. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...['::', ':', '##[', '##vso[', '#', '[', 'error', 'add-mask::x', ' ', '\n', '\r', '\t', '\u00a0', '\u2028'],
      ...['\x1b[31m', '\x1b]0;t\x07', '\u202e', '\ufeff', 'a'],
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

describe('texts of others in the log of a CI', () => {
  it('begin no line that is a command', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const line of printable(text).split(/\r\n|[\r\n\u2028]/)) expect(isCommand(line), line).toBe(false)
      }),
    )
  })

  it('become none where a line is wrapped', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 8, max: 30 }), (text, width) => {
        for (const line of wrap(escapeForTerminal(text), width)) expect(isCommand(line), line).toBe(false)
      }),
    )
  })

  it.each([
    ['::error::x', ': :error::x'],
    ['a\n  ::add-mask::b', 'a\n  : :add-mask::b'],
    ['see ##[group]', 'see # #[group]'],
    ['std::string ::1', 'std::string : :1'],
  ])('are shown as they are otherwise: %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  it('say the same in JSON, with nothing in it that a terminal obeys', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = printableJson(JSON.stringify({ [text]: [text] }))
        expect(JSON.parse(json)).toEqual({ [text]: [text] })
        expect(['\x1b', '\x9b', '\u202e'].filter((sign) => json.includes(sign))).toEqual([])
        expect(json).not.toMatch(/##\w*\[/)
      }),
    )
  })
})
