import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { afterEach, describe, expect, it } from 'vitest'
import { startScriptedServer } from '../bench/scripted-server.js'
import { ScriptedModel } from '../src/gateway/index.js'
import { type GenerateDataOptions, generateData, openReview, report, reviewData, run } from '../src/library.js'
import { preferences } from '../src/suites/memfail/pipeline/coexisting.js'
import { MEME, MEMFAIL, MEMORA } from '../tools/making/defects.js'
import { killAtEveryStep } from '../tools/making/killed.js'
import { cleanIn, leftIn, openModels, temporaryFolder, textsIn } from '../tools/making/measure.js'
import { PlantingModel, type Target } from '../tools/making/planter.js'
import { ownWordings } from '../tools/making/wordings.js'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const models of opened.splice(0)) await models.close()
})

async function open(target: Target, share?: number) {
  const models = await openModels(target, share)
  opened.push(models)
  return models
}

type Asked = Partial<GenerateDataOptions>

interface Made {
  datasets: Record<string, { stages: { stage: string }[]; steps: { step: string; models: string[] }[] }>
}

const SMALL: [string, Target, number, Asked][] = [
  ['memfail', MEMFAIL, 0.3, { suite: ['memfail/coexisting', 'memfail/long-hop'], target: 8 }],
  ['meme', MEME, 0.15, { target: 2 }],
  ['memora', MEMORA, 0.04, { target: 1, settings: { days: '1' } }],
]

