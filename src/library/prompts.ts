import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { UserError } from '../base/errors.js'
import { promptsWith } from '../judges/asked.js'
import { JUDGE_SECTIONS } from '../judges/llm/judge-prompts.js'
import { differingSections } from '../judges/llm/own-prompts.js'
import { promptsOf, promptText } from '../judges/llm/prompt.js'
import { resolveJudge } from '../judges/registry.js'
import { type InstrumentDefinition, type OwnPrompts, readReader } from '../model/index.js'
import { DEFAULT_READER_PROMPTS, READER_PROMPT_SETS } from '../readers/llm/reader-prompts.js'
import { resolveReader } from '../readers/registry.js'
import type { Parts } from './own-parts.js'

/** Prompts that can be shown, each as a file to start from. */
export const SHOWN_PROMPTS: Readonly<Record<string, string>> = {
  reader: promptText(DEFAULT_READER_PROMPTS.sections),
  judge: promptText(new Map(Object.entries(JUDGE_SECTIONS))),
  ...Object.fromEntries(READER_PROMPT_SETS.map(({ name, text }) => [name, text])),
}

/** The name of the prompts that come with the package. */
const DEFAULT = 'default'

/** Prompts for readers as asked for, checked; `kept` when there is no word of them. Null: who answers is not known here. */
export async function readerPromptFrom(
  given: string | OwnPrompts | undefined,
  readers: readonly string[] | null,
  parts: Parts,
  kept?: OwnPrompts,
) {
  const own = ownPrompts('reader-prompt', given, READER_PROMPT_SETS, kept)
  if (own && own !== kept && readers) {
    const asked = readers.filter((reader) => readReader(reader) !== null)
    if (asked.length === 0)
      throw new UserError(
        '--reader-prompt is for readers, and none is asked for.',
        'Name one with --reader provider:model.',
      )
    const found = await Promise.all(asked.map((reader) => resolveReader(reader, process.cwd(), parts.readers)))
    requireUse('reader-prompt', own, found, 'readers')
  }
  return own && { readerPrompt: own }
}

/** The same for judges; `kept` only when one of them uses it. */
export async function judgePromptFrom(
  given: string | OwnPrompts | undefined,
  judges: readonly string[] | null,
  parts: Parts,
  kept?: OwnPrompts,
) {
  const found = judges && (await Promise.all(judges.map((judge) => resolveJudge(judge, process.cwd(), parts.judges))))
  const isUsed = !found || found.some(hasPrompts)
  const own = ownPrompts('judge-prompt', given, [], isUsed ? kept : undefined)
  if (own && own !== kept && found) requireUse('judge-prompt', own, found, 'judges')
  return own && { judgePrompt: own }
}

interface Asked {
  label: string
  definition: InstrumentDefinition
}

/** Whether it tells its models what a user may replace. The protocol of a paper is fixed. */
function hasPrompts({ definition }: Asked): boolean {
  return definition.prompts !== undefined
}

/** Refuses prompts that nobody would use, and those that do not fit. */
function requireUse(flag: string, own: OwnPrompts, found: readonly Asked[], what: 'judges' | 'readers'): void {
  if (!found.some(hasPrompts))
    throw new UserError(
      `--${flag} is for ${what} that tell their models something to replace; ${found.map(({ label }) => label).join(' and ')} would not use it.`,
      'Take one of them, such as llm:provider:model, or leave out the flag.',
    )
  for (const { definition } of found) promptsWith(definition, own, what)
}

function ownPrompts(
  flag: string,
  given: string | OwnPrompts | undefined,
  sets: readonly OwnPrompts[],
  kept: OwnPrompts | undefined,
): OwnPrompts | undefined {
  if (given === undefined) return kept
  if (typeof given === 'object') return given
  if (given === DEFAULT) return undefined
  const known = sets.find(({ name }) => name === given)
  if (known) return known
  try {
    return { name: basename(given), text: readFileSync(given, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UserError(
      `--${flag} ${given} cannot be read (${code}).`,
      `Name a file of sections${sets.length > 0 ? `, or ${sets.map(({ name }) => name).join(', ')}` : ''}, or ${DEFAULT}.`,
    )
  }
}

/** Throws if a resumed run is given other prompts than it started with, and names the sections that differ. */
export function requireSamePrompts(
  flag: string,
  saved: OwnPrompts | undefined,
  requested: OwnPrompts | undefined,
): void {
  const differing = differingSections(saved?.text ?? '', requested?.text ?? '')
  if (differing.length === 0) return
  throw new UserError(
    `The run to resume has another --${flag}: ${saved?.name ?? DEFAULT}, asked for ${requested?.name ?? DEFAULT}. Different: ${differing.join(', ')}.`,
    'Leave the flag out to go on with the text that was kept, or start a new run.',
  )
}

/** Which prompts readers or judges were given, in words; null where none of them has any. */
export function promptWords(
  own: OwnPrompts | undefined,
  asked: Iterable<Asked>,
  what: 'judges' | 'readers',
): string | null {
  const found = [...asked].find(hasPrompts)
  if (!found) return null
  const usual = found.definition.prompts!
  const used = promptsWith(found.definition, own, what)
  const differing = Object.keys(used).filter((name) => usual[name] !== used[name])
  const which = differing.length === 0 ? DEFAULT : `${own?.name}, in place of the default ${differing.join(', ')}`
  return `${which} (${promptsOf(new Map(Object.entries(used))).hash})`
}
