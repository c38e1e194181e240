import { inPercent } from '../../../base/figures.js'
import { mapGivingWay } from '../../../base/give-way.js'
import type { Judge } from '../../../model/index.js'
import { inWords, type LintReport, ofWhole, type Ruled, reportOf, tally } from '../../lint-report.js'
import { compileEpisode } from '../compile.js'
import type { Episode } from '../episode.js'
import { conflicts, type FillerPool, fillerPool } from '../filler/index.js'
import { check, type Problem } from '../generate/check.js'
import { makeEpisode } from '../generate/index.js'
import { type Domain, readGraph } from '../graph.js'
import { validate } from '../validate.js'

export interface OwnLint {
  seed: number
  /** Episodes that are made and checked. */
  episodes: number
  /** How many of them get filler that is looked through. */
  filled: number
  /** Finds out whether fillers say a fact in other words; without it they are searched for values only. */
  judgeFacts?: Judge['judgeFacts']
}

/** Sessions of the pool that fillers are drawn from. */
const POOL = 160
/** Series come in the order of the pool once in six; this much is chance. */
const MOST_IN_ORDER = 0.3

/** Generates episodes of a domain and checks them: its graph, their answers and texts, their variety and their fillers. */
export async function lintGeneratedEpisodes(domain: Domain, options: OwnLint): Promise<LintReport> {
  const { seed, episodes: count } = options
  const episodes = await mapGivingWay(Array(count).keys(), (index) =>
    makeEpisode({ domain, seed, index, filler: 0, fillerName: 'none' }),
  )
  const checked = await mapGivingWay(episodes, (episode) =>
    check(episode).map(({ kind, question, why }) => ({
      kind,
      row: question === undefined ? episode.id : `${episode.id} ${question}`,
      message: why,
    })),
  )
  const problems = checked.flat()
  const of = (kind: Problem['kind']) => problems.flatMap(({ kind: its, ...rest }) => (its === kind ? [rest] : []))
  const graph = validate(readGraph(domain).data).map(({ path, why }) => ({ row: path, message: why }))
  const { rules, figures } = variety(domain, episodes)
  return reportOf(
    domain,
    count,
    [
      { name: 'graph', about: 'entities, roles, edges, phrasing and pools are what they should be', found: graph },
      { name: 'solvable', about: 'every answer follows from what is said', found: of('unsolvable') },
      { name: 'unambiguous', about: 'in one way only, and no value stands in another', found: of('ambiguous') },
      { name: 'gold', about: 'gold is what follows, reckoned anew', found: of('gold') },
      { name: 'texts', about: 'said where it is claimed, in rising time, and not by the assistant', found: of('text') },
      ...rules,
      ...(await fillerRules(domain, options)),
    ],
    figures,
  )
}

function variety(domain: Domain, episodes: readonly Episode[]): { rules: Ruled[]; figures: Record<string, string> } {
  const graph = readGraph(domain)
  const asked = (task: string) => episodes.flatMap(({ questions }) => questions.filter((one) => one.task === task))
  const roots = tally(episodes.map(({ root }) => root.entity))
  const triples = tally(asked('aggregation').map(({ entities }) => entities.join(' + ')))
  const strings = tally(asked('exact-recall').map(({ values }) => values[0]!))
  const inOrder = asked('tracking').filter(({ entities, values }) => {
    const pool = graph.entity(entities[0]!).values.map(({ text }) => text)
    return values.every((value, i) => i === 0 || pool.indexOf(value) > pool.indexOf(values[i - 1]!))
  }).length
  const even = (counts: readonly [string, number][], of: number, slack: number) => {
    const most = counts[0]?.[1] ?? 0
    const least = counts.length < of ? 0 : counts.at(-1)![1]
    return ofWhole(most - least > slack && `${least} to ${most} times: ${inWords(counts)}`)
  }
  const pool = graph.data.entities.find(({ exact }) => exact)!.values.length
  const share = inOrder / Math.max(1, episodes.length)
  return {
    rules: [
      { name: 'roots', about: 'every root changes equally often', found: even(roots, 5, 1) },
      {
        name: 'triples',
        about: 'every triple is asked for equally often',
        found: even(triples, Math.min(graph.data.triples.length, episodes.length), 3),
      },
      {
        name: 'exact-strings',
        about: 'no exact string comes back before all were given',
        found: even(strings, Math.min(pool, episodes.length), 1),
      },
      {
        name: 'tracking-order',
        about: 'series do not follow the order of the pool',
        found: ofWhole(share > MOST_IN_ORDER && `${inPercent(share, 0)} of them do`),
      },
    ],
    figures: {
      questions: inWords(tally(episodes.flatMap(({ questions }) => questions.map(({ task }) => task)))),
      'exact strings': `${strings.length} different ones in ${episodes.length} episodes`,
      'series in pool order': `${inPercent(share, 0)} (17 % by chance)`,
    },
  }
}

async function fillerRules(domain: Domain, { seed, filled, judgeFacts }: OwnLint): Promise<Ruled[]> {
  const all = fillerPool(domain)
  const pool: FillerPool = { size: Math.min(POOL, all.size), at: (index) => all.at(index) }
  const said: Ruled['found'] = []
  const judged: Ruled['found'] = []
  for (let index = 0; index < filled; index++) {
    const episode = makeEpisode({ domain, seed, index, filler: 32_000, fillerName: '32k', pool })
    const values = episode.statements.flatMap(({ entity, value }) => episode.formsOf(entity, value))
    const fillers = episode.sessions.filter(({ evidence }) => !evidence)
    for (const { id, turns } of fillers)
      for (const value of conflicts(turns, values))
        said.push({ row: `${episode.id} ${id}`, message: `it says "${value}"` })
    const facts = compileEpisode(episode).facts.filter(({ sources }) => sources.length > 0)
    const store = fillers.flatMap(({ id, time, turns }) =>
      turns.map(({ text }, i) => ({ id: `${id}.${i + 1}`, text, time })),
    )
    for (const { fact, label, support, reason } of (await judgeFacts?.(facts, store)) ?? [])
      if (label === 'correct')
        judged.push({ row: `${episode.id} ${support[0]?.[0] ?? ''}`, message: `${fact}: ${reason}` })
  }
  const rules = [{ name: 'filler-values', about: `fillers of ${filled} episodes say no value of theirs`, found: said }]
  return judgeFacts
    ? [...rules, { name: 'filler-facts', about: 'nor any of their facts in other words, by the judge', found: judged }]
    : rules
}