describe('data that models make', () => {
  it.each(SMALL)(
    '%s: has no planted defect, comes out the same after a stop at every step, and runs',
    async (...small) => {
      const [, target, share, asked] = small
      const { make, onAsk, writer } = await open(target, share)
      const whole = temporaryFolder()
      const steps = new Set<string>()
      onAsk((step) => steps.add(step))
      await make({ ...asked, out: whole })
      const { ledger } = writer
      expect(ledger.filter(({ isSemantic }) => isSemantic).length).toBeGreaterThan(0)
      expect(ledger.filter(({ isSemantic }) => !isSemantic).length).toBeGreaterThan(1)
      expect(leftIn(whole, ledger)).toEqual([])
      expect(cleanIn(whole, writer).lost).toEqual([])

      const [home, out, { calls }] = [temporaryFolder(), temporaryFolder(), { ...writer.stats }]
      for (const step of steps) {
        const control = new AbortController()
        onAsk((one) => {
          if (one === step) control.abort()
        })
        await make({ ...asked, home, out }, control.signal).catch(() => {})
      }
      onAsk(() => {})
      const before = writer.stats.calls
      await make({ ...asked, home, out })
      expect(writer.stats.calls - before).toBeLessThan(calls)
      expect(textsIn(out)).toEqual(textsIn(whole))

      const { summary } = await run({
        suite: asked.suite ?? target.suite,
        data: out,
        system: 'bm25',
        size: 'quick',
        home,
      })
      expect(summary.status).toBe('valid')
      expect((await report({ run: 'last', home })).summary.cells).toEqual(summary.cells)
    },
  )

  it('comes out the same after SIGKILL', async () => {
    const { kills, differ } = await killAtEveryStep({ ...MEMFAIL, suite: 'memfail/coexisting' }, ['--target', '4'], 0.3)
    expect(kills).toEqual(['coexisting', 'audit', 'guess'])
    expect(differ).toEqual([])
  })

  it('goes on where it was ended while it wrote, and asks nothing where its folder is full or missing', async () => {
    const { make, writer } = await open(MEMFAIL)
    const asked = { suite: 'memfail/coexisting', target: 4, home: temporaryFolder() }
    const out = temporaryFolder()
    await make({ ...asked, out })
    const whole = textsIn(out)
    const { calls } = writer.stats
    await expect(make({ ...asked, out, seed: 7 })).rejects.toThrow(/holds generated data already/)
    await expect(generateData({ ...asked, generator: 'writer:plants' })).rejects.toThrow(/Where shall the files go/)
    expect(writer.stats.calls).toBe(calls)
    const config = join(out, 'generation_config.json')
    rmSync(config)
    await make({ ...asked, out })
    expect(textsIn(out)).toEqual(whole)
    expect(writer.stats.calls).toBe(calls)
    // What is somebody else's stays.
    rmSync(config)
    writeFileSync(join(out, 'coexisting.jsonl'), 'mine\n')
    await expect(make({ ...asked, out })).rejects.toThrow(/coexisting\.jsonl is there already/)
    expect(readFileSync(join(out, 'coexisting.jsonl'), 'utf8')).toBe('mine\n')
  })

  it('comes out the same from a cassette', async () => {
    const { make, writer } = await open(MEMFAIL, 0.3)
    const asked = { suite: 'memfail/coexisting', target: 4 }
    const [cassette, first, second] = [join(temporaryFolder(), 'calls.jsonl'), temporaryFolder(), temporaryFolder()]
    await make({ ...asked, out: first, record: cassette })
    const { calls } = writer.stats
    await make({ ...asked, out: second, replay: cassette })
    expect(writer.stats.calls).toBe(calls)
    expect(textsIn(second)).toEqual(textsIn(first))
  })

  it.each([
    [
      'memfail',
      MEMFAIL,
      { suite: 'memfail/long-hop', target: 6 },
      ['long-hop', 'long-hop-conflicts', 'long-hop-distractors'],
    ],
    [
      'memfail',
      MEMFAIL,
      { suite: 'memfail/conditional', target: 2 },
      ['conditional', 'conditional-easy', 'conditional-hard'],
    ],
    ['memfail', MEMFAIL, { suite: ['memfail/coexisting', 'memfail/persona'], target: 2 }, ['coexisting', 'persona']],
    ['meme', MEME, { target: 2 }, ['third-person', 'assistant', 'user', 'annotate', 'session-audit']],
    ['memora', MEMORA, { target: 1, settings: { days: '1' } }, ['user', 'assistant', 'coherence', 'grounding']],
  ] as [string, Target, Asked, string[]][])(
    '%s: asks by the rules of the paper for what the paper does, and no more: %#',
    async (_, target, asked, known) => {
      const { make, onAsk } = await open(target)
      const steps = new Set<string>()
      onAsk((step) => steps.add(step))
      const out = temporaryFolder()
      await make({ ...asked, rules: 'paper', out })
      expect([...steps].sort()).toEqual([...known].sort())
      const config = JSON.parse(textsIn(out).get('generation_config.json')!) as Made
      expect(config).toMatchObject({ rules: 'paper', guesser: null })
      const stages = Object.values(config.datasets).flatMap(({ stages }) => stages.map(({ stage }) => stage))
      for (const ours of ['entailed', 'audited', 'not guessed', 'questions']) expect(stages).not.toContain(ours)
    },
  )

  it('asks three times more for what is wrong, though it be wrong in the same way each time', async () => {
    let calls = 0
    const stubborn = new ScriptedModel({
      rules: [],
      otherwise: ({ request }) => {
        const { rows } = JSON.parse(request.messages.at(-1)!.content) as Parameters<typeof preferences.rehearse>[0]
        return { json: ++calls < 4 ? { rows: [] } : preferences.rehearse({ rows }) }
      },
    })
    const server = await startScriptedServer(stubborn)
    opened.push(server)
    process.env.MEMSCOPE_WRITER_BASE_URL = server.url
    const [home, out] = [temporaryFolder(), temporaryFolder()]
    const asked = { suite: 'memfail/coexisting', generator: 'writer:slow', target: 1, rules: 'paper', home }
    await generateData({ ...asked, out })
    expect(calls).toBe(4)
    expect(textsIn(out).get('coexisting.jsonl')).toContain('"id":"mod-coex-000001"')
    // Begun again, it goes through what was kept.
    await generateData({ ...asked, out: temporaryFolder() })
    expect(calls).toBe(4)
  })

  it('goes to the models that the paper took, by the ordinary way', async () => {
    const writer = new PlantingModel(MEMFAIL, 0, ownWordings(), () => {})
    const server = await startScriptedServer(writer)
    opened.push(server)
    const before = { ...process.env }
    Object.assign(process.env, { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' })
    try {
      const out = temporaryFolder()
      const asked = { suite: 'memfail/coexisting', generator: 'paper', target: 2, rules: 'paper' as const }
      await generateData({ ...asked, home: temporaryFolder(), out })
      expect(writer.stats.calls).toBeGreaterThan(0)
      const { datasets } = JSON.parse(textsIn(out).get('generation_config.json')!) as Made
      expect(datasets.coexisting!.steps).toMatchObject([{ step: 'coexisting', models: ['openai:gpt-4.1-mini'] }])
    } finally {
      process.env = before
    }
  })

  it.each(SMALL)('%s: takes of a clean model what was estimated', async (_, target, __, asked) => {
    const { make, writer, reader } = await open(target)
    // A seed with which the reader finds nothing to refuse: what is asked again is no part of the estimate.
    const clean = { ...asked, seed: 3 }
    const { told } = await make({ ...clean, estimate: true })
    expect(writer.stats.calls + reader.stats.calls).toBe(0)
    const said = [...told[0]!.matchAll(/[\d,]+(?= (?:calls|tokens|out))/g)].map(([n]) => Number(n.replaceAll(',', '')))
    await make(clean)
    const [calls, input, output] = (['calls', 'input', 'output'] as const).map((of) =>
      [writer, reader].reduce((sum, { stats }) => sum + (of === 'calls' ? stats.calls : stats.billed[of]), 0),
    ) as [number, number, number]
    for (const [at, real] of [calls, input, output].entries())
      expect(Math.abs(said[at]! - real) / real).toBeLessThan(0.1)
  })
})

describe('people who look generated data over', () => {
  const asked = { generator: 'rehearsal:demo', suite: 'memfail/coexisting', target: 6 }

  /** Fills in the tables of both, who reject what they are told to. */
  function judge(folder: string, rejected: readonly [string[], string[]]) {
    for (const [at, name] of ['a', 'b'].entries()) {
      const file = join(folder, `review-${name}.csv`)
      const table = parse(readFileSync(file, 'utf8'), { columns: true }) as { id: string; verdict: string }[]
      for (const row of table) row.verdict = rejected[at]!.includes(row.id) ? 'reject' : 'keep'
      writeFileSync(file, stringify(table, { header: true }))
    }
  }

  it('do not see what the other or a rule found; what they reject is made anew, and does not come back', async () => {
    const [first, second, third] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    const home = temporaryFolder()
    await generateData({ ...asked, home, out: first })
    const idsIn = (folder: string) =>
      textsIn(folder)
        .get('coexisting.jsonl')!
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id)
    const ids = idsIn(first)
    const review = temporaryFolder()
    await reviewData({ data: first, sample: 'all', out: review })
    const tables = textsIn(review)
    expect(tables.get('review-a.csv')).not.toBe(tables.get('review-b.csv'))
    expect(tables.get('review-a.csv')!.split('\n')[0]).toBe('id,text,claim,verdict,note')
    judge(review, [[ids[0]!], [ids[0]!, ids[3]!]])
    const found = await reviewData({ data: first, out: review })
    expect(found).toMatchObject({ n: 6, agreed: 5, rejected: [ids[0], ids[3]] })
    expect((found as { kappa: number }).kappa).toBeCloseTo(0.571, 2)
    const { rejected } = { rejected: join(review, 'rejected.json') }
    await generateData({ ...asked, home, out: second, rejected })
    expect(idsIn(second)).toHaveLength(6)
    expect(ids.filter((id) => !idsIn(second).includes(id))).toEqual([ids[0], ids[3]])
    const again = temporaryFolder()
    await reviewData({ data: second, sample: 'all', out: again })
    judge(again, [[ids[1]!], []])
    await reviewData({ data: second, out: again })
    await generateData({ ...asked, home, out: third, rejected: join(again, 'rejected.json') })
    expect(idsIn(third)).toHaveLength(6)
    expect(ids.filter((id) => !idsIn(third).includes(id))).toEqual([ids[0], ids[1], ids[3]])
  })

  it('decide in a browser as well as in the table, and lose nothing by it', async () => {
    const [rows, review] = [temporaryFolder(), temporaryFolder()]
    await generateData({ ...asked, home: temporaryFolder(), out: rows })
    const at = { data: rows, sample: 'all', out: review }
    const viewer = await openReview({ ...at, reviewer: 'a', port: 0 })
    opened.push(viewer)
    expect(viewer.url).toMatch(/#\/rows$/)
    const { origin, search } = new URL(viewer.url)
    const api = (what: string) => `${origin}/api/${what}${search}`
    type Shown = { file: string; rows: { id: string; verdict: string; note: string }[] }
    const shown = async () => (await (await fetch(api('table'))).json()) as Shown
    const decide = (given: object) =>
      fetch(api('decide'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      })
    const before = await shown()
    expect(before.file).toBe(join(review, 'review-a.csv'))
    expect(Object.keys(before.rows[0]!)).toEqual(['id', 'text', 'claim', 'verdict', 'note'])
    const ids = before.rows.map(({ id }) => id)
    expect(ids).toHaveLength(6)
    // All at once, and a note apart from the verdict.
    await Promise.all([
      ...ids.map((id, i) => decide({ id, verdict: i === 2 ? 'reject' : 'keep' })),
      decide({ id: ids[2], note: 'odd' }),
    ])
    expect((await shown()).rows.map(({ verdict }) => verdict)).toEqual(ids.map((_, i) => (i === 2 ? 'reject' : 'keep')))
    expect((await shown()).rows[2]).toMatchObject({ verdict: 'reject', note: 'odd' })
    expect((await decide({ id: ids[0], verdict: 'perhaps' })).status).toBe(400)
    expect((await decide({ id: 'nobody', verdict: 'keep' })).status).toBe(400)
    await expect(reviewData(at)).rejects.toThrow(/review-b\.csv: row ".+" has no verdict yet/)
    judge(review, [[ids[2]!], []])
    expect(await reviewData(at)).toMatchObject({ n: 6, agreed: 5, rejected: [ids[2]] })
    rmSync(join(review, 'review-b.csv'))
    await expect(reviewData(at)).rejects.toThrow(/review-b\.csv is gone/)
    expect((await shown()).rows[2]).toMatchObject({ verdict: 'reject', note: 'odd' })
    await expect(openReview({ ...at, reviewer: 'c' })).rejects.toThrow(/reviewer "c"/)
  })

  it('reject all of a persona with one of its sessions', async () => {
    const life = { generator: 'rehearsal:demo', suite: 'memora', target: 1, settings: { days: '1' } }
    const [first, second, review] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    await generateData({ ...life, home: temporaryFolder(), out: first })
    const { rows } = (await reviewData({ data: first, out: review })) as { rows: number }
    expect(rows).toBeGreaterThan(2)
    const table = parse(readFileSync(join(review, 'review-a.csv'), 'utf8'), { columns: true }) as { id: string }[]
    judge(review, [[table[0]!.id], []])
    const { rejected } = (await reviewData({ data: first, out: review })) as { rejected: string[] }
    expect(rejected.length).toBeGreaterThan(rows)
    await generateData({ ...life, home: temporaryFolder(), out: second, rejected: join(review, 'rejected.json') })
    const head = textsIn(second).get('academic_researcher.life.jsonl')!.split('\n')[0]!
    expect(JSON.parse(head)).toMatchObject({ seed: 43 })
  })
})
