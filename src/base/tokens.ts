import { countTokens as count } from 'gpt-tokenizer/encoding/cl100k_base'

const known = new Map<string, number>()
const MOST = 50_000

/** cl100k tokens of a text. Remembers recent texts, for the same memories are counted for every question. */
export function countTokens(text: string): number {
  let tokens = known.get(text)
  if (tokens === undefined) {
    tokens = count(text, { disallowedSpecial: new Set() })
    if (known.size >= MOST) known.clear()
    known.set(text, tokens)
  }
  return tokens
}
