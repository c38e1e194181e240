import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { memscopeHere, temporaryFolder } from './cli.js'
import { finishedTour } from './tour.js'

const cwd = temporaryFolder()
const show = (args: string[], columns = '80') => memscopeHere(['show', ...args], { cwd, env: { COLUMNS: columns } })

beforeAll(async () => {
  const flags = ['--suite', 'memfail/long-hop,meme/cascade', '--system', 'bm25,bm25-hops,oracle', '--size', 'quick']
  await memscopeHere(['run', ...flags, '--quiet'], { cwd })
})

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => [...line].length))
}

describe('the tour on a terminal of 80 × 40', () => {
  it('fits, with all that is said around it, and 60 columns and --verbose do too', async () => {
    const { code, out, err, cwd: tour } = await finishedTour()
    expect(code).toBe(0)
    // Progress is one line on a terminal, which is gone at the end.
    const said = err.split('\n').filter((line) => line !== '' && !/^ *\d+ % /.test(line))
    expect(out.trimEnd().split('\n').length + said.length).toBeLessThanOrEqual(40)
    expect(widest(out)).toBeLessThanOrEqual(80)
    expect(out).not.toContain('\u001b')
    const page = statSync(fileURLToPath(/^Report: (file:\S+)$/m.exec(err)![1]!)).size
    expect(page).toBeGreaterThan(500_000)
    expect(page).toBeLessThanOrEqual(900_000)
    for (const part of [
      'memfail, k = 5',
      'meme, k = 5',
      'memora, k = 50',
      'long-hop',
      'oracle',
      'Facts die at',
      'For example',
    ])
      expect(out).toContain(part)
    const next = /Next: memscope (.*)$/m.exec(out)![1]!.split(' ')
    const followed = await memscopeHere(next, { cwd: tour })
    expect([followed.code, followed.out]).toEqual([0, expect.stringMatching(/^\d+ failed questions/)])
    const narrow = await memscopeHere(['show', 'last'], { cwd: tour, env: { COLUMNS: '60' } })
    expect(widest(narrow.out)).toBeLessThanOrEqual(60)
    expect(narrow.out).toContain('hybrid')
    const tables = await memscopeHere(['report', 'last', '--verbose'], { cwd: tour })
    expect(tables.out.match(/^evidence % /gm)).toHaveLength(20)
  })
})

describe('memscope show', () => {
  it('shows a kept run as it was shown when it was made', async () => {
    const again = await show(['last'])
    expect(again.code).toBe(0)
    expect(again.out).toBe((await memscopeHere(['report', 'last'], { cwd, env: { COLUMNS: '80' } })).out)
  })

  it('shows the table of a task by its name, alone or with its suite', async () => {
    const { out } = await show(['last', 'cascade'])
    expect(out).toMatch(/meme\/cascade stages at k = 5/)
    expect(out).not.toContain('long-hop')
    expect((await show(['last', 'meme/cascade'])).out).toBe(out)
  })

  it.each(['60', '80'])('shows failed questions with the way of every fact, within %s columns', async (columns) => {
    const { out } = await show(['last', 'cascade', '--failed', '--system', 'bm25', '--n', '1'], columns)
    expect(widest(out)).toBeLessThanOrEqual(Number(columns))
    expect(out).toMatch(/^\d+ failed questions, 1 of them below/)
    expect(out.replace(/\s+/g, ' ')).toMatch(/said ✓ → stored ✓ → faithful ✓ → (?:not )?retrieved/)
    expect(out).toMatch(/follows: .*\n +not said · → not drawn ·/)
    expect(out).toMatch(/found instead, of \d+:\n +\d+\. /)
    expect(out.replace(/\\?\s+/g, ' ')).toContain('memscope show last cascade --failed --system bm25 --n 4')
  })

  it('says what it does not know, and what there is', async () => {
    const [task, system, n] = [
      await show(['last', 'x']),
      await show(['last', '--system', 'y']),
      await show(['last', '--n', '3']),
    ]
    expect([task.code, task.err]).toEqual([2, expect.stringMatching(/no task "x"[\s\S]*memfail\/long-hop/)])
    expect([system.code, system.err]).toEqual([2, expect.stringMatching(/no system "y"[\s\S]*bm25-hops/)])
    expect([n.code, n.err]).toEqual([2, expect.stringContaining('--failed')])
  })
})
