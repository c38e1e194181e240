import { type ScoreOptions, score as scoreTraces } from '../library.js'
import { type Command, type Flags, optionsFrom } from './args.js'
import { MODEL_FLAGS, OUTPUT_FLAGS, RUN_FLAGS, SUITE_FLAGS, typedSettings } from './flags.js'
import { outputsFrom, tellResult } from './outputs.js'
import { shownProgress } from './progress.js'
import { interruptible } from './run.js'

/** What the traces do not say themselves. */
const ASKED = [
  ...['k', 'token-budget', 'judge', 'fact-judge', 'answer-judge', 'judge-prompt', 'judge-trials'],
  ...['reader', 'answer-style', 'reasoning', 'reader-prompt', 'answer-trials', 'limit', 'suite', 'data'],
]
const SCORE_FLAGS: Flags = {
  ...Object.fromEntries(ASKED.map((name) => [name, RUN_FLAGS[name]!])),
  ...MODEL_FLAGS,
  ...OUTPUT_FLAGS,
  ...SUITE_FLAGS,
}

/** `memscope score`: grades what a system that was run elsewhere retrieved. */
export const score: Command = {
  name: 'score',
  about: 'grade what a system that was run elsewhere retrieved',
  usage: 'score <traces.jsonl> [flags]',
  flags: SCORE_FLAGS,
  words: 1,
  examples: ['memscope score traces.jsonl --html report.html', 'memscope score traces.jsonl --k 1,5 --json -'],
  async run(typed) {
    const quiet = typed.on.quiet ?? false
    const settings = typedSettings(typed)
    const more = { traces: typed.words[0], settings, ...outputsFrom(typed), forecast: !quiet }
    const shown = shownProgress(process.stderr, quiet)
    const asked = optionsFrom<ScoreOptions>(typed, more)
    return tellResult(await interruptible((control) => scoreTraces(asked, control), shown), quiet, true)
  },
}
