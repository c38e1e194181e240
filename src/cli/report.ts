import type { Command } from './args.js'
import { withKeptRun } from './kept-run.js'
import { checkGate, checkOutputs, OUTPUT_FLAGS, outputsFrom, publish } from './outputs.js'

/** `memscope report`: a run that was made before, in any format. */
export const report: Command = {
  name: 'report',
  about: 'show a run again, as tables or as --html, --md, --json, --csv, --junit',
  usage: 'report <run> [flags]',
  flags: OUTPUT_FLAGS,
  words: 1,
  examples: ['memscope report last --html report.html', 'memscope report 20261115 --csv cells.csv'],
  async run(typed) {
    const outputs = outputsFrom(typed)
    checkOutputs(outputs)
    const usage = 'Usage: memscope report <run>; "last" is the newest, memscope runs lists them.'
    return withKeptRun(typed.words[0], { home: typed.text.home, usage }, ({ record, workshop, store }) => {
      checkGate(outputs, workshop.plan)
      return publish(record, workshop, store, outputs)
    })
  },
}
