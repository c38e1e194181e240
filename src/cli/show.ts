import { type ShowOptions, show as showRun } from '../library.js'
import { type Command, listFlag, optionsFrom, switchFlag, textFlag } from './args.js'
import { LOAD_FLAG } from './flags.js'
import { terminalOutput } from './outputs.js'
import { shownProgress } from './progress.js'

/** `memscope show`: a run that was made before, on the terminal. */
export const show: Command = {
  name: 'show',
  about: 'look at a run: on one screen, a task of it, or its failed questions',
  usage: 'show <run> [task] [flags]',
  flags: {
    verbose: switchFlag('the tables of all tasks'),
    ...LOAD_FLAG,
    failed: switchFlag('the failed questions one by one, with the way of every fact'),
    system: listFlag('<names>', 'of these systems only'),
    n: textFlag('<n>', 'most failed questions (default 5)'),
  },
  words: 2,
  examples: ['memscope show last', 'memscope show last --verbose', 'memscope show last --failed --system bm25 --n 20'],
  async run(typed) {
    const [run, task] = typed.words
    const more = { run, text: terminalOutput(process.stdout), ...(task !== undefined && { task }) }
    const { status } = await showRun(optionsFrom<ShowOptions>(typed, more), shownProgress(process.stderr, false))
    return status === 'invalid' ? 3 : 0
  },
}
