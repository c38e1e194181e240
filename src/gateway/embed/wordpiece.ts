import { readFileSync } from 'node:fs'

/** BERT's tokenizer, read from a model's `tokenizer.json`. */
export interface WordPiece {
  /** Token ids without `[CLS]` and `[SEP]`. */
  encode(text: string): number[]
  /** How many tokens a text takes. Texts joined by white space take the sum of their tokens. */
  count(text: string): number
  readonly cls: number
  readonly sep: number
}

interface TokenizerFile {
  added_tokens: { id: number; content: string }[]
  model: { vocab: Record<string, number>; unk_token: string; max_input_chars_per_word: number }
}

const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\ufffd]/gu
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/u
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu

/** Reads a tokenizer of the uncased BERT family. */
export function loadWordPiece(file: string): WordPiece {
  const { added_tokens, model } = JSON.parse(readFileSync(file, 'utf8')) as TokenizerFile
  const vocabulary = new Map(Object.entries(model.vocab))
  const special = new Map(added_tokens.map(({ id, content }) => [content, id]))
  const specials = new RegExp(`(${[...special.keys()].map((text) => text.replace(/[[\]]/g, '\\$&')).join('|')})`)
  const unknown = vocabulary.get(model.unk_token)!
  const known = new Map<string, number[]>()

  const pieces = (word: string): number[] => {
    const found = known.get(word)
    if (found) return found
    const ids = split(word)
    if (known.size < 50_000) known.set(word, ids)
    return ids
  }

  /** Longest match first; a word with a part that is nowhere is unknown as a whole. */
  const split = (word: string): number[] => {
    const characters = [...word]
    if (characters.length > model.max_input_chars_per_word) return [unknown]
    const ids: number[] = []
    for (let start = 0; start < characters.length; ) {
      let end = characters.length
      let id: number | undefined
      for (; end > start; end--) {
        id = vocabulary.get((start > 0 ? '##' : '') + characters.slice(start, end).join(''))
        if (id !== undefined) break
      }
      if (id === undefined) return [unknown]
      ids.push(id)
      start = end
    }
    return ids
  }

  const encode = (text: string): number[] =>
    text.split(specials).flatMap((part) => {
      const id = special.get(part)
      return id === undefined ? wordsOf(part).flatMap(pieces) : [id]
    })

  return { encode, count: (text) => encode(text).length, cls: special.get('[CLS]')!, sep: special.get('[SEP]')! }
}

/** Cleans, lower-cases, takes accents off, and splits at white space and around punctuation. */
function wordsOf(text: string): string[] {
  const clean = text
    .replace(/[\t\n\r]/g, ' ')
    .replace(CONTROL, '')
    .replace(IDEOGRAPH, ' $& ')
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
  const words: string[] = []
  for (const chunk of clean.split(/\s+/u)) {
    let word = ''
    for (const character of chunk) {
      if (PUNCTUATION.test(character)) {
        if (word) words.push(word)
        words.push(character)
        word = ''
      } else word += character
    }
    if (word) words.push(word)
  }
  return words
}
