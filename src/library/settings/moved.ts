import { UserError } from '../../base/errors.js'
import { flagOf } from './setting.js'

/** Words that were, by the names of options, and what says the same now. */
export const MOVED: Readonly<Record<string, string>> = {
  embedderDimensions: '--embedder provider:model:dimensions=<n>',
  embedderQuery: '--embedder provider:model:query=<text>',
  embedderDocument: '--embedder provider:model:document=<text>',
  llmConcurrency: '--llm concurrency=<n>',
  llmTimeout: '--llm timeout=<s>',
  rate: '--llm provider=<n>rpm',
  maxLoss: '--baseline <run>:max-loss=<points>',
  undecided: '--baseline <run>:undecided=pass|fail',
  despite: '--baseline <run>:despite=<parts>',
  saveBaseline: 'memscope report <run> --save-baseline <name|file>',
  badge: 'memscope report <run> --badge <file>',
  verbose: 'memscope show <run> --verbose',
}

/** What says the same as a flag that was; undefined where there never was one. */
export function movedTo(flag: string): string | undefined {
  return Object.entries(MOVED).find(([name]) => flagOf(name) === flag)?.[1]
}

/** Refuses options that are called otherwise now: unlike the command line, a call would pass over them. @param still those that this call has */
export function refuseMoved(asked: object, still: readonly string[] = []): void {
  const name = Object.keys(MOVED).find((one) => one in asked && !still.includes(one))
  if (name !== undefined) throw new UserError(`"${name}" is no option any more.`, `It is now: ${MOVED[name]}`)
}
