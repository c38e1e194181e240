import { createRequire } from 'node:module'
import { tokenCounter, type Vocabulary } from './token-counter.js'

const require = createRequire(import.meta.url)
const patterns = () =>
  require('gpt-tokenizer/encodingParams/constants') as typeof import('gpt-tokenizer/encodingParams/constants')
const ranks = (name: 'cl100k_base' | 'o200k_base') =>
  (require(`gpt-tokenizer/bpeRanks/${name}`) as { default: Vocabulary['ranks'] }).default

/**
 * cl100k tokens of a text: what memories and contexts are measured in. Linear in any text; exact, but for runs of letters, of spaces or of
 * signs of more than 10,000 characters.
 */
export const countTokens = tokenCounter(() => ({
  ranks: ranks('cl100k_base'),
  pieces: patterns().CL100K_TOKEN_SPLIT_REGEX,
}))

/** o200k tokens of a text, in the same way: what prompts and replies are estimated in. */
export const countO200kTokens = tokenCounter(() => ({
  ranks: ranks('o200k_base'),
  pieces: patterns().O200K_TOKEN_SPLIT_REGEX,
}))
