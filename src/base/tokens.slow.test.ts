import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { countTokens as libraryCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as libraryO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../test/base/growth.js'
import { countO200kTokens, countTokens } from './tokens.js'

const PLAIN = { disallowedSpecial: new Set<string>() }

const COUNTERS = [
  ['cl100k', countTokens, libraryCl100k],
  ['o200k', countO200kTokens, libraryO200k],
] as const

/** Texts without a place to break at, and such as have too many. */
const SHAPES: [string, (n: number) => string][] = [
  ['one letter', (n) => 'A'.repeat(n)],
  ['letters', (n) => 'qzxjkvbwpy'.repeat(n / 10)],
  ['spaces', (n) => ' '.repeat(n)],
  ['spaces before a word', (n) => `${' '.repeat(n)}x`],
  ['line ends', (n) => '\n \t'.repeat(n / 3)],
  ['CJK', (n) => '记忆体'.repeat(n / 3)],
  ['emoji', (n) => '🧠👩‍🚀'.repeat(n / 7)],
  ['digits', (n) => '0123456789'.repeat(n / 10)],
  ['signs', (n) => '-=_~'.repeat(n / 4)],
  ['accents', (n) => 'e\u0301\u0302'.repeat(n / 3)],
  ['mixed', (n) => 'aB3 记🧠\n--é '.repeat(n / 12)],
]

describe.each(COUNTERS)('counting %s tokens', (_, count, library) => {
  it('gives what the library gives, for prose and for anything else', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(
          fc.constantFrom(
            'the',
            " don't",
            '  ',
            '\n\n',
            ' 1,234.5',
            'Ünïcode',
            '日本語',
            '🧠',
            '<|endoftext|>',
            'AAAA',
            "'LL",
          ),
        )
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (one) => count(one) === library(one, PLAIN)),
      { numRuns: 500 },
    )
    const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
    expect(count(page)).toBe(library(page, PLAIN))
  })

  it.each(SHAPES)('gives what the library gives for 3,000 characters of %s', (_name, shape) => {
    expect(count(shape(3000))).toBe(library(shape(3000), PLAIN))
  })

  it('counts a longer piece in stretches, and texts of any length in blocks', () => {
    expect(count('A'.repeat(30_000))).toBe(3 * count('A'.repeat(10_000)))
    const words = 'some words of a text, and more. '.repeat(100_000)
    expect(count(words)).toBe(library(words, PLAIN))
    expect(count('记'.repeat(3_000_000))).toBeGreaterThan(1_000_000)
  })

  it.each(SHAPES)('takes time that grows as the length of %s', async (_name, shape) => {
    // Texts that were counted are remembered, so none comes twice.
    let times = 0
    expect(await growthOf((n) => count(`${times++} ${shape(n)}`), [40_000, 1_000_000])).toBeLessThan(1.6)
  })
})
