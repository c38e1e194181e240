import { UserError } from '../../base/errors.js'
import { wholeNumber } from '../../base/whole-number.js'
import type { LintedCorpus, LintOptions } from '../../model/index.js'
import { linted } from '../lint-report.js'
import { DOMAINS } from './graph.js'
import { lintGeneratedEpisodes } from './lint/own.js'
import { lintPublished } from './lint/published.js'

/** Generated episodes that are checked a domain, and of how many fillers are read. */
const EPISODES = '450'
const FILLED = 2

/** Checks the episodes of a release, or those that are generated here, domain by domain. */
export async function* lintEpisodes({
  tasks,
  data,
  seed,
  extra,
  judgeFacts,
}: LintOptions): AsyncGenerator<LintedCorpus> {
  if (tasks) throw new UserError('Episodes of meme have questions of all tasks.', 'Give --suite meme.')
  const episodes = wholeNumber('n', extra.n ?? EPISODES, 1, 100_000)
  if (data !== undefined) for (const report of lintPublished(data)) yield linted(report)
  else
    for (const domain of DOMAINS)
      yield linted(
        await lintGeneratedEpisodes(domain, { seed, episodes, filled: Math.min(FILLED, episodes), judgeFacts }),
      )
}
