import { check } from '../src/suites/meme/generate/check.js'
import { makeEpisode } from '../src/suites/meme/generate/index.js'
import type { Domain } from '../src/suites/meme/graph.js'
import { DOMAINS } from '../src/suites/meme/graph.js'
import type { BenchTable } from './bench.js'

const EPISODES = 5_000
const SEED = 7
const AT_ONCE = 250

/**
 * Makes 10,000 episodes, half of each domain, and checks every one of them without the solver that made its gold.
 *
 * @example console.table((await benchEpisodes(() => {})).rows)
 */
export async function benchEpisodes(progress: (message: string) => void): Promise<BenchTable> {
  const rows: string[][] = []
  for (const domain of DOMAINS) {
    progress(`${EPISODES} episodes of ${domain}`)
    const { made, checked, questions, problems } = await measure(domain)
    rows.push([
      domain,
      EPISODES.toLocaleString('en'),
      questions.toLocaleString('en'),
      Math.round(EPISODES / made).toLocaleString('en'),
      Math.round(EPISODES / checked).toLocaleString('en'),
      String(problems.ambiguous),
      String(problems.unsolvable),
      String(problems.other),
    ])
  }
  return {
    title: 'Generated MEME episodes',
    note: `Seed ${SEED}, one core, without filler. Every episode is checked by what is said in it: each answer follows, in one way only, and
no value can be taken for another. The last three columns count episodes that fail.`,
    columns: ['domain', 'episodes', 'questions', 'made/s', 'checked/s', 'ambiguous', 'unsolvable', 'otherwise wrong'],
    rows,
  }
}

async function measure(domain: Domain) {
  const problems = { ambiguous: 0, unsolvable: 0, other: 0 }
  let [made, checked, questions] = [0, 0, 0]
  for (let index = 0; index < EPISODES; index++) {
    // Lets others have a turn.
    if (index % AT_ONCE === 0) await new Promise((done) => setImmediate(done))
    const start = performance.now()
    const episode = makeEpisode({ domain, seed: SEED, index, filler: 0, fillerName: 'none' })
    const between = performance.now()
    const kinds = new Set(check(episode).map(({ kind }) => kind))
    made += between - start
    checked += performance.now() - between
    questions += episode.questions.length
    if (kinds.delete('ambiguous')) problems.ambiguous++
    if (kinds.delete('unsolvable')) problems.unsolvable++
    if (kinds.size > 0) problems.other++
  }
  return { made: made / 1000, checked: checked / 1000, questions, problems }
}
