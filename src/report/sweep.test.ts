import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { fixture } from '../../bench/report/fixture.js'
import { sweepFixture } from '../../test/report/fixture-sweep.js'
import { readTags } from '../../test/report/tags.js'
import { textSink } from '../../test/report/text-sink.js'
import { mapJudgePair, systemName } from '../model/index.js'
import { dollars } from './cost-lines.js'
import { writeCsv } from './csv.js'
import { shortNames } from './format.js'
import { writeHtml } from './html.js'
import { renderMarkdown } from './markdown.js'
import { sweepPanels } from './sweep.js'
import { sweepOf, taskViews } from './task-view.js'
import { renderTables } from './terminal.js'
import { spreadsOf } from './trials.js'

async function page(data: Parameters<typeof writeHtml>[0]): Promise<string> {
  const sink = textSink()
  await writeHtml(data, sink.write)
  return sink.text()
}

describe('a sweep over models and readers', () => {
  const data = sweepFixture()

  it('compares models on evidence once, and answers by model and by reader', () => {
    const panels = sweepPanels(taskViews(data), sweepOf(data.summary.cells))
    const evidence = panels.filter(({ measure }) => measure === 'evidence')
    expect(evidence.map(({ title }) => title)).toEqual(['extract', 'notes'])
    expect(evidence[0]!.variants.map(({ name }) => name)).toEqual(sweepOf(data.summary.cells).models)
    expect(evidence[0]!.variants.every(({ points }) => points.length === data.tasks.length)).toBe(true)
    expect(panels.map(({ title }) => title)).toContain('bm25')
    expect(panels.map(({ title }) => title)).toContain('notes · gpt-5')
  })

  it('is drawn with a title, a description and a table for every chart', async () => {
    const tags = readTags(await page(data))
    const ids = tags.flatMap(({ attributes }) => attributes.id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(['sweep', 'costs', 'panel', 'sweep-0-t', 'sweep-0-d']))
  })

  it('has columns for model and reader in every text format', async () => {
    expect(renderTables(data, { width: 120, color: false })).toMatch(/evidence % +model +reader +k=1/)
    expect(renderMarkdown(data)).toContain('| system | model | reader | k=1 |')
    const sink = textSink()
    await writeCsv(data.summary, sink.write)
    const rows: Record<string, string>[] = parse(sink.text(), { columns: true })
    expect(new Set(rows.filter((row) => row.system === 'notes').map((row) => row.model))).toHaveLength(3)
    expect(rows.find((row) => row.system === 'notes')!.ingest_tokens).toBe('41000')
  })

  it.each([60, 80, 100, 120])('fits %i columns of a terminal', (width) => {
    const lines = renderTables(data, { width, color: false }).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
  })

  it('keeps Markdown tables rectangular', () => {
    for (const block of renderMarkdown(data)
      .split('\n\n')
      .filter((text) => text.startsWith('|'))) {
      expect(
        new Set(
          block
            .trim()
            .split('\n')
            .map((line) => line.split('|').length),
        ).size,
      ).toBe(1)
    }
  })

  it('leaves nothing of itself in a run of one model and one reader', async () => {
    const plain = fixture({ questions: 20, reader: true })
    const text = await page(plain)
    for (const id of ['sweep', 'costs', 'panel']) expect(text).not.toContain(`id="${id}"`)
    expect(renderMarkdown(plain)).not.toMatch(/^\| system \| (model|reader) \|/m)
  })

  it('counts evidence once where several readers read one memory', async () => {
    const readers = sweepFixture({ models: ['openai:gpt-5'] })
    expect(sweepOf(readers.summary.cells).models).toEqual([])
    const chart = (await page(readers)).match(
      /<title[^>]*>memfail\/persona: evidence against k<\/title>.*?<\/svg>/s,
    )![0]
    expect(chart.match(/class="name s\d"/g)).toHaveLength(6)
  })
})

describe('costs', () => {
  it('say that a price is not known instead of leaving it out', () => {
    const text = renderMarkdown(sweepFixture())
    expect(text).toMatch(
      /\| bm25 · read by gemini-3-flash \| \d+ \| 0 \| 0 \| 440 \(unknown\) \| 130 \(\$0\.000052\) \| 570 \(unknown\)/,
    )
    expect([0, 0.000123, 0.5, 12.5, null].map(dollars)).toEqual(['$0', '$0.00012', '$0.50', '$12.50', 'unknown'])
  })
})

describe('repairs', () => {
  it('are told beside the costs of which they are no part, and nowhere when there were none', async () => {
    const data = sweepFixture()
    const timing = { ...data.summary.timing, repairTokens: 12_345, repairCost: 0.25 }
    const repaired = { ...data, summary: { ...data.summary, timing } }
    for (const text of [renderMarkdown(repaired), await page(repaired)])
      expect(text.replaceAll('\\', '')).toContain('took 12.3k tokens ($0.25) besides')
    for (const text of [renderMarkdown(data), await page(data)]) expect(text).not.toContain('besides')
  })
})

