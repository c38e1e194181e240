import { promptsWith } from '../../src/judges/asked.js'
import { JUDGE_SECTIONS, type JudgePrompts, judgePromptsOf } from '../../src/judges/llm/judge-prompts.js'
import { type PromptFile, promptsOf } from '../../src/judges/llm/prompt.js'
import type { OwnPrompts } from '../../src/model/index.js'
import { llmReader } from '../../src/readers/llm/index.js'

/** The prompts of judges with a user's sections in place of their own. */
export function judgePromptsWith(own: OwnPrompts): JudgePrompts {
  return judgePromptsOf(promptsWith({ prompts: JUDGE_SECTIONS }, own, 'judges'))
}

/** The prompts of the reader with a user's sections in place of its own. */
export function readerPromptsWith(own?: OwnPrompts): PromptFile {
  return promptsOf(new Map(Object.entries(promptsWith(llmReader, own, 'readers'))))
}
