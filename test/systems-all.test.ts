import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPEC } from '../bench/llm-model.js'
import { rehearsedModel } from '../bench/rehearsed-model.js'
import { systems as builtin, loadAll } from '../src/builtins.js'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { Stage } from './llm.js'

const systems = await loadAll(builtin)

/** A question or two of every suite, and vectors from the same server. */
const SLICE = [
  ...[
    '--suite',
    'memfail/long-hop,meme/deletion,memora/remembering:personas=sales_manager',
    '--size',
    '1',
    '--limit',
    '1',
    '--k',
    '5',
  ],
  ...['--filler', 'none', '--days', '1', '--embedder', 'openai-compatible:words'],
]

/** Systems with a model inside that need nothing else to be installed. */
const inside = systems.filter(({ needs }) => needs?.llm && !needs.packages).map(({ name }) => name)

let stage: Stage

beforeAll(async () => {
  stage = await Stage.open(rehearsedModel())
})

afterAll(() => stage.server.close())

/** Runs the slice, and reads its summary. */
async function run(...args: string[]): Promise<{ summary: Summary; err: string; out: string }> {
  const file = join(stage.cwd, 'summary.json')
  const { code, out, err } = await stage.play(['run', ...SLICE, ...args, '--json', file])
  expect(err).not.toMatch(/memscope:/)
  expect(code).toBe(0)
  return { summary: JSON.parse(readFileSync(file, 'utf8')) as Summary, err, out }
}

describe('every memory system', () => {
  it('is told what it would ask, before', async () => {
    const { code, out } = await stage.play(['run', ...SLICE, '--system', 'all', '--model', SPEC, '--estimate'])
    expect(code).toBe(0)
    for (const name of inside) {
      expect(out).toMatch(
        new RegExp(
          `^${name} @ ${SPEC}: about [\\d,]+ calls \\(about [\\d,]+ to store, about [\\d,]+ to retrieve\\), [1-9][\\d,]* to [1-9][\\d,]* tokens in`,
          'm',
        ),
      )
    }
    expect(stage.model.requests.filter(({ kind }) => kind === 'chat')).toEqual([])
  })

  it('runs over all suites with any OpenAI-compatible model, without an error', async () => {
    const { summary } = await run('--system', 'all', '--model', SPEC)
    expect([summary.status, summary.errors]).toEqual(['valid', 0])
    const asked = new Set(
      stage.model.requests.map(({ request }) => ('messages' in request ? request.messages[0]!.content : '')),
    )
    expect(asked.size).toBeGreaterThan(inside.length)
    for (const name of inside) {
      const cells = summary.cells.filter(({ system }) => system === name)
      expect(new Set(cells.map(({ suite }) => suite)), name).toEqual(new Set(['memfail', 'meme', 'memora']))
      for (const { model, n, outcomes, tokens, memory } of cells) {
        expect([model, outcomes.error ?? 0, n > 0], name).toEqual([SPEC, 0, true])
        expect([tokens.ingest! > 0, memory!.entries > 0], name).toEqual([true, true])
      }
    }
  })

  it('can be tried without a key, and says that this is no measurement', async () => {
    const before = stage.model.requests.filter(({ kind }) => kind === 'chat').length
    const { summary, out } = await run('--system', 'mem0-v1,md-flat,wiki', '--model', 'rehearsal:demo')
    expect(stage.model.requests.filter(({ kind }) => kind === 'chat')).toHaveLength(before)
    expect(out).toMatch(/^valid run · 0 errors[\s\S]*Rehearsed, not measured/)
    const played = summary.cells.filter(({ model }) => model === 'rehearsal:demo')
    expect(new Set(played.map(({ suite, system }) => `${suite} ${system}`)).size).toBe(9)
    for (const { tokens, cost } of played) expect([tokens.ingest! > 100, cost]).toEqual([true, 0])
    const wrong = await stage.play(['run', ...SLICE, '--system', 'bm25', '--reader', 'rehearsal:demo'])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('does not read, judge or embed')])
  })

  it('needs no model where its options leave the model out', async () => {
    const { summary } = await run('--system', 'langmem:as-in-memora')
    const cells = summary.cells.filter(({ system }) => system === 'langmem:as-in-memora')
    expect(cells.length).toBeGreaterThan(2)
    for (const { model, errors } of cells) expect([model, errors]).toEqual([null, 0])
  })
})
