import { UserError, unknownName } from '../base/errors.js'
import type { Command, Typed } from './args.js'
import { exportData } from './data-export.js'
import { generateData } from './data-generate.js'
import { lintData } from './data-lint.js'
import { listData } from './data-list.js'

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
      about: 'a suite or its tasks: memfail (default), memfail/long-hop, meme, memora',
    },
    data: { type: 'text', value: '<folder>', about: 'lint, export: a release or rows in our layout (default bundled)' },
    n: {
      type: 'text',
      value: '<rows>',
      about:
        'generate: how many rows (default 1000); lint: episodes a domain of meme (450); lint, export: personas of memora (10)',
    },
    seed: {
      type: 'text',
      value: '<n>',
      about: 'generate, lint of meme and memora, export of memora: the seed (default 42)',
    },
    days: {
      type: 'text',
      value: '<n>',
      about: 'lint and export of memora: days of a life (default 7); export: or several',
    },
    personas: {
      type: 'text',
      value: '<names>',
      about: 'export of memora: whose lives (default all, or the first --n)',
    },
    out: {
      type: 'text',
      value: '<folder|->',
      about: 'generate, export: where the files go; - is standard output: one task of generate, lives of memora',
    },
    format: {
      type: 'text',
      value: 'jsonl|published|gold',
      about: 'export: our layout (default), the authors’ CSV, or labelled cases for judge eval',
    },
    diversity: { type: 'switch', about: 'generate: print overlap figures of the rows instead of writing them' },
    json: { type: 'text', value: '-', about: 'lint, list: as JSON on standard output' },
  },
  words: 1,
  examples: [
    'memscope data lint --suite memfail',
    'memscope data lint --suite meme',
    'memscope data lint --suite memora --days 28',
    'memscope data lint --data <folder of a release>',
    'memscope data generate --suite memfail/long-hop --n 10000 --seed 7 --out corpus',
    'memscope run --data corpus --suite memfail/long-hop --system bm25',
    'memscope data export --suite memfail --format published --out csv',
    'memscope data export --suite memora --days 7,28 --personas academic_researcher --out lives',
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
