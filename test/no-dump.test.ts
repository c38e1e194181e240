import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { depthKey } from '../src/model/index.js'
import type { WrittenCell as Cell, WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscopeHere, root, temporaryFolder } from './cli.js'

const TASKS = ['conditional-easy', 'conditional-hard', 'coexisting', 'persona', 'long-hop']
const home = temporaryFolder()
let summary: Summary

const fixture = (name: string) => join(root, 'test/fixtures', name)
const asked = ['--suite', 'memfail', '--size', '8', '--k', '1,5', '--token-budget', '500']

beforeAll(async () => {
  const systems = [fixture('cheats/honest.mjs'), fixture('no-dump.mjs')].join(',')
  const { code, out, err } = await memscopeHere([
    'run',
    ...asked,
    '--system',
    systems,
    '--quiet',
    '--json',
    '-',
    '--home',
    home,
  ])
  expect(code, err).toBe(0)
  summary = JSON.parse(out)
})

function cells(system: string): Cell[] {
  return summary.cells.filter((cell) => cell.system === system && TASKS.includes(cell.task))
}

describe('a memory without dump', () => {
  it('is measured, not an error: the same denominators, and nothing known of what is inside', () => {
    const seen = new Map(cells('honest').map((cell) => [`${cell.task} ${depthKey(cell.depth)}`, cell]))
    for (const cell of cells('no-dump')) {
      const twin = seen.get(`${cell.task} ${depthKey(cell.depth)}`)!
      expect(cell.errors).toBe(0)
      expect(cell.facts).toMatchObject({ stored: null, faithful: null })
      expect(cell.memory).toBeNull()
      expect(cell.evidence?.n).toBe(twin.evidence?.n)
      // It keeps what is said word for word, so what was retrieved tells the same as a look inside.
      expect(cell.evidence?.complete).toBe(twin.evidence?.complete)
      expect(cell.outcomes.unavailable).toBe(twin.outcomes.not_retrieved)
      for (const stage of ['not_stored', 'summary_error', 'not_retrieved'] as const)
        expect(cell.outcomes[stage]).toBe(0)
    }
    expect(cells('no-dump').some(({ outcomes }) => outcomes.unavailable! > 0)).toBe(true)
  })

  it('fails gates on the stages that cannot be seen, and passes those on what can', async () => {
    const gate = async (condition: string) =>
      (await memscopeHere(['report', 'last', '--home', home, '--fail-under', condition])).code
    expect(await gate('conditional-easy:no-dump@5.stored>=0')).toBe(1)
    expect(await gate('conditional-easy:no-dump@5.faithful>=0')).toBe(1)
    expect(await gate('conditional-easy:no-dump@5.evidence>=0')).toBe(0)
    expect(await gate('conditional-easy:honest@5.stored>=1')).toBe(0)
  })

  it('is said as such in every report', async () => {
    const html = join(home, 'report.html')
    const { out } = await memscopeHere(['report', 'last', '--home', home, '--md', '-', '--html', html])
    expect(out).toMatch(/\| no-dump \|.*\| – \| – \|.*unavailable \d+ \|/)
  })
})
