import { UserError } from '../../base/errors.js'
import { type DataFile, GENERATION_CONFIG, type ModelMaking, type WriteOptions } from '../../model/index.js'
import { Funnel } from './funnel.js'
import { BATCH, Maker, MOST_RETRIES } from './maker.js'
import { readPromptFolder } from './prompts.js'

/** Files that were made, and the numbers that decided what is kept. */
export interface MadeCorpus {
  files: DataFile[]
  thresholds: Record<string, unknown>
}

/** Has a suite make its datasets, each with a maker and a funnel of its own, and writes down beside them how they came about. */
export async function makeCorpus(
  options: WriteOptions,
  making: ModelMaking,
  folder: URL,
  make: (makerOf: (dataset: string) => Maker) => Promise<MadeCorpus>,
): Promise<{ told: string[]; files: DataFile[] }> {
  if (options.stdout)
    throw new UserError('What models make does not go to standard output.', 'Give a folder with --out <folder>.')
  const { seed, harness } = options
  const { rules, commit, rejected } = making
  const prompts = readPromptFolder([new URL('./prompts/', import.meta.url), folder], making.prompts)
  const funnels: Funnel[] = []
  const { files, thresholds } = await make((dataset) => {
    const funnel = new Funnel(dataset)
    funnels.push(funnel)
    return new Maker(making, prompts, funnel, seed)
  })
  // Everything that the corpus came from, with what every filter let through. Same replies, same bytes.
  const config = {
    generator: 'memscope',
    version: harness,
    commit,
    seed,
    rules,
    guesser: rules === 'sound' ? making.models('auditor', 'guess')[0] : null,
    thresholds: { retries: MOST_RETRIES, batch: BATCH, ...thresholds },
    prompts: prompts.used,
    rejected: [...rejected].sort(),
    datasets: Object.fromEntries(funnels.map((funnel) => [funnel.dataset, funnel.report()])),
  }
  const lines = [`${JSON.stringify(config, null, 2)}\n`]
  return {
    told: funnels.flatMap((funnel) => [...funnel.lines()]),
    files: [
      ...files.map((file) => ({ ...file, isRepeated: true as const })),
      { path: GENERATION_CONFIG, lines, companion: true },
    ],
  }
}
