import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WrittenSummary } from '../src/report/summary-json.js'
import { memscopeHere, root, temporaryFolder } from './cli.js'

const fixtures = join(root, 'test/fixtures/cited')

/** A memory that keeps what was said and forgets when. */
const UNDATED = `export default {
  create() {
    const notes = []
    return {
      async store({ id, turns }) {
        for (const { text } of turns) notes.push({ id: id + '#' + notes.length, text })
      },
      async retrieve(_query, k) {
        return notes.slice(0, k)
      },
      async dump() {
        return notes
      },
    }
  },
}`

/** Runs a suite on text of ours in its layout, and gives its cells by task and system. */
async function ran(cwd: string, suite: string, data: string, ...flags: string[]) {
  const args = ['run', '--suite', suite, '--data', data, '--system', 'bm25,oracle', '--k', '5', '--quiet', ...flags]
  const { code, err } = await memscopeHere([...args, '--json', 'run.json'], { cwd })
  expect([code, err]).toEqual([0, ''])
  const { cells, overall = [] }: WrittenSummary = JSON.parse(readFileSync(join(cwd, 'run.json'), 'utf8'))
  return {
    overall,
    of: (task: string, system: string, k = 5) =>
      cells.find((cell) => cell.task === task && cell.system === system && cell.k === k)!,
  }
}

describe('chats with questions that cite turns', () => {
  const cwd = temporaryFolder()

  it('are imported from a file of one’s own and run with stages, a ceiling and a guesser', async () => {
    const { code, out } = await memscopeHere(['data', 'import', join(fixtures, 'my.jsonl'), '--out', 'mine'], { cwd })
    expect([code, out]).toEqual([0, expect.stringMatching(/own\.jsonl {2}1 chats, 6 questions/)])
    const { of } = await ran(cwd, 'own', 'mine')
    expect(of('cited', 'oracle')).toMatchObject({
      n: 5,
      errors: 0,
      evidence: { rate: 1 },
      facts: { n: 6 },
    })
    expect(of('cited', 'bm25').evidence!.rate).toBe(1)
  })

  it('of LoCoMo keep their names, and oracle is at the ceiling', async () => {
    const { of, overall } = await ran(cwd, 'locomo', join(fixtures, 'locomo'), '--view', 'released')
    expect(of('temporal', 'oracle')).toMatchObject({ evidence: { n: 2, rate: 1 }, scores: { 'turn-recall': 1 } })
    expect(overall.find(({ system }) => system === 'oracle')!.scores['turn-recall']).toBe(1)
    const { out } = await memscopeHere(['report', 'last', '--md', '-', '--quiet'], { cwd })
    expect(out).toContain('Depth against sessions')
    expect(out).toMatch(/Cited turns found[\s\S]*\| oracle \| 5 \|.* 100\.0 .*\|/)
  })

  it('of LoCoMo lose times with their days, which turn recall does not tell', async () => {
    writeFileSync(join(cwd, 'undated.mjs'), UNDATED)
    const { of } = await ran(cwd, 'locomo', join(fixtures, 'locomo'), '--system', './undated.mjs', '--k', '50')
    expect(of('temporal', 'undated', 50)).toMatchObject({
      evidence: { rate: 0 },
      facts: { n: 4, stored: 2, retrieved: 2 },
      scores: { 'turn-recall': 1 },
    })
    expect(of('single-hop', 'undated', 50).evidence!.rate).toBe(1)
  })

  it('of BEAM and LongMemEval run end to end', async () => {
    const { of } = await ran(cwd, 'beam', join(fixtures, 'beam'))
    expect(of('knowledge-update', 'oracle').evidence).toMatchObject({ n: 1, rate: 1 })
    const history = await ran(cwd, 'longmemeval', join(fixtures, 'longmemeval'))
    expect(history.of('knowledge-update', 'oracle').evidence).toMatchObject({ n: 1, rate: 1 })
  })

  it('are not run without data, which does not come with the package', async () => {
    const { code, err } = await memscopeHere(['run', '--suite', 'locomo', '--system', 'bm25'], { cwd })
    expect([code, err]).toEqual([2, expect.stringMatching(/does not come with Memscope.*\n.*snap-research\/locomo/)])
  })
})
