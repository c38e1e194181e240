import type { OwnPrompts } from '../../model/index.js'
import { replaceSections } from './own-prompts.js'
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
export function judgeSections({ facts, answers, criteria }: JudgePrompts): Map<string, string> {
  return new Map(
    Object.entries({ facts, answers, criteria }).flatMap(([what, { sections }]) =>
      [...sections].map(([name, text]): [string, string] => [`${what}/${name}`, text]),
    ),
  )
}

/**
 * The prompts of judges with a user's sections in place of their own.
 *
 * @example judgePromptsWith({ name: 'mine.txt', text: '@@ facts/close\nJudge targets 1 to {targets} by memories 1 to {memories}.' })
 */
export function judgePromptsWith(own?: OwnPrompts): JudgePrompts {
  if (own === undefined) return DEFAULT_JUDGE_PROMPTS
  const replaced = replaceSections(judgeSections(DEFAULT_JUDGE_PROMPTS), own, 'judges')
  const those = (what: string) =>
    promptsOf(
      new Map(
        [...replaced].flatMap(([name, text]) =>
          name.startsWith(`${what}/`) ? [[name.slice(what.length + 1), text] as const] : [],
        ),
      ),
    )
  return { facts: those('facts'), answers: those('answers'), criteria: those('criteria') }
}
