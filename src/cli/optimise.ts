import { TASK_EXAMPLE } from '../builtins.js'
import { type Optimised, type OptimiseOptions, optimise as optimisePrompts } from '../library.js'
import { type Command, type Flags, listFlag, optionsFrom, printJson, switchFlag, textFlag, wantsJson } from './args.js'
import { MODEL_FLAGS, RUN_FLAGS, SUITE_FLAGS, TIMEOUT_FLAG, typedSettings } from './flags.js'
import { shownProgress } from './progress.js'

const REQUEST = [
  ...['suite', 'k', 'token-budget', 'data', 'view', 'size', 'reader', 'answer-style', 'reasoning', 'reader-prompt'],
  ...['judge', 'fact-judge', 'answer-judge', 'judge-prompt', 'embedder'],
]

const FLAGS: Flags = {
  ...Object.fromEntries(REQUEST.map((name) => [name, RUN_FLAGS[name]!])),
  system: textFlag('<name>', 'the memory whose prompts are to be improved, with its options'),
  model: textFlag('<name>', 'the model inside it: provider:model'),
  adviser: textFlag('<name>', 'the model that gives advice (default: that of --model)'),
  train: listFlag('<n|names>', 'episodes that candidates are scored on: how many, or which (default 10)'),
  test: listFlag('<n|names>', 'other episodes, on which the best is confirmed (default 10)'),
  seed: textFlag('<n>', 'draws episodes (default 7)'),
  steps: textFlag('<n>', 'how often the best so far is added to (default 2)'),
  'batch-size': textFlag('<n>', 'episodes that a step looks at (default 4)'),
  candidates: textFlag('<n>', 'candidates a step: advice, then demonstrations (default 4)'),
  trials: textFlag('<n>', 'runs over the test episodes, from which the noise is known: at least 2 (default 3)'),
  out: textFlag('<file>', 'write the best prompts there, for --system name:prompts=<file>'),
  resume: textFlag('<id>', 'refuse to begin anything else than this work'),
  json: textFlag('-', 'as JSON on standard output'),
  quiet: switchFlag('no progress'),
  ...TIMEOUT_FLAG,
  ...MODEL_FLAGS,
  ...SUITE_FLAGS,
}

/** `memscope optimise`: looks for words to append to the prompts of a memory. */
export const optimise: Command = {
  name: 'optimise',
  about: 'append advice and demonstrations to a memory’s prompts, and see whether that helps beyond noise',
  usage: 'optimise --system <name> --suite <name> --model <name> [flags]',
  flags: FLAGS,
  examples: [
    `memscope optimise --system md-flat --suite ${TASK_EXAMPLE} --model openai:gpt-4.1-mini --budget 20 --out better.json`,
  ],
  async run(typed) {
    const asked = optionsFrom<OptimiseOptions>(typed, { settings: typedSettings(typed) })
    const shown = shownProgress(process.stderr, typed.on.quiet ?? false)
    const found = await optimisePrompts(asked, shown)
    if (wantsJson(typed)) printJson({ schema: 2, ...found })
    else process.stdout.write(wordsOf(found))
    return 0
  },
}

/** What was found, for a terminal. */
function wordsOf({
  id,
  candidates,
  winner,
  baseline,
  optimised,
  gain,
  floor,
  confirmed,
  train,
  test,
}: Optimised): string {
  const width = Math.max(...candidates.map(({ name }) => name.length))
  const shown = ({ mean, sd }: Optimised['baseline']) => `${mean.toFixed(3)} ± ${sd.toFixed(3)}`
  const verdict = confirmed
    ? `Confirmed: ${winner} gains ${gain.toFixed(3)}, beyond the noise floor of ${floor.toFixed(3)}.`
    : `No gain beyond noise: ${gain.toFixed(3)}, with a noise floor of ${floor.toFixed(3)}.`
  return [
    `${id}: trained on ${train.join(', ')}; tested on ${test.join(', ')}`,
    ...candidates.map(({ name, by, train: score }) => `  ${name.padEnd(width)}  ${score.toFixed(3)}  ${by}`),
    `as it is, on the test episodes: ${shown(baseline)}`,
    `${winner}, on the test episodes: ${shown(optimised)}`,
    verdict,
    '',
  ].join('\n')
}
