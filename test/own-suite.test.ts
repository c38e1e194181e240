import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { WrittenSummary } from '../src/report/summary-json.js'
import { runSuiteConformance } from '../src/suites/conformance.js'
import { resolveSuite } from '../src/suites/registry.js'
import { memscope, memscopeHere, root, temporaryFolder } from './cli.js'
import { readTags } from './report/tags.js'

const file = join(root, 'examples/own-suite.ts')

runSuiteConformance({ suite: await resolveSuite(file, root) })

describe('a suite in a file of one’s own', () => {
  const cwd = temporaryFolder()
  let summary: WrittenSummary
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8')

  beforeAll(async () => {
    const flags = ['--suite', `${file}:crowd=5+20`, '--system', 'bm25,oracle', '--k', '1,5', '--quiet']
    const { code, err } = await memscope(['run', ...flags, '--json', 'run.json', '--html', 'run.html'], { cwd })
    expect([code, err]).toEqual([0, ''])
    summary = JSON.parse(read('run.json'))
  })

  it('is run with its own flag, tasks and scores, those of a part by name and part', () => {
    const of = (task: string, system: string) =>
      summary.cells.find((cell) => cell.task === task && cell.system === system && cell.k === 1)!
    expect(summary.run.settings).toMatchObject({ suites: 'colours', crowd: '5,20' })
    expect(of('liked', 'oracle').evidence).toMatchObject({ n: 3 + 13, rate: 1 })
    expect(of('changed', 'oracle').scores).toMatchObject({ settled: 1, 'settled[5]': 1, 'settled[20]': 1 })
    expect(of('changed', 'bm25').scores.settled).toBeLessThan(1)
    expect(of('liked', 'bm25').scores.settled).toBeNull()
  })

  it('has its table and its chart in the reports of the kept run', async () => {
    const { code, out } = await memscope(['report', 'last', '--load', file, '--md', '-', '--quiet'], { cwd })
    expect(code).toBe(0)
    expect(out).toContain('## Changed minds')
    expect(out).toMatch(/\| \*\*oracle\*\* \| 100 \| 100 \| 100 \|/)
    const page = read('run.html')
    readTags(page)
    expect(page).toContain('<a href="#colours-minds">Changed minds</a>')
    expect(page).toContain('<caption>Settled questions in per cent</caption>')
    expect(page).toMatch(/<title[^>]*>changed: evidence against people<\/title><desc[^>]*>bm25 \d+ %, oracle 100 %/)
  })

  it('is listed, checked and gated, one task of it alone', async () => {
    const listed = await memscopeHere(['suites', file], { cwd })
    expect(listed.out).toMatch(/^colours {2}which colour[^\n]*\n {2}liked +the colour .*16 bundled questions/)
    const lint = await memscopeHere(['data', 'lint', '--suite', file, '--n', '9'], { cwd })
    expect([lint.code, lint.out]).toEqual([0, expect.stringMatching(/colours\/crowd {2}9 people[\s\S]*facts: 12/)])
    const gate = ['--fail-under', 'colours/changed.score.settled[5]>=0.5']
    const gated = await memscope(
      ['run', '--suite', `${file}/changed:crowd=5+6`, '--system', 'oracle', ...gate, '--json', '-', '--quiet'],
      { cwd },
    )
    expect(gated.code).toBe(0)
    const tasks = (JSON.parse(gated.out) as WrittenSummary).cells.map(({ task }) => task)
    expect(new Set(tasks)).toEqual(new Set(['changed']))
  })

  it('is refused with what to do when it is none, or takes what is taken', async () => {
    const mistake = async (text: string, ...flags: string[]) => {
      const own = temporaryFolder()
      const { writeFileSync } = await import('node:fs')
      writeFileSync(join(own, 'suite.mjs'), text)
      const { code, err } = await memscopeHere(['run', '--suite', './suite.mjs', ...flags], { cwd: own })
      expect(code).toBe(2)
      return err
    }
    const parts = "about: '', load: async () => ({ scenarios: [], datasetHash: '', audit: [] })"
    expect(await mistake('export const suite = 1')).toMatch(/no default export.*It exports suite/)
    expect(await mistake("export default { name: 'x y' }")).toMatch(/does not define a suite:[\s\S]*name:[\s\S]*tasks/)
    const tasks = "tasks: [{ name: 't', about: '' }]"
    expect(await mistake(`export default { name: 'meme', ${tasks}, ${parts} }`)).toContain('built in')
    const flags = "flags: { filler: { default: '', about: '' } }"
    expect(await mistake(`export default { name: 'mine', ${flags}, ${tasks}, ${parts} }`, '--suite', 'meme')).toContain(
      'The suites "mine" and "meme" both have an option "filler"',
    )
    expect(await mistake(`export default { name: 'mine', ${tasks}, ${parts} }`, '--suite', './suite.mjs/u')).toMatch(
      /no task of mine "u"/,
    )
    expect((await memscopeHere(['run', '--suite', './nowhere.ts'])).err).toContain('There is no file "./nowhere.ts"')
  })
})
