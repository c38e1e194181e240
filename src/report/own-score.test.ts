import { describe, expect, it } from 'vitest'
import { fixture } from '../../bench/report/fixture.js'
import { textSink } from '../../test/report/text-sink.js'
import { depthMemories, scoresOf, systemName } from '../model/index.js'
import { writeHtml } from './html.js'
import { renderMarkdown } from './markdown.js'
import type { ReportData } from './report-data.js'
import { renderTables } from './terminal.js'

/** A run whose suite calls the share of questions with every stage passed and the right answer its own number. */
function measured(reader: boolean): ReportData {
  const data = fixture({ questions: 250, reader })
  for (const task of data.tasks) task.ownScore = 'success'
  for (const cell of data.summary.cells) {
    const asked = cell.n - cell.errors
    if (reader) cell.scores = scoresOf({ success: (cell.outcomes.correct ?? 0) / asked })
  }
  return data
}

async function page(data: ReportData): Promise<string> {
  const sink = textSink()
  await writeHtml(data, sink.write)
  return sink.text()
}

/** What reports should say of a memory whose reader failed at some questions, in per cent. */
function expected({ summary }: ReportData) {
  const { task, subject, outcomes, n, errors, evidence } = summary.cells.find(
    (cell) =>
      depthMemories(cell.depth) === 5 &&
      cell.evidence &&
      (cell.outcomes.reasoning_error ?? cell.outcomes.answerable ?? 0) > 1,
  )!
  const share = Math.round((100 * (outcomes.correct ?? 0)) / (n - errors))
  return { task, system: systemName(subject), share, evidence: Math.round(100 * evidence!.rate) }
}

/** Title and description of the chart of a task. */
function chartOf(text: string, title: string): string | undefined {
  return new RegExp(`<figcaption>memfail/${title}</figcaption>.*?</figure>`, 's').exec(text)?.[0]
}

function row(system: string, rate: number): RegExp {
  return new RegExp(`<th scope="row">${system}</th>(<td[^>]*>[^/]*</small></td>)*?<td>${rate} `)
}

describe('a suite’s own number', () => {
  it('is what the curve draws when there is a reader, and its title says so', async () => {
    const data = measured(true)
    const { task, system, share, evidence } = expected(data)
    expect(share).toBeLessThan(evidence)
    const text = await page(data)
    expect(text).toContain('“Success with the answer” counts a question when')
    expect(chartOf(text, `${task}: success with the answer against k`)).toMatch(row(system, share))
  })

  it('gives way to evidence without a reader', async () => {
    const data = measured(false)
    const text = await page(data)
    const { task, system, evidence } = expected(data)
    expect(chartOf(text, `${task}: evidence against k`)).toMatch(row(system, evidence))
    expect(renderMarkdown(data)).not.toContain('| success |')
  })

  it('is a column of text reports when there is a reader', () => {
    const data = measured(true)
    const { task, system, share } = expected(data)
    const section = (text: string) => text.slice(text.indexOf(`memfail/${task}`))
    const markdown = section(renderMarkdown(data))
    const heads = /^\| system .*$/m.exec(markdown)![0].split(' | ')
    const cells = new RegExp(`^\\| ${system} .*$`, 'm').exec(markdown)![0].split(' | ')
    expect(cells[heads.indexOf('success')]).toBe(String(share))
    for (const width of [80, 100, 120]) {
      const text = renderTables(data, { width, color: false })
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(section(text)).toMatch(/answer +success +largest loss/)
      expect(new RegExp(`^${system} .*$`, 'm').exec(section(text))![0]).toMatch(new RegExp(` ${share} +(?:[a-z]|–)`))
    }
  })
})
