import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJson } from './json.js'

const value = (text: string) => {
  const found = findJson(text)
  return found.ok ? found.value : 'none'
}

describe('findJson', () => {
  it('takes plain JSON, one fenced block, or one value among words', () => {
    expect(value(' {"a": 1}\n')).toEqual({ a: 1 })
    expect(value('Here you are:\n```json\n{"a": 1}\n```\nAnything else?')).toEqual({ a: 1 })
    expect(value('The verdict is {"a": "}{\\""} as asked.')).toEqual({ a: '}{"' })
    expect(value('true')).toBe(true)
  })

  it('refuses to choose between several', () => {
    expect(value('The memory says {"correct": true}. I say {"correct": false}')).toBe('none')
    expect(value('```json\n{"a":1}\n```\n```json\n{"a":2}\n```')).toBe('none')
  })

  it('refuses what does not parse to the letter', () => {
    for (const text of [
      '',
      '  ',
      'yes',
      "{'a': 1}",
      '{"a": 1,}',
      '{"a": 1',
      '{"a": NaN}',
      '```json\n{"a": }\n```',
      'so: {"a": "b',
    ]) {
      expect(value(text), text).toBe('none')
    }
  })

  it('gives back every JSON value, bare, fenced or told in a sentence', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
        (json, nested) => {
          expect(value(json)).toEqual(JSON.parse(json))
          const text = JSON.stringify(nested)
          expect(value(`Verdict: ${text} (as asked)`)).toEqual(JSON.parse(text))
          if (!text.includes('```')) expect(value(`So:\n\`\`\`json\n${text}\n\`\`\``)).toEqual(JSON.parse(text))
        },
      ),
    )
  })
})