describe('short names', () => {
  it('drop the provider only where the rest tells names apart', () => {
    expect([...shortNames(['a:x', 'b:y']).values()]).toEqual(['x', 'y'])
    expect([...shortNames(['a:x', 'b:x']).values()]).toEqual(['a:x', 'b:x'])
    expect([...shortNames(['scripted:/tmp/a.json', 'scripted:/tmp/b.json']).values()]).toEqual(['a.json', 'b.json'])
  })
})

describe('a panel of judges', () => {
  it('is told in a sentence with the kappa of its pairs', () => {
    expect(renderTables(sweepFixture(), { color: false })).toMatch(
      /Panel: all judges agree on \d+ % of 400 facts; kappa of pairs 0\.\d\d to 0\.\d\d\./,
    )
    expect(renderMarkdown(sweepFixture())).toContain('## How the judges agree')
  })
})

describe('trials', () => {
  it('of answers are one reader, whose parts of variance are told apart', async () => {
    const data = sweepFixture({ models: ['openai:gpt-5'], readers: ['openai:a', 'openai:a#2'] })
    expect(sweepOf(data.summary.cells)).toEqual({ models: [], readers: [] })
    const persona = taskViews(data).find(({ name }) => name === 'persona')!
    expect(persona.rows.map(({ label }) => label)).toContain('bm25')
    const found = spreadsOf(data).find(
      ({ task, row, measure }) => task.name === 'persona' && systemName(row.subject) === 'bm25' && measure === 'answer',
    )!
    expect(found.parts).toMatchObject({ ingest: null, judge: null, repeats: { ingest: 1, answer: 2, judge: 2 } })
    expect(found.parts.answer).toBeGreaterThan(0)
    expect(renderTables(data, { color: false })).toMatch(/bm25\s+answer\s+\d+\.\d\s+by\s+answering\s+anew/)
    expect(await page(data)).toContain('id="trials"')
  })

  it('of the judge are told apart from storing and answering anew, in evidence too', async () => {
    const data = sweepFixture({ models: ['openai:gpt-5'], readers: ['openai:a', 'openai:a#2'] })
    const judgedAgain = data.summary.cells.map((cell) => ({
      ...cell,
      judge: mapJudgePair(cell.judge, (judge) => ({ ...judge, trial: 1 })),
      evidence: cell.evidence && { ...cell.evidence, rate: cell.evidence.rate * 0.9 },
      answer: cell.answer && { ...cell.answer, accuracy: cell.answer.accuracy * 0.8 },
    }))
    const judged = { ...data, judgedAgain }
    const found = spreadsOf(judged).filter(
      ({ task, row }) => task.name === 'persona' && systemName(row.subject) === 'bm25',
    )
    expect(found.map(({ measure, parts: { repeats } }) => [measure, repeats])).toEqual([
      ['evidence', { ingest: 1, answer: 1, judge: 2 }],
      ['answer', { ingest: 1, answer: 2, judge: 4 }],
    ])
    for (const { measure, parts } of found) {
      expect(parts.judge).toBeGreaterThan(0)
      expect([parts.ingest, parts.answer === null]).toEqual([null, measure === 'evidence'])
    }
    expect(taskViews(judged)).toEqual(taskViews(data))
    for (const text of [renderTables(judged, { color: false }), renderMarkdown(judged)])
      expect(text).toMatch(/bm25\s+answer\s+\d+\.\d\s+by\s+answering\s+anew,\s+\d+\.\d\s+by\s+judging\s+anew/)
  })

  it('of a judge of answers alone say nothing of evidence', () => {
    const data = sweepFixture({ models: ['openai:gpt-5'], readers: ['openai:a'] })
    const judgedAgain = data.summary.cells.map((cell) => ({
      ...cell,
      judge: { ...cell.judge, answers: { ...cell.judge.answers, trial: 1 } },
      answer: cell.answer && { ...cell.answer, accuracy: cell.answer.accuracy * 0.8 },
    }))
    const found = spreadsOf({ ...data, judgedAgain })
    expect(new Set(found.map(({ measure }) => measure))).toEqual(new Set(['answer']))
    expect(found[0]!.parts.repeats).toEqual({ ingest: 1, answer: 1, judge: 2 })
  })

  it('of everything move evidence as well', () => {
    const found = spreadsOf(fixture({ questions: 60, trials: 3 }))
    expect(found.every(({ measure, parts }) => measure === 'evidence' && parts.ingest !== null)).toBe(true)
    expect(found.some(({ parts }) => parts.ingest! > 0)).toBe(true)
    expect(spreadsOf(fixture({ questions: 20 }))).toEqual([])
  })
})
