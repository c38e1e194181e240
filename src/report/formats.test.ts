import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { EVIL, fixture } from '../../bench/report/fixture.js'
import { readTags } from '../../test/report/tags.js'
import { textSink } from '../../test/report/text-sink.js'
import {
  depthMemories,
  mapJudgePair,
  modelOf,
  type Outcome,
  readerKey,
  scoresByName,
  scoresOf,
  systemName,
} from '../model/index.js'
import { writeCsv } from './csv.js'
import { percent } from './format.js'
import { writeJunit } from './junit.js'
import { renderMarkdown } from './markdown.js'
import { summaryJson } from './summary-json.js'
import { renderTables, wantsColor } from './terminal.js'

const data = fixture({ questions: 100 })

/** What those who read the CSV rely on. */
const CSV_COLUMNS = `suite task system model reader fact_judge answer_judge k token_budget trial n errors
  answer_n answer_correct answer_accuracy answer_low answer_high answer_worst answer_best
  answer_score answer_score_n answer_score_passed answer_score_rate answer_score_low answer_score_high answer_score_worst answer_score_best
  evidence_n evidence_complete evidence_rate evidence_low evidence_high evidence_worst evidence_best
  outcome_not_stored outcome_summary_error outcome_not_retrieved outcome_unavailable outcome_stale_memory outcome_stale_answer
  outcome_reasoning_error outcome_correct outcome_answerable outcome_error
  facts_n facts_stored facts_faithful facts_retrieved facts_uncertain conversations conversations_lost
  noise_memories noise_tokens tempting_n tempting_retrieved memory_entries memory_tokens memory_tokens_per_entry
  context_tokens ingest_tokens retrieve_tokens answer_tokens cost`.split(/\s+/)

