import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passagesOf } from '../src/passages.js'

const line = (about: string) =>
  `We talked about ${about} for a while, and then went on with what had been left open the week before that.`

describe('passages of a text', () => {
  it('are one where it is short', () => {
    expect(passagesOf('I live in Leeds.\n\nMy dentist is Dr Okafor.')).toEqual([
      'I live in Leeds.\n\nMy dentist is Dr Okafor.',
    ])
  })

  it('end where lines do, and are about as long', () => {
    const lines = ['tea', 'boats', 'salt', 'rope', 'tides', 'sails', 'harbours', 'charts'].map(line)
    const passages = passagesOf(lines.join('\n'))
    expect(passages).toEqual([lines.slice(0, 3), lines.slice(3, 6), lines.slice(6)].map((some) => some.join('\n')))
  })

  it('have a value together with what announces it', () => {
    const text = [
      line('the weir'),
      line('the boat'),
      'My locker code is:',
      'kelpie-4411',
      line('tea'),
      line('salt'),
    ].join('\n')
    expect(passagesOf(text).some((part) => part.includes('code is:\nkelpie-4411'))).toBe(true)
  })

  it('leave a paragraph whole, and part one that is very long between sentences', () => {
    const sentence = line('the harbour')
    const paragraph = (count: number) => Array(count).fill(sentence).join(' ')
    expect(passagesOf(paragraph(15))).toEqual([paragraph(15)])
    const parts = passagesOf(paragraph(30))
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.join(' ')).toBe(paragraph(30))
  })

  it('have code by itself, with its signs in each', () => {
    const code = Array.from({ length: 40 }, (_, i) => `const value${i} = compute(${i})`).join('\n')
    const passages = passagesOf(`I wrote this on Monday:\n\`\`\`ts\n${code}\n\`\`\`\nIt runs.`)
    expect(passages[0]).toBe('I wrote this on Monday:')
    expect(passages.at(-1)).toBe('It runs.')
    const shown = passages.slice(1, -1)
    expect(shown.length).toBeGreaterThan(1)
    for (const part of shown) expect(part).toMatch(/^```ts\n[\s\S]+\n```$/)
    expect(shown.map((part) => part.slice('```ts\n'.length, -'\n```'.length)).join('\n')).toBe(code)
  })

  it('lose nothing of code that is only a name, and are few however many signs there are', () => {
    expect(passagesOf(`Intro.\n\`\`\`my PIN is 8802\n${'\n'.repeat(700)}\`\`\`\nbye`).join()).toContain('8802')
    expect(passagesOf('`'.repeat(20_000))).toHaveLength(1)
    const named = passagesOf(`\`\`\`${'a'.repeat(5000)}\n${'b '.repeat(5000)}\`\`\``)
    expect(named.join('').length).toBeLessThan(17_000)
  })

  it('have every letter of it, in its order, whatever it is', () => {
    const piece = fc.constantFrom(
      '\n',
      ' ',
      '. ',
      '```',
      '```js\n',
      'Ada said so. ',
      'x'.repeat(300),
      'It rained all day, and we stayed in',
    )
    const letters = (text: string) => text.replace(/[\s`]/g, '')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('')
        const kept = letters(passagesOf(text).join(''))
        // What a language is called stands in every part of the code.
        return kept.replaceAll('js', '') === letters(text).replaceAll('js', '')
      }),
    )
  })
})
