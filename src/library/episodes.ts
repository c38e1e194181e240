import { UserError } from '../base/errors.js'
import { groupBy } from '../base/group-by.js'
import { Random } from '../base/random.js'
import { questionsOf, type Scenario, type Suite } from '../model/index.js'
import { loadSuites } from './compose.js'
import type { OptimiseOptions } from './optimise-types.js'
import type { Parts } from './own-parts.js'
import { requestFrom } from './request.js'

/**
 * Episodes to train on and others to test on, by name. Those that are not named are drawn: as many of each stratum, such as a domain, as of
 * the others, by the seed alone.
 */
export async function chosenEpisodes(
  asked: OptimiseOptions,
  counts: Record<'train' | 'test' | 'seed', number>,
  parts: Parts,
): Promise<{ train: string[]; test: string[] }> {
  const { suite, data, view, size = 'paper', settings, model } = asked
  const given = { suite, size, model, system: 'none', ...(data !== undefined && { data }), ...(view && { view }) }
  const request = await requestFrom({ ...given, ...(settings && { settings }) }, parts)
  const [loaded, ...others] = await loadSuites(request, parts)
  if (!loaded || others.length > 0) throw new UserError('Prompts are optimised for one suite.', 'Name it with --suite.')
  const ids = loaded.scenarios.map(({ id }) => id)
  // With the name of the suite before it or without, an episode is the same.
  const whole = (name: string) => ids.find((id) => id === name || id === `${loaded.suite.name}/${name}`) ?? name
  const named = { train: namesIn(asked.train)?.map(whole), test: namesIn(asked.test)?.map(whole) }
  const taken = new Set([...(named.train ?? []), ...(named.test ?? [])])
  const inTurn = drawn(loaded.suite, loaded.scenarios, counts.seed).filter((id) => !taken.has(id))
  const train = named.train ?? inTurn.splice(0, counts.train)
  const test = named.test ?? inTurn.splice(0, counts.test)
  if (
    train.length === 0 ||
    test.length === 0 ||
    (!named.train && train.length < counts.train) ||
    (!named.test && test.length < counts.test)
  )
    throw new UserError(
      `There are ${ids.length} episodes, too few for ${counts.train} to train on and ${counts.test} others.`,
      'Ask for fewer with --train and --test, or for more episodes with --size.',
    )
  const both = train.filter((id) => test.includes(id))
  if (both.length > 0) throw new UserError(`${both.join(', ')} cannot be trained on and tested on.`)
  return { train, test }
}

/** Names, or undefined where it is a number or nothing. */
function namesIn(given: OptimiseOptions['train']): string[] | undefined {
  if (given === undefined || typeof given === 'number') return undefined
  const names = [given].flat().map(String)
  return names.every((name) => /^\d+$/.test(name)) ? undefined : names
}

/** All episodes, one stratum after another in turn, each in an order of its own. */
function drawn({ stratum }: Suite, scenarios: readonly Scenario[], seed: number): string[] {
  const strata = [...groupBy(scenarios, (scenario) => (stratum && questionsOf(scenario)[0]?.tags[stratum]) || '')]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => new Random(`${seed} ${name}`).shuffle(own.map(({ id }) => id).sort()))
  const longest = Math.max(0, ...strata.map((own) => own.length))
  return Array.from({ length: longest }, (_, i) => strata.flatMap((own) => own[i] ?? [])).flat()
}