describe('the terminal report', () => {
  it('says status and errors on its first line', () => {
    const [first] = renderTables(data, { color: false }).split('\n')
    expect(first).toMatch(/^valid run · \d+ errors? .*questions asked · 5 tasks · 6 systems$/)
  })

  it.each([60, 80, 100, 120])('fits %i columns', (width) => {
    const lines = renderTables(fixture({ questions: 100, reader: true }), { width, color: false }).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
  })

  it('always shows the default depth', () => {
    expect(renderTables(data, { width: 60, color: false })).toMatch(/evidence %.* k=5 /)
  })

  it('has no escape sequences without colour, whatever memories and names hold', () => {
    const hostile = fixture({ questions: 20, hostile: true })
    for (const cell of hostile.summary.cells)
      cell.subject = { system: `${systemName(cell.subject)}\u001b[31m`, model: null }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
    expect(renderTables(hostile, { color: false })).not.toMatch(/\u001b/)
  })

  it('wants colour only on a terminal that has not declined', () => {
    expect(wantsColor({ isTTY: true }, {})).toBe(true)
    expect(wantsColor({ isTTY: false }, {})).toBe(false)
    expect(wantsColor({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
    expect(renderTables(data, { color: true })).toContain('\u001b[')
  })

  it('says in a sentence where a lone system loses its facts', () => {
    const alone = fixture({ questions: 100 })
    alone.summary.cells = alone.summary.cells.filter((cell) => systemName(cell.subject) === 'bm25')
    expect(renderTables(alone, { color: false })).toMatch(
      /bm25 completes the evidence of \d+ % of questions at k = 5: everything is stored faithfully;\s+retrieval loses/,
    )
  })
})

describe('findings', () => {
  const NONE_LOST = { stored: 20, faithful: 20, retrieved: 20 }
  /** One task with these systems, and what became of their questions at k = 5. */
  const told = (outcomes: Record<string, Partial<Record<Outcome, number>>>) => {
    const made = fixture({ questions: 100 })
    const cells = made.summary.cells.filter(
      ({ task, subject, depth }) =>
        task === 'coexisting' && systemName(subject) in outcomes && (depthMemories(depth) ?? 5) === 5,
    )
    for (const cell of cells) {
      cell.outcomes = outcomes[systemName(cell.subject)]!
      cell.facts = { ...cell.facts, n: 20, ...NONE_LOST }
    }
    const tasks = made.tasks.filter(({ name }) => name === 'coexisting')
    const overall = [1000, 5, 1].flatMap((k) => ({ ...cells[0]!, k, scores: scoresOf({ presence: k / 2000 }) }))
    const summary = { ...made.summary, cells, overall }
    return renderTables({ ...made, tasks, summary, ceilings: [] }, { color: false, width: 120 }).replace(/\s+/g, ' ')
  }

  it('say "most" only of more than half of what a system fails', () => {
    const mixed = { answerable: 10, not_stored: 3, summary_error: 2, not_retrieved: 5 }
    const text = told({ bm25: { answerable: 5, not_retrieved: 15 }, extract: mixed, oracle: { answerable: 20 } })
    expect(text).toContain('Most is lost at retrieval (bm25).')
    expect(text).toContain('extract: lost at storage 30 %, summarising 20 %, retrieval 50 % of failures.')
    expect(told({ extract: mixed })).toContain('faithfully; lost at storage 30 %, summarising 20 %, retrieval 50 %')
    expect(told({ bm25: { not_retrieved: 15, stale_memory: 5 }, notes: { not_retrieved: 2 } })).toContain(
      'Most is lost at retrieval.',
    )
    expect(told({ bm25: { not_retrieved: 15 }, notes: { not_retrieved: 2 } })).toContain(
      'what is lost is lost at retrieval.',
    )
  })

  it('name yardsticks beside the span of contestants', () => {
    const lost = { not_retrieved: 20 }
    expect(told({ bm25: lost, notes: lost, 'full-context': { answerable: 20 } })).toMatch(
      /of (any )?questions?; yardsticks: full-context \d+ %\. /,
    )
  })

  it('over all tasks stand at the depth of the task tables', () => {
    expect(told({ bm25: { not_retrieved: 20 } })).toContain('over all tasks: bm25 at k = 5 presence <1 %.')
  })

  it('have a value in the table where every system has a fixed depth', () => {
    const made = fixture({ questions: 100 })
    made.summary.cells = made.summary.cells.filter(({ subject }) => systemName(subject) === 'full-context')
    const rate = percent(made.summary.cells[0]!.evidence!.rate)
    expect(renderTables(made, { color: false })).toMatch(new RegExp(`all +95 %.*\nfull-context +${rate} +\\d`))
    expect(renderMarkdown(made)).toContain(`| full-context | **${rate}** |`)
  })
})

describe('the Markdown report', () => {
  it('keeps every table rectangular and hostile text inside its cell', () => {
    const text = renderMarkdown(fixture({ questions: 20, hostile: true }))
    expect(text).not.toMatch(/<(img|script|style)/)
    for (const table of text.split('\n\n').filter((block) => block.startsWith('|'))) {
      const widths = table
        .trim()
        .split('\n')
        .map((line) => line.replace(/\\\|/g, '').split('|').length)
      expect(new Set(widths).size).toBe(1)
    }
  })
})

describe('CSV', () => {
  it('has one row a cell and the documented columns', async () => {
    const sink = textSink()
    await writeCsv(data.summary, sink.write)
    const rows: Record<string, string>[] = parse(sink.text(), { columns: true })
    expect(rows).toHaveLength(data.summary.cells.length)
    expect(Object.keys(rows[0]!)).toEqual([...CSV_COLUMNS, 'score_success'])
    const guess = rows.find((row) => row.system === 'guess:always-no')!
    expect([guess.k, guess.evidence_rate, guess.answer_accuracy]).toEqual(['', '', '0.5'])
  })

  it('does not let a spreadsheet run a name as a formula', async () => {
    const sink = textSink()
    const summary = {
      ...data.summary,
      cells: [{ ...data.summary.cells[0]!, subject: { system: '=cmd|calc', model: null } }],
    }
    await writeCsv(summary, sink.write)
    expect(sink.text()).toContain("'=cmd|calc")
  })
})

describe('JUnit', () => {
  it('is well-formed whatever the texts hold, and counts right', async () => {
    const { results } = fixture({ questions: 20, hostile: true })
    const sink = textSink()
    await writeJunit(results, sink.write)
    const tags = readTags(sink.text())
    const of = (name: string) => tags.filter((tag) => tag.name === name)
    expect(of('testcase')).toHaveLength(results.length)
    expect(of('failure')).toHaveLength(
      results.filter((r) => !['answerable', 'correct', 'error'].includes(r.outcome)).length,
    )
    expect(of('error')).toHaveLength(results.filter((r) => r.outcome === 'error').length)
    const sum = (key: string) => of('testsuite').reduce((total, tag) => total + Number(tag.attributes[key]), 0)
    expect(sum('tests')).toBe(results.length)
    expect(sum('failures')).toBe(of('failure').length)
    expect(of('testsuites')[0]!.attributes.tests).toBe(String(results.length))
    expect(of('testsuite')).toHaveLength(5 * (5 * 7 + 1))
  })

  it('makes the outcome the type of a failure', async () => {
    const sink = textSink()
    await writeJunit(
      [
        {
          suite: 's',
          task: 't',
          subject: { system: 'x', model: null },
          depth: { k: 5 },
          id: 'q1',
          text: 'Why?',
          outcome: 'not_stored',
          message: EVIL,
        },
      ],
      sink.write,
    )
    const failure = readTags(sink.text()).find((tag) => tag.name === 'failure')!
    expect(failure.attributes.type).toBe('not_stored')
    expect(failure.attributes.message).toContain('</script><img src=x onerror=alert(1)>')
  })
})

describe('the JSON summary', () => {
  it('is the same summary, whatever the order of keys it came in', () => {
    const text = summaryJson(data.summary)
    const cells = data.summary.cells.map(({ subject, reader, judge, ...cell }) => ({
      ...cell,
      system: systemName(subject),
      model: modelOf(subject),
      reader: readerKey(reader),
      k: depthMemories(cell.depth),
      judge: mapJudgePair(judge, ({ name }) => name),
      scores: scoresByName(cell.scores),
      scoreBounds: {},
    }))
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ schema: 2, ...data.summary, cells })))
    const bounds: [number, number] = [0.4, 0.7]
    const moved = { ...data.summary.cells[0]!, scores: [{ name: 'own', subset: 'a', value: 0.5, bounds }] }
    const { cells: written } = JSON.parse(summaryJson({ ...data.summary, cells: [moved] }))
    expect(written[0].scoreBounds).toEqual({ 'own[a]': bounds })
    const shuffled = { ...data.summary, cells: data.summary.cells.map(reversed) }
    expect(summaryJson(shuffled)).toBe(text)
    expect(text.endsWith('}\n')).toBe(true)
    expect(text.startsWith('{\n  "schema": 2,\n  "run"')).toBe(true)
  })
})

describe('per cent', () => {
  it('never rounds to all or nothing', () => {
    expect([0, 0.001, 0.5, 0.999, 1, null].map(percent)).toEqual(['0', '<1', '50', '>99', '100', '–'])
  })
})

function reversed<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [
        key,
        member && typeof member === 'object' && !Array.isArray(member) ? reversed(member) : member,
      ]),
  ) as T
}
