import { UserError } from '../base/errors.js'
import { requireSameSetting } from '../engine/plan.js'
import type { Command } from './args.js'
import { compose, homeAt, openStore } from './compose.js'
import { checkOutputs, OUTPUT_FLAGS, outputsFrom, publish } from './outputs.js'
import { findRun, keptRequest } from './runs.js'

/** `memscope report`: a run that was made before, in any format. */
export const report: Command = {
  name: 'report',
  about: 'show a run again, as tables or as --html, --md, --json, --csv, --junit',
  usage: 'report <run> [flags]',
  flags: OUTPUT_FLAGS,
  words: 1,
  examples: ['memscope report last --html report.html', 'memscope report 20261115 --csv cells.csv'],
  async run(typed) {
    const [name] = typed.words
    if (name === undefined)
      throw new UserError('Which run?', 'Usage: memscope report <run>; "last" is the newest, memscope runs lists them.')
    const outputs = outputsFrom(typed)
    checkOutputs(outputs)
    const home = homeAt(typed.text.home)
    const store = openStore(home)
    try {
      const record = await findRun(store, name)
      const kept = keptRequest(record.request)
      const workshop = await compose(kept.request, home)
      try {
        requireSameSetting(kept.settingParts, workshop.plan.settingParts, `The run ${record.id}`)
        return await publish(record, workshop, store, outputs)
      } finally {
        await workshop.close()
      }
    } finally {
      await store.close()
    }
  },
}
