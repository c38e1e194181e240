import { type CompareOptions, compare as compareRuns } from '../library.js'
import { type Command, listFlag, optionsFrom, switchFlag, textFlag } from './args.js'
import { DESPITE_FLAG, LOAD_FLAG } from './flags.js'
import { outputsFrom } from './outputs.js'
import { shownProgress } from './progress.js'

/** Runs that are compared at a time, at most. */
const MOST_RUNS = 20

/** `memscope compare`: two systems, or two versions of one, on the same questions. */
export const compare: Command = {
  name: 'compare',
  about: 'compare runs, or systems of one run, question by question',
  usage: 'compare <run> <run>… | compare <run> --systems a,b',
  flags: {
    systems: listFlag('<names>', 'within a run: the first against each other one; of several runs one of each'),
    k: textFlag('<n>', 'the depth (default: the suite’s if both were asked at it, else the deepest)'),
    'token-budget': textFlag('<n>', 'the same for runs that were asked by tokens of context'),
    ...DESPITE_FLAG,
    ...LOAD_FLAG,
    json: textFlag('<file|->', 'write the comparison as JSON, with every changed question'),
    html: textFlag('<file>', 'write it as one HTML page'),
    md: textFlag('<file|->', 'write it as Markdown'),
    quiet: switchFlag('no tables'),
  },
  words: MOST_RUNS,
  examples: [
    'memscope compare 20261115 last',
    'memscope compare last --systems bm25,./my-memory.ts --html compare.html',
    'memscope compare main last --despite harness',
  ],
  async run(typed) {
    const asked = optionsFrom<CompareOptions>(typed, { runs: typed.words, ...outputsFrom(typed) })
    await compareRuns(asked, shownProgress(process.stderr, typed.on.quiet ?? false))
    return 0
  },
}
