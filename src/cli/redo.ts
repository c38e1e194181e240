import { type RedoOptions, redo as redoRun } from '../library.js'
import { type Command, optionsFrom } from './args.js'
import { JUDGE_FLAGS, MODEL_FLAGS, OUTPUT_FLAGS, READER_FLAGS, TRUST_FLAG } from './flags.js'
import { outputsFrom, tellResult } from './outputs.js'
import { shownProgress } from './progress.js'

const { 'answer-trials': _times, ...READERS } = READER_FLAGS
const GROUPS = {
  Readers: READERS,
  Judges: JUDGE_FLAGS,
  Models: { ...MODEL_FLAGS, ...TRUST_FLAG },
  Results: OUTPUT_FLAGS,
}

/** `memscope redo`: other readers or another judge over what a run has kept. Nothing is stored or retrieved again. */
export const redo: Command = {
  name: 'redo',
  about: 'have other readers answer a run, or another judge judge it: nothing is stored or retrieved again',
  usage: 'redo <run> --reader <names> | --judge <name> | --fact-judge <name> | --answer-judge <name> [flags]',
  flags: Object.assign({}, ...Object.values(GROUPS)),
  groups: GROUPS,
  words: 1,
  examples: [
    'memscope redo last --judge hybrid:openai:gpt-5-mini --budget 1',
    'memscope redo last --judge-trials 3 --budget 1',
    'memscope redo last --reader openai:gpt-5-mini,anthropic:claude-haiku-4.5 --budget 2',
  ],
  async run(typed) {
    const quiet = typed.on.quiet ?? false
    const asked = optionsFrom<RedoOptions>(typed, { run: typed.words[0], ...outputsFrom(typed) })
    return tellResult(await redoRun(asked, shownProgress(process.stderr, quiet)), quiet)
  },
}
