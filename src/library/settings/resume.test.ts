import { describe, expect, it } from 'vitest'
import type { RunRequest } from '../../engine/plan.js'
import { Parts } from '../own-parts.js'
import { requestFrom, resumedRequest } from '../request.js'
import type { MeasureOptions, RunOptions } from '../types.js'
import { flagOf } from './setting.js'
import { REQUEST_SETTINGS } from './table.js'

const BASE: RunOptions = { suite: 'memfail/long-hop', system: 'bm25', reader: 'p:m', judge: 'llm:p:m' }

const prompt = (text: string) => ({ name: 'own.txt', text })

/** Of every setting a value, and another; what else a run must have for it. */
const VALUES: Readonly<Record<string, [value: unknown, other: unknown, more?: RunOptions]>> = {
  suite: ['memfail/long-hop', 'memfail/persona'],
  system: ['bm25', 'dense'],
  k: [[1, 5], [10]],
  tokenBudget: [[500], [1000]],
  size: [2, 3],
  data: ['a', 'b'],
  view: ['released', 'audited', { data: 'a' }],
  seed: [1, 2],
  trials: [2, 3],
  limit: [2, 3],
  episodes: ['a', 'b'],
  strict: [true, false],
  timeline: [true, false],
  shard: ['1/2', '2/2'],
  model: ['p:m', 'p:n'],
  embedder: ['p:m:dimensions=8', 'p:m:dimensions=9'],
  reader: ['p:m', 'p:n'],
  answerStyle: ['free', 'choice'],
  reasoning: ['low', 'high'],
  readerPrompt: ['careful', 'default'],
  answerTrials: [2, 3],
  judge: ['llm:p:m', 'llm:p:n'],
  factJudge: ['lexical', 'llm:p:n'],
  answerJudge: ['lexical', 'llm:p:n'],
  judgePrompt: [prompt('@@ facts/rule\nJudge.'), 'default'],
  judgeTrials: [2, 3],
}

/** What a run goes on with that was made with some options, when others are given; a message where it is refused. */
async function resumed(made: RunOptions, given: RunOptions): Promise<{ kept: RunRequest; now: RunRequest | string }> {
  const kept = await requestFrom(made)
  const now = await resumedRequest(kept, { resume: 'last', ...given }, new Parts()).catch(
    (error: Error) => error.message,
  )
  return { kept, now }
}

describe('a setting that is given when a run goes on', () => {
  it('is known to this test, whichever it is', () => {
    expect(Object.keys(VALUES).sort()).toEqual(REQUEST_SETTINGS.map(([name]) => name).sort())
  })

  it.each(Object.entries(VALUES))('is refused or takes effect: %s', async (name, [value, other, more = {}]) => {
    const made = { ...BASE, ...more, [name]: value }
    const { kept, now } = await resumed(made, { [name]: other })
    if (typeof now === 'string') expect(now).toContain(`--${flagOf(name)}`)
    else expect(now).not.toEqual(kept)
  })

  it.each(Object.entries(VALUES))('is accepted as it was: %s', async (name, [value, , more = {}]) => {
    const { kept, now } = await resumed({ ...BASE, ...more, [name]: value }, { [name]: value })
    expect(now).toEqual(kept)
  })

  it.each<[keyof MeasureOptions, unknown]>([
    ['strict', true],
    ['timeline', true],
    ['limit', 3],
    ['episodes', ['a']],
    ['shard', '1/2'],
    ['answerTrials', 3],
    ['reasoning', 'low'],
  ])('is refused where the run began without it: %s', async (name, value) => {
    expect((await resumed(BASE, { [name]: value })).now).toContain(`The run to resume has another --${flagOf(name)}:`)
  })

  it('adds depths and grows trials, and never takes any away', async () => {
    const made = { ...BASE, k: [5], trials: 2, limit: 4, judgeTrials: 2 }
    expect(
      (await resumed(made, { k: [1, 10], tokenBudget: 500, trials: 3, limit: 9, judgeTrials: 3 })).now,
    ).toMatchObject({
      ...{ ks: [1, 5, 10], budgets: [500], trials: 3, limit: 9, judgeTrials: 3 },
    })
    for (const name of ['trials', 'limit', 'judgeTrials'] as const)
      expect((await resumed(made, { [name]: 1 })).now).toContain(
        `another --${flagOf(name)}: ${made[name]}, asked for 1`,
      )
    expect((await resumed({ ...BASE, k: 'paper' }, { k: 5 })).now).toContain('another --k: "paper", asked for [5]')
  })

  it('is refused where it is of a suite, as that was set or because the run has none such', async () => {
    const made = { ...BASE, suite: 'memfail/long-hop:pack=2' }
    expect((await resumed(made, { settings: { pack: '2' } })).now).toMatchObject({ extra: { pack: '2' } })
    expect((await resumed(made, { settings: { pack: '3' } })).now).toContain('another memfail:pack: "2", asked for "3"')
    expect((await resumed(made, { settings: { days: '7' } })).now).toContain('no suite with "days"')
  })
})
