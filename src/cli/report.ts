import type { Control, RunResult } from '../library.js'
import { reanswer as reanswerRun, rejudge as rejudgeRun, report as reportRun } from '../library.js'
import { type Command, listFlag, optionsFrom, type Typed, textFlag } from './args.js'
import {
  BASELINE_FLAGS,
  JUDGE_FLAGS,
  JUDGE_PROMPT_FLAG,
  LOAD_FLAG,
  MODEL_FLAGS,
  OUTPUT_FLAGS,
  READER_PROMPT_FLAG,
  REQUEST_FLAGS,
  TRUST_FLAG,
} from './flags.js'
import { outputsFrom, tellResult } from './outputs.js'
import { shownProgress } from './progress.js'

/** `memscope report`: a run that was made before, in any format. */
export const report: Command = {
  name: 'report',
  about: 'show a run again, or write it as --html, --bundle, --md, --json, --csv, --junit',
  usage: 'report <run> [flags]',
  flags: {
    ...OUTPUT_FLAGS,
    bundle: textFlag('<folder>', 'write the viewer with this run inside, for a disk or any static host'),
    ...BASELINE_FLAGS,
    ...LOAD_FLAG,
  },
  words: 1,
  examples: [
    'memscope report last --html report.html',
    'memscope report 20261115 --csv cells.csv',
    'memscope report last --baseline main',
  ],
  run: (typed) => redo(typed, reportRun),
}

/** `memscope rejudge`: the same witnesses and answers before another judge. Nothing is stored, retrieved or answered again. */
export const rejudge: Command = {
  name: 'rejudge',
  about: 'judge a run again with another judge',
  usage: 'rejudge <run> --judge <name> | --fact-judge <name> | --answer-judge <name> [flags]',
  flags: {
    ...JUDGE_FLAGS,
    'judge-trials': textFlag('<n>', 'how often they judge; without --judge, those of the run'),
    ...JUDGE_PROMPT_FLAG,
    ...TRUST_FLAG,
    ...MODEL_FLAGS,
    ...OUTPUT_FLAGS,
  },
  words: 1,
  examples: [
    'memscope rejudge last --judge hybrid:openai:gpt-5-mini --budget 1',
    'memscope rejudge last --answer-judge panel:openai:gpt-5-mini,anthropic:claude-haiku-4.5,google:gemini-2.5-flash',
    'memscope rejudge last --judge-trials 3 --budget 1',
  ],
  run: (typed) => redo(typed, rejudgeRun),
}

/** `memscope reanswer`: the same witnesses before other readers. Nothing is stored or retrieved again. */
export const reanswer: Command = {
  name: 'reanswer',
  about: 'have other readers answer a run',
  usage: 'reanswer <run> --reader <names> [flags]',
  flags: {
    reader: listFlag('<names>', 'provider:model or a file of your own, several for a sweep'),
    'answer-style': textFlag('<style>', 'auto (default), free, yes-no, choice'),
    reasoning: REQUEST_FLAGS.reasoning!,
    ...READER_PROMPT_FLAG,
    ...TRUST_FLAG,
    ...MODEL_FLAGS,
    ...OUTPUT_FLAGS,
  },
  words: 1,
  examples: ['memscope reanswer last --reader openai:gpt-5-mini,anthropic:claude-haiku-4.5 --budget 2'],
  run: (typed) => redo(typed, reanswerRun),
}

async function redo<T extends object>(
  typed: Typed,
  call: (options: T, control: Control) => Promise<RunResult>,
): Promise<number> {
  const asked = optionsFrom<T>(typed, { run: typed.words[0], ...outputsFrom(typed) })
  return tellResult(await call(asked, shownProgress(process.stderr, typed.on.quiet ?? false)), typed.on.quiet)
}
