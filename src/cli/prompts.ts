import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { UserError } from '../base/errors.js'
import { DEFAULT_JUDGE_PROMPTS, judgePromptsWith, judgeSections } from '../judges/llm/judge-prompts.js'
import { differingSections } from '../judges/llm/own-prompts.js'
import { promptsOf, promptText } from '../judges/llm/prompt.js'
import type { OwnPrompts } from '../model/index.js'
import { DEFAULT_READER_PROMPTS, READER_PROMPT_SETS, readerPromptsWith } from '../readers/llm/reader-prompts.js'
import type { Flags, Typed } from './args.js'

export const READER_PROMPT_FLAG: Flags = {
  'reader-prompt': {
    type: 'text',
    value: '<file>',
    about: 'what readers are told: a file of sections to replace, careful, or default; see models --prompts reader',
  },
}

export const JUDGE_PROMPT_FLAG: Flags = {
  'judge-prompt': {
    type: 'text',
    value: '<file>',
    about: 'what models that judge are told: a file of sections to replace; see models --prompts judge',
  },
}

/** Prompts that can be shown, each as a file to start from. */
export const SHOWN_PROMPTS: Readonly<Record<string, string>> = {
  reader: promptText(DEFAULT_READER_PROMPTS.sections),
  judge: promptText(judgeSections(DEFAULT_JUDGE_PROMPTS)),
  ...Object.fromEntries(READER_PROMPT_SETS.map(({ name, text }) => [name, text])),
}

/** The name of the prompts that come with the package. */
const DEFAULT = 'default'

/**
 * Prompts for readers as typed, checked; `kept` when the flag is absent.
 *
 * @param readers those that answer; null when that is not known here
 */
export function readerPromptFrom({ text }: Typed, readers: readonly string[] | null, kept?: OwnPrompts) {
  const own = ownPrompts('reader-prompt', text, READER_PROMPT_SETS, kept)
  if (own && own !== kept) {
    if (readers?.every((reader) => reader === 'none'))
      throw new UserError(
        '--reader-prompt is for readers, and none is asked for.',
        'Name one with --reader provider:model.',
      )
    readerPromptsWith(own)
  }
  return own && { readerPrompt: own }
}

/** Whether a judge says to its models what a user may replace. The protocol of a paper is fixed. */
export function usesJudgePrompts(judge: string): boolean {
  return /^(?:llm|hybrid|panel):/.test(judge)
}

/**
 * Prompts for judges as typed, checked; `kept` when the flag is absent and a judge uses them.
 *
 * @param judges names of those that judge; null when that is not known here
 */
export function judgePromptFrom({ text }: Typed, judges: readonly string[] | null, kept?: OwnPrompts) {
  const isUsed = judges === null || judges.some(usesJudgePrompts)
  const own = ownPrompts('judge-prompt', text, [], isUsed ? kept : undefined)
  if (own && own !== kept) {
    if (!isUsed)
      throw new UserError(
        `--judge-prompt is for judges llm, hybrid and panel; ${judges.join(' and ')} would not use it.`,
        'Take one of them, or leave out the flag.',
      )
    judgePromptsWith(own)
  }
  return own && { judgePrompt: own }
}

function ownPrompts(
  flag: string,
  { [flag]: typed }: Typed['text'],
  sets: readonly OwnPrompts[],
  kept: OwnPrompts | undefined,
): OwnPrompts | undefined {
  if (typed === undefined) return kept
  if (typed === DEFAULT) return undefined
  const known = sets.find(({ name }) => name === typed)
  if (known) return known
  try {
    return { name: basename(typed), text: readFileSync(typed, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UserError(
      `--${flag} ${typed} cannot be read (${code}).`,
      `Name a file of sections${sets.length > 0 ? `, or ${sets.map(({ name }) => name).join(', ')}` : ''}, or ${DEFAULT}.`,
    )
  }
}

/** Refuses to go on with other prompts than a run began with, and says which sections differ. */
export function requireSamePrompts(
  flag: string,
  { text }: Typed,
  kept: OwnPrompts | undefined,
  asked: OwnPrompts | undefined,
): void {
  if (text[flag] === undefined) return
  const differing = differingSections(kept?.text ?? '', asked?.text ?? '')
  if (differing.length === 0) return
  throw new UserError(
    `The run to resume has another --${flag}: ${kept?.name ?? DEFAULT}, asked for ${asked?.name ?? DEFAULT}. Different: ${differing.join(', ')}.`,
    'Leave the flag out to go on with the text that was kept, or start a new run.',
  )
}

/** Which prompts readers were given, in words. */
export function readerPromptWords(own: OwnPrompts | undefined): string {
  return promptWords(own, DEFAULT_READER_PROMPTS.sections, readerPromptsWith(own).sections)
}

/** Which prompts models that judge were given, in words. */
export function judgePromptWords(own: OwnPrompts | undefined): string {
  return promptWords(own, judgeSections(DEFAULT_JUDGE_PROMPTS), judgeSections(judgePromptsWith(own)))
}

function promptWords(own: OwnPrompts | undefined, usual: Sections, used: Sections): string {
  const differing = [...used].flatMap(([name, text]) => (usual.get(name) === text ? [] : [name]))
  const which = differing.length === 0 ? DEFAULT : `${own?.name}, in place of the default ${differing.join(', ')}`
  return `${which} (${promptsOf(used).hash})`
}

type Sections = ReadonlyMap<string, string>
