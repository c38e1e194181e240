import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture } from '../../bench/report/fixture.js'
import { benchReport } from '../../bench/report/time.js'
import { readTags } from '../../test/report/tags.js'
import { textSink } from '../../test/report/text-sink.js'
import { type Cell, type Outcome, systemName } from '../model/index.js'
import { DARK, LIGHT, type Palette } from './charts/palette.js'
import { xyChart } from './charts/xy.js'
import { excerpt } from './html/excerpt.js'
import { TraceSelection } from './html/trace-selection.js'
import { type HtmlOptions, writeHtml } from './html.js'
import type { QuestionTrace, ReportData } from './report-data.js'
import { fileSink } from './sink.js'

async function page(data: ReportData, options?: HtmlOptions): Promise<string> {
  const sink = textSink()
  await writeHtml(data, sink.write, options)
  return sink.text()
}

describe('the HTML report', () => {
  it('is well-formed and lets no hostile text become markup', async () => {
    const tags = readTags(await page(fixture({ questions: 40, hostile: true, reader: true })))
    expect(tags.filter(({ name }) => ['script', 'img', 'iframe', 'link', 'object', 'form'].includes(name))).toEqual([])
    expect(tags.flatMap(({ attributes }) => Object.keys(attributes)).filter((name) => name.startsWith('on'))).toEqual(
      [],
    )
    expect(tags.filter(({ name }) => name === 'style')).toHaveLength(1)
  })

  it('needs nothing but itself: every link stays on the page, nothing is fetched', async () => {
    const text = await page(fixture({ questions: 40 }))
    const tags = readTags(text)
    expect(tags.filter(({ attributes }) => attributes.src !== undefined)).toEqual([])
    for (const { attributes } of tags) if (attributes.href !== undefined) expect(attributes.href).toMatch(/^#/)
    expect(text).not.toMatch(/https?:|@import|url\((?!#)/)
    const policy = tags.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy')
    expect(policy?.attributes.content).toContain("default-src 'none'")
  })

  it('has unique ids, and every link, label and description leads to one', async () => {
    const tags = readTags(await page(fixture({ questions: 40 })))
    const ids = tags.flatMap(({ attributes }) => attributes.id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    const wanted = tags.flatMap(({ attributes: a }) => [
      ...(a.href ? [a.href.slice(1)] : []),
      ...(a.for ? [a.for] : []),
      ...(a['aria-labelledby']?.split(' ') ?? []),
    ])
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('gives every picture a title and a description', async () => {
    const tags = readTags(await page(fixture({ questions: 40 })))
    const pictures = tags.filter(({ name, attributes }) => name === 'svg' && attributes['aria-hidden'] !== 'true')
    expect(pictures.length).toBeGreaterThan(8)
    for (const { attributes } of pictures) expect(attributes.role).toBe('img')
    expect(tags.filter(({ name }) => name === 'desc')).toHaveLength(pictures.length)
  })

  it('says on its first line whether the run can be trusted', async () => {
    const data = fixture({ questions: 40 })
    data.summary.status = 'invalid'
    data.headline = { errors: 30, questions: 1000, invalidReason: '3 % of questions could not be measured' }
    const text = await page(data)
    expect(text).toMatch(
      /<header>\s*<p class="status invalid"><b>Invalid run<\/b> · 30 errors \(3 %\) · 1,000 questions/,
    )
    expect(text).toContain('3 % of questions could not be measured')
  })

  it('has something to open for every failed question', async () => {
    const data = fixture({ questions: 20 })
    const tags = readTags(await page(data, { cap: 1000 }))
    const open = tags.filter(({ name, attributes }) => name === 'details' && attributes.class?.startsWith('q '))
    expect(open).toHaveLength(data.questions.length)
  })

  it('cuts long groups, says so, and keeps rare outcomes', async () => {
    const data = fixture({ questions: 1000 })
    const text = await page(data, { cap: 10, typed: { run: 'last' } })
    expect(text).toContain('At most 10 questions per task and system are shown')
    expect(text).toMatch(
      /Showing \d+ of (\d+); all: <code>memscope show last memfail\/\S+ --failed --system \S+ --n \1<\/code>/,
    )
    const errors = data.questions.filter((trace) => trace.byDepth.some(({ outcome }) => outcome === 'error'))
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.filter(({ id }) => text.includes(`${id}</span>`)).length).toBeGreaterThan(3)
  })

  it('counts questions that were left out because others had the same outcomes', async () => {
    const { questions, ...data } = fixture({ questions: 20 })
    const more = questions.map((trace) => ({ ...trace, more: 3 }))
    const totals = async (own: QuestionTrace[]) =>
      [...(await page({ ...data, questions: own })).matchAll(/<\/b> (\d+) questions?/g)].map(([, n]) => Number(n))
    expect(await totals(more)).toEqual((await totals(questions)).map((n) => 4 * n))
  })

  it('stands with an empty run', async () => {
    const data = fixture({ questions: 20 })
    data.summary.cells = []
    const text = await page({
      ...data,
      tasks: [],
      audit: [],
      ceilings: [],
      references: [],
      suites: [],
      breakdowns: [],
      questions: [],
    })
    readTags(text)
    expect(text).toContain('No question failed.')
  })

  it('stands with a task none of whose cells could be measured', async () => {
    const data = fixture({ questions: 20 })
    for (const cell of data.summary.cells) {
      cell.errors = cell.n
      cell.evidence = null
      cell.answer = null
      cell.memory = null
      cell.tokens = {}
      cell.outcomes = { error: cell.n }
      cell.facts = { ...cell.facts, n: 0, stored: 0, faithful: 0, retrieved: 0, uncertain: 0 }
    }
    const text = await page(data)
    readTags(text)
    expect(text).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('leaves an empty store out of charts over the size of memories', async () => {
    const data = fixture({ questions: 20 })
    for (const cell of data.summary.cells)
      if (systemName(cell.subject) === 'bm25') cell.memory = { entries: 0, tokens: 0, tokensPerEntry: 0 }
    expect(await page(data)).not.toMatch(/NaN|Infinity/)
  })

  it('offers only outcomes that occur to filter by', async () => {
    const data = fixture({ questions: 40 })
    const only = data.questions.filter(({ byDepth }) => byDepth.every(({ outcome }) => outcome === 'not_stored'))
    expect(only.length).toBeGreaterThan(0)
    const ids = readTags(await page({ ...data, questions: only })).flatMap(({ attributes }) => attributes.id ?? [])
    expect(ids.filter((id) => id.startsWith('only-'))).toEqual(['only-all', 'only-not_stored'])
  })

  it('has the run and every fingerprint once', async () => {
    const data = fixture({ questions: 20 })
    const { run, fingerprint } = data.summary
    data.settings.push(
      { label: 'run', value: run.id },
      { label: 'fingerprint of bm25', value: fingerprint.subjects.bm25! },
      { label: 'fingerprint of the setting', value: fingerprint.setting },
    )
    const text = await page(data)
    for (const value of [run.id, fingerprint.setting, ...Object.values(fingerprint.subjects)])
      expect(text.split(value)).toHaveLength(2)
  })

  it('names model and reader only where a run has several', async () => {
    const data = fixture({ questions: 20 })
    const inside = (model: string) => (cell: Cell) => ({
      ...cell,
      subject: { system: systemName(cell.subject), model },
    })
    data.summary.cells = data.summary.cells.map(inside('one'))
    expect(await page(data)).not.toContain('bm25 · one')
    data.summary.cells.push(...data.summary.cells.map(inside('two')))
    expect(await page(data)).toContain('bm25 · two')
  })

  it('keeps the page of 10,000 questions below 3 MB, and any other, by leaving out what commands show', async () => {
    const { bytes, rows } = await benchReport(10_000)
    expect(rows).toBeGreaterThan(100)
    expect(bytes).toBeLessThan(1_500_000)
    const { cells } = fixture({ questions: 20 }).summary
    const many = Array.from({ length: 60 }, (_, at) =>
      cells.map((cell) => ({ ...cell, subject: { system: `${systemName(cell.subject)}-${at}`, model: null } })),
    )
    const data = fixture({ questions: 1000 })
    const text = await page({ ...data, summary: { ...data.summary, cells: many.flat() } }, { cap: 200 })
    expect(text.length).toBeLessThan(3_000_000)
    expect(text).toContain('--md report.md')
  })
})

describe('colours', () => {
  const channel = (part: string) => {
    const value = Number.parseInt(part, 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const light = (hex: string) =>
    0.2126 * channel(hex.slice(1, 3)) + 0.7152 * channel(hex.slice(3, 5)) + 0.0722 * channel(hex.slice(5, 7))
  const contrast = (a: string, b: string) =>
    (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)

  it.each([
    ['light', LIGHT],
    ['dark', DARK],
  ])('of the %s scheme keep text legible', (_, palette: Palette) => {
    for (const colour of [palette.ink, palette.soft, palette.link, ...palette.series]) {
      expect(contrast(colour, palette.paper), colour).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(palette.ink, palette.mark)).toBeGreaterThanOrEqual(4.5)
    for (const { fill, line, ink } of Object.values(palette.outcomes)) {
      expect(contrast(ink, fill), fill).toBeGreaterThanOrEqual(4.5)
      expect(contrast(ink, line), line).toBeGreaterThanOrEqual(4.5)
    }
  })
})

describe('an excerpt', () => {
  it('marks quotes, whatever their case, and escapes what is around them', () => {
    expect(excerpt('I <b>run</b> When it rains.', ['when it rains'], 400)).toBe(
      'I &lt;b&gt;run&lt;/b&gt; <mark>When it rains</mark>.',
    )
  })
  it('joins quotes that overlap', () => {
    expect(excerpt('abcdef', ['bcd', 'cde'], 400)).toBe('a<mark>bcde</mark>f')
  })
  it('cuts a long text to the surroundings of its first quote', () => {
    const text = `${'x'.repeat(500)}HERE${'y'.repeat(500)}`
    const cut = excerpt(text, ['HERE'], 100)
    expect(cut).toContain('<mark>HERE</mark>')
    expect(cut.length).toBeLessThan(120)
    expect(cut).toMatch(/^…x+.*y+…$/)
  })
  it('leaves out a quote that is not there', () => {
    expect(excerpt('abc', ['zzz', ''], 400)).toBe('abc')
  })
})

describe('layout', () => {
  it('shows all failures of rare outcomes and shares the rest of the room', () => {
    const [trace] = fixture({ questions: 10 }).questions
    const shown = (counts: Partial<Record<Outcome, number>>, room: number) => {
      const selection = new TraceSelection(room)
      for (const [outcome, count] of Object.entries(counts))
        for (let i = 0; i < count; i++) selection.add('all', outcome as Outcome, { ...trace!, gold: outcome })
      const { shown } = selection.get('all')!
      return Object.keys(counts).map((outcome) => shown.filter(({ gold }) => gold === outcome).length)
    }
    expect(shown({ not_stored: 100, summary_error: 3, not_retrieved: 50 }, 20)).toEqual([8, 3, 9])
    expect(shown({ not_stored: 1, summary_error: 2 }, 20)).toEqual([1, 2])
  })
  it('pushes labels apart within their bounds', () => {
    const heights = (...ends: number[]) => {
      const series = ends.map((y, i) => ({ name: `line ${i}`, points: [{ x: 1, y }] }))
      const svg = xyChart('c', { kind: 'chart', title: 't', x: 'k', series })
      return [...svg.matchAll(/<text [^>]*class="name[^>]*>/g)].map(([text]) => Number(/ y="([\d.]+)"/.exec(text)![1]))
    }
    const [high, middle, low] = heights(0.5, 0.5, 0.5)
    expect([middle! - high!, low! - middle!]).toEqual([11.5, 11.5])
    const crowded = heights(...Array.from({ length: 10 }, () => 0))
    expect(Math.max(...crowded)).toBeLessThan(210)
    expect(new Set(crowded).size).toBe(10)
  })
})

describe('a file sink', () => {
  it('writes everything and tells how much', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memscope-sink-'))
    try {
      const file = fileSink(join(folder, 'a.txt'))
      for (let i = 0; i < 2000; i++) await file.write(`${'é'.repeat(50)}\n`)
      expect(await file.close()).toBe(2000 * 101)
      expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toHaveLength(2000 * 51)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
  it('rejects when the file cannot be written', async () => {
    const file = fileSink('/nowhere/at/all.html')
    await expect(file.close()).rejects.toThrow('ENOENT')
  })
})
