import { type ReportOptions, report as reportRun } from '../library.js'
import { type Command, optionsFrom } from './args.js'
import { OUTPUT_FLAGS } from './flags.js'
import { outputsFrom, tellResult } from './outputs.js'

/** `memscope report`: a run that was made before, in any format. */
export const report: Command = {
  name: 'report',
  about: 'show a run again, as tables or as --html, --md, --json, --csv, --junit',
  usage: 'report <run> [flags]',
  flags: OUTPUT_FLAGS,
  words: 1,
  examples: ['memscope report last --html report.html', 'memscope report 20261115 --csv cells.csv'],
  async run(typed) {
    const asked = optionsFrom<ReportOptions>(typed, { run: typed.words[0], ...outputsFrom(typed) })
    return tellResult(await reportRun(asked), typed.on.quiet)
  },
}
