import { type ReportOptions, report as reportRun } from '../library.js'
import { type Command, optionsFrom, switchFlag } from './args.js'
import { LOAD_FLAG, REPORT_GROUPS } from './flags.js'
import { outputsFrom, tellResult } from './outputs.js'
import { shownProgress } from './progress.js'

/** `memscope report`: a run that was made before, in any form, and held against gates. */
export const report: Command = {
  name: 'report',
  about: 'write a run in any form: --html, --md, --json, --csv, --junit, --badge, --bundle',
  usage: 'report <run> [flags]',
  flags: {
    ...Object.assign({}, ...Object.values(REPORT_GROUPS)),
    ...LOAD_FLAG,
    quiet: switchFlag('no tables and no progress'),
  },
  groups: REPORT_GROUPS,
  words: 1,
  examples: [
    'memscope report last --html report.html',
    'memscope report 20261115 --csv cells.csv',
    'memscope report last --save-baseline main',
    'memscope report last --baseline main:max-loss=3',
  ],
  async run(typed) {
    const quiet = typed.on.quiet ?? false
    const asked = optionsFrom<ReportOptions>(typed, { run: typed.words[0], ...outputsFrom(typed) })
    return tellResult(await reportRun(asked, shownProgress(process.stderr, quiet)), quiet)
  },
}
