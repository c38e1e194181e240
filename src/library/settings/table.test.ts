import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../base/hash.js'
import type { RunRequest } from '../../engine/plan.js'
import type { Suite } from '../../model/index.js'
import { requestFrom } from '../request.js'
import type { RunOptions } from '../types.js'
import { settingParts } from './parts.js'

/** What was asked, with the hash of its request and that of its setting, as they were before there was a table of settings. */
const KEPT: readonly [name: string, asked: RunOptions, request: string | null, setting: string][] = [
  [
    'one task',
    {
      ...{ suite: 'memfail/long-hop', system: 'bm25', size: 2, seed: 7, trials: 2 },
      ...{ k: [5, 1], tokenBudget: [500], limit: 3 },
    },
    'c6e14676b13b15da',
    '2945a2b75bedfe44',
  ],
  [
    'a strict life',
    {
      ...{ suite: 'memora:days=7+28:personas=sales_manager', system: ['bm25', 'dense'] },
      ...{ strict: true, timeline: true },
    },
    '44ef51dbf10226b8',
    'abbafc30a5a7f795',
  ],
  [
    'episodes',
    {
      ...{ suite: ['meme/cascade', 'memora/reasoning'], system: 'bm25', settings: { filler: 'none,32k' } },
      ...{ episodes: ['a', 'b'], shard: '2/4' },
    },
    '72173d073c7a2c99',
    '48c1dff918b4ce4b',
  ],
  [
    'readers',
    {
      ...{ suite: 'memfail', system: 'bm25', judge: 'llm:p:m', factJudge: 'lexical', judgeTrials: 2 },
      ...{ reader: ['p:a', 'p:b'], reasoning: ['default', 'low'], answerTrials: 2, answerStyle: 'free' },
    },
    'bcdc769f2dc6da51',
    'f56776067b0f73dc',
  ],
  [
    'a test taker',
    { suite: 'memfail:replies=model:pack=4', system: 'bm25', reader: 'p:a', reasoning: 'off' },
    'c06432823a47bbe1',
    '4aa10240f26d6760',
  ],
  [
    'rehearsed',
    { suite: 'memfail', system: 'mem0-v1', model: ['rehearsal:demo'], k: 'paper' },
    '63e5829eb63324a4',
    'aeed6de4bf7805ee',
  ],
  [
    'vectors',
    {
      ...{ suite: 'memfail', system: 'dense', view: 'audited' },
      embedder: 'openai:text-embedding-3-small:dimensions=256:query=search_query: :document=search_document: ',
    },
    'b033264967bb67b9',
    '0d78975757f7ecf3',
  ],
]

function partsOf(request: RunRequest): Record<string, string> {
  return settingParts({
    request,
    suites: request.suites.map(({ name }) => ({
      suite: { name, version: `${name} 1` } as Suite,
      datasetHash: `${name} data`,
    })),
    judge: { facts: `${request.judge.facts} key`, answers: `${request.judge.answers} key` },
    readers: Object.fromEntries(request.readers.filter((name) => name !== 'none').map((name) => [name, `${name} key`])),
    embedder: `${request.embedder} id`,
    harness: '1.0',
  })
}

describe('the fingerprint of a setting', () => {
  it.each(KEPT)('is what it was: %s', async (_, asked, request, setting) => {
    const made = await requestFrom(asked)
    expect([fingerprint(made), fingerprint(partsOf(made))]).toEqual([request, setting])
  })

  it('differs with what is part of it, and with nothing else', async () => {
    const base: RunOptions = { suite: 'memfail', system: 'bm25' }
    const before = fingerprint(partsOf(await requestFrom(base)))
    const now = async (more: RunOptions) => fingerprint(partsOf(await requestFrom({ ...base, ...more })))
    for (const part of [{ seed: 7 }, { strict: true }, { size: 3 }, { episodes: 'a' }, { settings: { pack: '2' } }])
      expect(await now(part), JSON.stringify(part)).not.toBe(before)
    for (const other of [{ trials: 3 }, { k: 5 }, { timeline: true }, { limit: 1 }, { budget: 3 }])
      expect(await now(other), JSON.stringify(other)).toBe(before)
  })
})
