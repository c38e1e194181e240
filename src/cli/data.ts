import { UserError, unknownName } from '../base/errors.js'
import { DATA_EXAMPLES, suites, TASK_EXAMPLE } from '../builtins.js'
import type { Command, Typed } from './args.js'
import { lintData } from './data-lint.js'
import { listData } from './data-list.js'
import { dataFlags } from './data-suite.js'
import { exportData, generateData } from './data-write.js'

const VERBS: Record<string, (typed: Typed) => Promise<number>> = {
  list: listData,
  lint: lintData,
  generate: generateData,
  export: exportData,
}

/** `memscope data`: corpora. */
export const data: Command = {
  name: 'data',
  about: 'corpora: list, lint, generate and export them',
  usage: 'data list|lint|generate|export [flags]',
  flags: {
    suite: {
      type: 'list',
      value: '<names>',
      about: `a suite, its tasks or a file of your own: ${[...suites.map(({ name }) => name), TASK_EXAMPLE].join(', ')}, ./my-suite.ts (default the first)`,
    },
    data: { type: 'text', value: '<folder>', about: 'lint, export: a folder with data (default bundled)' },
    seed: { type: 'text', value: '<n>', about: 'of what is made for it (default 42)' },
    ...dataFlags(suites),
    out: { type: 'text', value: '<folder|->', about: 'generate, export: where files go; - is standard output' },
    json: { type: 'text', value: '-', about: 'lint, list: as JSON on standard output' },
  },
  flagsOf: dataFlags,
  sharedFlags: dataFlags(suites),
  words: 1,
  examples: [
    ...DATA_EXAMPLES.map((example) => `memscope data ${example}`),
    'memscope data lint --data <folder of a release>',
    'memscope data lint --suite ./my-suite.ts',
  ],
  async run(typed) {
    const [verb] = typed.words
    if (verb === undefined) throw new UserError('What shall be done with the data?', `Usage: memscope ${this.usage}`)
    const work = VERBS[verb]
    if (!work) throw unknownName('data command', verb, Object.keys(VERBS))
    if (typed.text.json !== undefined && typed.text.json !== '-')
      throw new UserError(`Expected --json -, got "${typed.text.json}".`)
    return work(typed)
  },
}
