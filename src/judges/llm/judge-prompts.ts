import { type PromptFile, promptsOf, readPrompts } from './prompt.js'

/** What a judge with a model says to it, by what is judged. */
export interface JudgePrompts {
  facts: PromptFile
  answers: PromptFile
  criteria: PromptFile
}

export const DEFAULT_JUDGE_PROMPTS: JudgePrompts = {
  facts: readPrompts(new URL('./facts.txt', import.meta.url)),
  answers: readPrompts(new URL('./answers.txt', import.meta.url)),
  criteria: readPrompts(new URL('./criteria.txt', import.meta.url)),
}

/** All sections of judges, each named by what is judged: `facts/system`, `answers/yes-no`, `criteria/close`. */
export const JUDGE_SECTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DEFAULT_JUDGE_PROMPTS).flatMap(([what, { sections }]: [string, PromptFile]) =>
    [...sections].map(([name, text]) => [`${what}/${name}`, text]),
  ),
)

/** The prompts of judges made of such sections, of which a user may have replaced some. */
export function judgePromptsOf(sections: Readonly<Record<string, string>>): JudgePrompts {
  const those = (what: string) =>
    promptsOf(
      new Map(
        Object.entries(sections).flatMap(([name, text]) =>
          name.startsWith(`${what}/`) ? [[name.slice(what.length + 1), text] as const] : [],
        ),
      ),
    )
  return { facts: those('facts'), answers: those('answers'), criteria: those('criteria') }
}
