import { describe, expect, it } from 'vitest'
import { fixture } from './fixture.js'
import { writeHtml } from './html.js'
import { type ReportData, textSink } from './index.js'
import { renderMarkdown } from './markdown.js'
import { renderTerminal } from './terminal.js'

/** A run whose suite calls the share of questions with every stage passed and the right answer its own number. */
function measured(reader: boolean): ReportData {
  const data = fixture({ questions: 250, reader })
  for (const task of data.tasks) task.ownScore = 'success'
  for (const cell of data.summary.cells) {
    const asked = cell.n - cell.errors
    if (reader) cell.scores.success = (cell.outcomes.correct ?? 0) / asked
  }
  return data
}

async function page(data: ReportData): Promise<string> {
  const sink = textSink()
  await writeHtml(data, sink.write)
  return sink.text()
}

function bm25At5({ summary }: ReportData) {
  const { outcomes, n, errors, evidence } = summary.cells.find(
    ({ task, system, k }) => task === 'conditional-easy' && system === 'bm25' && k === 5,
  )!
  const share = Math.round((100 * (outcomes.correct ?? 0)) / (n - errors))
  return { share, evidence: Math.round(100 * evidence!.rate) }
}

describe('a suite’s own number', () => {
  it('is what the curve draws when there is a reader, and its title says so', async () => {
    const data = measured(true)
    const { share, evidence } = bm25At5(data)
    expect(share).toBeLessThan(evidence)
    const text = await page(data)
    expect(text).toContain('>Success with the answer against k</h2>')
    expect(text).toContain('of the same measure')
    const chart = /<title id="success-memfail-conditional-easy-t">(.*?)<\/title><desc[^>]*>(.*?)<\/desc>/s.exec(text)!
    expect(chart[1]).toBe('conditional-easy: success with the answer against k')
    expect(chart[2]).toContain(`bm25 ${share} %`)
  })

  it('gives way to evidence without a reader', async () => {
    const data = measured(false)
    const text = await page(data)
    expect(text).toContain('>Evidence success against k</h2>')
    const chart = /<title id="success-memfail-conditional-easy-t">(.*?)<\/title><desc[^>]*>(.*?)<\/desc>/s.exec(text)!
    expect(chart[1]).toBe('conditional-easy: evidence success against k')
    expect(chart[2]).toContain(`bm25 ${bm25At5(data).evidence} %`)
    expect(renderMarkdown(data)).not.toContain('| success |')
  })

  it('is a column of text reports when there is a reader', () => {
    const data = measured(true)
    const { share } = bm25At5(data)
    const section = (text: string) => text.slice(text.indexOf('memfail/conditional-easy'))
    const markdown = section(renderMarkdown(data))
    const heads = /^\| system .*$/m.exec(markdown)![0].split(' | ')
    const cells = /^\| bm25 .*$/m.exec(markdown)![0].split(' | ')
    expect(cells[heads.indexOf('success')]).toBe(String(share))
    for (const width of [80, 100, 120]) {
      const text = renderTerminal(data, { width, color: false })
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(section(text)).toMatch(/answer +success +largest loss/)
      expect(/^bm25 .*$/m.exec(section(text))![0]).toMatch(new RegExp(` ${share} +(?:[a-z]|–)`))
    }
  })
})
