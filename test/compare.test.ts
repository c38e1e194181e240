import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SystemComparison, TaskComparison } from '../src/analysis/compare-runs.js'
import { memscope, memscopeHere, temporaryFolder } from './cli.js'

const cwd = temporaryFolder()
const QUICK = ['run', '--suite', 'memfail/long-hop,memfail/persona', '--size', 'quick', '--k', '1,5', '--quiet']
const here = (...args: string[]) => memscopeHere(args, { cwd })

/** What a comparison says as JSON. */
async function compared(...args: string[]): Promise<SystemComparison[]> {
  const { code, out, err } = await here('compare', ...args, '--json', '-', '--quiet')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out).comparisons
}

const taskOf = ({ tasks }: SystemComparison, name: string): TaskComparison => tasks.find(({ task }) => task === name)!

let first = ''
beforeAll(async () => {
  await here(...QUICK, '--system', 'bm25,bm25-hops,full-context')
  first = JSON.parse((await here('report', 'last', '--json', '-', '--quiet')).out).run.id
})

describe('memscope compare', () => {
  it('tells two systems of a run apart, question by question, and at which stage each changed', async () => {
    const [found] = await compared('last', '--systems', 'bm25,bm25-hops')
    const hop = taskOf(found!, 'long-hop')
    expect(hop).toMatchObject({
      verdict: 'better',
      measure: 'evidence',
      depths: [{ k: 5 }, { k: 5 }],
      n: 24,
      unit: 'row',
    })
    expect(hop.flips.length).toBe(hop.changed)
    const gained = hop.flips.filter(({ change }) => change === 'gained').length
    expect(hop.difference).toBeCloseTo(gained / 24, 9)
    expect(hop.flips[0]).toMatchObject({ change: 'gained', from: 'not_retrieved', to: 'answerable', a: 0, b: 1 })
    // The exact test of McNemar, with all changed in one direction.
    expect(hop.p).toBeCloseTo(2 * 0.5 ** gained, 12)
    expect(hop.corrected).toBeCloseTo(2 * hop.p, 12)
    expect(hop.spent.b!.context).toBeGreaterThan(hop.spent.a!.context)
    expect(taskOf(found!, 'persona')).toMatchObject({ verdict: 'equal', changed: 0, flips: [] })
  })

  it('says the same with the systems the other way round, turned', async () => {
    const [there] = await compared('last', '--systems', 'bm25,bm25-hops')
    const [back] = await compared('last', '--systems', 'bm25-hops,bm25')
    const [a, b] = [taskOf(there!, 'long-hop'), taskOf(back!, 'long-hop')]
    expect([b.verdict, b.difference, b.p]).toEqual(['worse', expect.closeTo(-a.difference, 9), a.p])
    expect(b.flips.map(({ question }) => question)).toEqual(a.flips.map(({ question }) => question))
    expect(new Set(b.flips.map(({ change }) => change))).toEqual(new Set(['lost']))
  })

  it('shows a table, a verdict in words and the flips, no line wider than 100 columns', async () => {
    const { code, out } = await here('compare', 'last', '--systems', 'bm25,bm25-hops')
    expect(code).toBe(0)
    expect(out).toMatch(/^bm25 → bm25-hops {2}in \d{8}-/)
    expect(out).toMatch(/memfail\/long-hop +17 → 58 +\+42 +\+15 to \+62 +better/)
    expect(out).toMatch(/memfail\/persona .* equal$/m)
    expect(out).toMatch(/\+ +10 {2}not retrieved → answerable/)
    expect(out).toMatch(/long-hop\/hop-\S+: not retrieved → answerable: \w/)
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    const { out: md } = await here('compare', 'last', '--systems', 'bm25,bm25-hops', '--md', '-', '--quiet')
    expect(md).toMatch(/\| memfail\/long-hop \| better \| 17 \| 58 \| \+42 \| \+15 to \+62 \|/)
    expect(md).toMatch(/\| gained \| long-hop\/hop-\S+ \| not retrieved \| answerable \|/)
  })

  it('writes a page without a script, on which every text is only text', async () => {
    const file = join(cwd, 'hostile.json')
    await here('report', 'last', '--save-baseline', file, '--quiet')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    const hostile = `<script>alert(1)</script>\u202e\u001b[31m${'x'.repeat(1_000_000)}`
    // The same questions, so that they are paired, all of them lost.
    const results = kept.results.map((one: object) => ({ ...one, evidence: 0, outcome: 'not_stored' }))
    const questions = kept.questions.map((one: object, at: number) => (at % 20 === 0 ? { ...one, text: hostile } : one))
    writeFileSync(file, JSON.stringify({ ...kept, questions, results }))
    const { code, out } = await here('compare', file, 'last', '--html', 'compare.html', '--md', 'compare.md')
    expect(code).toBe(0)
    const page = readFileSync(join(cwd, 'compare.html'), 'utf8')
    expect(page).toContain('not stored → answerable')
    expect(page).toContain('&lt;script&gt;')
    expect(page.length).toBeLessThan(300_000)
    const md = readFileSync(join(cwd, 'compare.md'), 'utf8')
    for (const text of [page, md]) expect(text).not.toContain('<script')
    for (const text of [page, md, out]) expect(text).not.toContain('\u001b[31m')
    expect(out).not.toMatch(/\u202e/)
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('compares a system of fixed depth with the others at theirs, and at the depth that is named', async () => {
    const [found] = await compared('last', '--systems', 'bm25,full-context', '--k', '1')
    expect(taskOf(found!, 'long-hop').depths).toEqual([{ k: 1 }, 'all'])
    const [none] = await compared('last', '--systems', 'bm25,bm25-hops', '--k', '7')
    expect([none!.tasks, none!.leftOut[0]]).toEqual([[], expect.stringMatching(/was not asked at 7/)])
  })

  it('compares runs by their systems, over the questions they have in common, and counts the others', async () => {
    await here(...QUICK, '--system', 'bm25,bm25:unit=sentence', '--limit', '20')
    const { out } = await here('compare', first, 'last', '--json', '-', '--quiet')
    const { comparisons, alone } = JSON.parse(out)
    expect(comparisons.map(({ a, b }: SystemComparison) => [a.system, b.system])).toEqual([['bm25', 'bm25']])
    expect(taskOf(comparisons[0], 'long-hop')).toMatchObject({ n: 20, unpaired: { a: 4, b: 0 }, verdict: 'equal' })
    expect(alone).toEqual([
      expect.stringMatching(/^bm25-hops is only in/),
      expect.stringMatching(/^full-context is only in/),
      expect.stringMatching(/^bm25:unit=sentence is only in/),
    ])
    const [named] = await compared(first, 'last', '--systems', 'bm25,bm25:unit=sentence')
    expect(taskOf(named!, 'persona')).toMatchObject({ verdict: 'undecided', by: 'cluster' })
    expect(taskOf(named!, 'persona').needed!.questions).toBeGreaterThan(taskOf(named!, 'persona').n)
    expect(taskOf(named!, 'persona').clusters).toBeLessThan(taskOf(named!, 'persona').n)
  })

  it('refuses unequal settings with what differs, and allows them by name', async () => {
    await here(
      'run',
      '--suite',
      'memfail/long-hop',
      '--size',
      '30',
      '--seed',
      '7',
      '--k',
      '5',
      '--system',
      'bm25',
      '--quiet',
    )
    const { code, err } = await here('compare', first, 'last')
    expect(code).toBe(2)
    expect(err).toMatch(/size: quick, and 30/)
    expect(err).toMatch(/seed: 42, and 7/)
    const [, flag] = /(--despite \S+)/.exec(err)!
    const [found] = await compared(first, 'last', ...flag!.split(' '))
    expect(found!.tasks.length).toBe(1)
    expect((await here('compare', first, 'last', '--despite', 'weather')).err).toMatch(/no part of a setting "weather"/)
  })

  it('writes equal bytes for equal runs, but for their names and what was timed', async () => {
    const bytes = async () => {
      const found = await compared(first, '--systems', 'bm25,bm25-hops')
      return JSON.stringify(found, (key, value) => (/Ms$/.test(key) ? undefined : value))
    }
    expect(await bytes()).toBe(await bytes())
  })

  it.each([
    [[], /What is to be compared\?/],
    [['last'], /One run has to be compared with another/],
    [['last', '--systems', 'bm25,nobody'], /no system in \S+ "nobody"/],
    [['last', 'nowhere'], /There is no run "nowhere"/],
    [['last', './nowhere.json'], /There is no .*nowhere\.json/],
    [['last', 'last', '--systems', 'bm25'], /2 runs and 1 systems/],
    [['last', 'last', '--k', '5', '--token-budget', '500'], /exclude each other/],
  ])('is told what is wrong in %j', async (args, words) => {
    const { code, err } = await here('compare', ...args)
    expect([code, err]).toEqual([2, expect.stringMatching(words)])
  })
})

describe('a baseline', () => {
  const against = (system: string, ...flags: string[]) => here(...QUICK, '--system', system, ...flags)

  beforeAll(async () => {
    const { code } = await here('report', first, '--save-baseline', 'main', '--quiet')
    expect(code).toBe(0)
  })

  it('holds where nothing is lost', async () => {
    const { code, err } = await against('bm25,bm25-hops', '--baseline', 'main')
    expect([code, err]).toEqual([0, expect.stringMatching(/^Baseline held: 4 tasks against/)])
  })

  it('fails a run that is worse by test, and says where, in JUnit too', async () => {
    const memory = join(cwd, 'mine.mjs')
    // The baseline of bm25-hops, as if a memory of one's own had been as good, and a version that forgets every other conversation.
    const saved = join(cwd, 'whole.json')
    await here('report', first, '--save-baseline', saved, '--quiet')
    writeFileSync(saved, readFileSync(saved, 'utf8').replaceAll('bm25-hops', 'mine'))
    writeFileSync(
      memory,
      `export default { name: 'mine', version: '2', about: 'forgets', class: 'raw', create: () => {
        const held = []; let n = 0
        return { async store(c) { if (n++ % 2) held.push(...c.turns.map((t, i) => ({ id: c.id + i, text: t.text }))) },
          async retrieve(q, k) { const words = new Set(q.text.toLowerCase().split(/\\W+/))
            const score = (m) => m.text.toLowerCase().split(/\\W+/).filter((w) => words.has(w)).length
            return held.map((m) => [score(m), m]).sort((a, b) => b[0] - a[0]).slice(0, k).map(([, m]) => m) },
          async dump() { return held } } } }`,
    )
    const { code, err } = await against(memory, '--baseline', saved, '--junit', 'lost.xml')
    expect([code, err]).toEqual([1, expect.stringMatching(/Baseline failed: 2 of 2 tasks/)])
    expect(err).toMatch(/memfail\/persona:mine@5: worse: evidence 100 → \d+/)
    expect(readFileSync(join(cwd, 'lost.xml'), 'utf8')).toMatch(
      /<testsuite name="baseline" tests="2" failures="2"[\s\S]*<failure type="lost" message="memfail\/persona:mine@5: worse/,
    )
    const lenient = await here('report', 'last', '--baseline', `${saved}:max-loss=100`, '--quiet')
    expect(lenient.code).toBe(1)
  })

  it('fails on a loss that may be chance once it is larger than allowed, and tells what it cannot tell', async () => {
    await here('run', '--suite', 'memfail/long-hop', '--size', 'quick', '--k', '5', '--system', 'bm25,dense', '--quiet')
    const file = join(cwd, 'saved.json')
    await here('report', 'last', '--save-baseline', file, '--quiet')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    const own = kept.results.filter(({ contestant }: { contestant: number }) => contestant === 0)
    const better = (n: number) => {
      const failed = own.filter(({ evidence }: { evidence: number }) => evidence === 0).slice(0, n)
      return {
        ...kept,
        results: kept.results.map((one: object) => (failed.includes(one) ? { ...one, evidence: 1 } : one)),
      }
    }
    const held = (options = '') => here('report', 'last', '--quiet', '--baseline', `${file}${options}`)
    expect((await held()).code).toBe(0)
    writeFileSync(file, JSON.stringify(better(1)))
    const one = await held()
    expect([one.code, one.err]).toEqual([
      0,
      expect.stringMatching(/cannot tell in 1\n[\s\S]*cannot tell: needs about \d+ questions/),
    ])
    expect((await held(':undecided=fail')).code).toBe(1)
    expect((await held(':max-loss=3')).code).toBe(1)
    writeFileSync(file, JSON.stringify(better(2)))
    const two = await held()
    expect([two.code, two.err]).toEqual([1, expect.stringMatching(/lost more than 5 points, which may be chance/)])
    expect((await held(':max-loss=10')).code).toBe(0)
  })

  it('of another version of the tool or another judge is refused, unless that is named', async () => {
    const file = join(cwd, 'older.json')
    await here('report', first, '--save-baseline', file, '--quiet')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    const setting = { ...kept.setting, harness: '0.0.9', 'fact judge': 'lexical@old' }
    writeFileSync(file, JSON.stringify({ ...kept, setting }))
    const refused = await here('report', first, '--baseline', file, '--quiet')
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringMatching(/:despite=judge\+harness|:despite=harness\+judge/),
    ])
    expect((await here('report', first, '--baseline', `${file}:despite=harness`, '--quiet')).code).toBe(2)
    expect((await here('report', first, '--baseline', `${file}:despite=harness+judge`, '--quiet')).code).toBe(0)
  })

  it('that is missing, broken or meant for nothing is told before anything is run', async () => {
    const fresh = temporaryFolder()
    const missing = await memscope([...QUICK, '--system', 'bm25', '--baseline', 'main'], { cwd: fresh })
    expect([missing.code, missing.err]).toEqual([2, expect.stringMatching(/no run or baseline "main"/)])
    expect(existsSync(join(fresh, '.memscope'))).toBe(false)
    writeFileSync(join(cwd, 'broken.json'), '{"baseline":1,"run":"x"}')
    expect((await against('bm25', '--baseline', 'broken.json')).err).toMatch(/broken\.json is no baseline: status/)
    expect((await here('report', first, '--baseline', first)).err).toMatch(/would be its own baseline/)
    expect((await against('bm25', '--max-loss', '3')).err).toMatch(/It is now: --baseline <run>:max-loss=<points>/)
    expect((await against('bm25', '--baseline', 'main:max-loss=many')).err).toMatch(/points from 0 to 100/)
    expect((await against('bm25', '--baseline', 'main:undecided=maybe')).err).toMatch(/pass or fail/)
    expect((await here('report', 'last', '--save-baseline', 'a b')).err).toMatch(/is no name for a baseline/)
  })

  it('is told in the summary of a job, with the matrix and what changed; a badge has one number', async () => {
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
    writeFileSync(env.GITHUB_STEP_SUMMARY, 'before\n')
    const { code } = await memscope(
      ['report', first, '--baseline', 'main:despite=harness', '--badge', 'badge.svg', '--quiet'],
      { cwd, env },
    )
    expect(code).toBeLessThan(2)
    const summary = readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')
    expect(summary).toMatch(/^before\n\*\*valid run\*\*/)
    expect(summary).toMatch(/\*\*Baseline (held|failed)/)
    expect(summary).toMatch(/\| memfail\/long-hop, k = 5 \| 24 \|/)
    expect(readFileSync(join(cwd, 'badge.svg'), 'utf8')).toMatch(/^<svg [^>]*aria-label="memory: \S+ \d+ % evidence">/)
    await here('report', first, '--badge', 'badge.json', '--quiet')
    expect(JSON.parse(readFileSync(join(cwd, 'badge.json'), 'utf8'))).toMatchObject({
      schemaVersion: 1,
      label: 'memory',
    })
  })

  it('"last" is the run before this one', async () => {
    await against('bm25')
    const { code, err } = await against('bm25', '--baseline', 'last')
    expect([code, err]).toEqual([0, expect.stringMatching(/Baseline held: 2 tasks/)])
  })
})
