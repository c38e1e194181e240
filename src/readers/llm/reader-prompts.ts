import { readFileSync } from 'node:fs'
import { readPrompts } from '../../judges/llm/prompt.js'
import type { OwnPrompts } from '../../model/index.js'

export const DEFAULT_READER_PROMPTS = readPrompts(new URL('./prompts.txt', import.meta.url))

/**
 * Prompts that come with the package beside the default ones. `careful` tells a reader what to do with memories that contradict each
 * other, are about somebody else or hold no answer: good advice, and what the suites test.
 */
export const READER_PROMPT_SETS: readonly OwnPrompts[] = [
  { name: 'careful', text: readFileSync(new URL('./careful.txt', import.meta.url), 'utf8') },
]
