import { describe, expect, it } from 'vitest'
import { fixture } from '../../bench/report/fixture.js'
import { textSink } from '../../test/report/text-sink.js'
import { defineSuite, isGuess, type PublishedFigure, type SuiteResults, scoresOf, systemName } from '../model/index.js'
import { memeBesidePaper } from '../suites/meme/report.js'
import { memora } from '../suites/memora/index.js'
import { memoraBesidePaper } from '../suites/memora/paper-tables.js'
import { writeHtml } from './html.js'
import { renderMarkdown } from './markdown.js'
import type { ReportData } from './report-data.js'
import { suiteReport } from './suite-results.js'
import { renderTables } from './terminal.js'

const TASKS = ['conditional-easy', 'coexisting']
const DURATIONS = ['weekly', 'monthly', 'quarterly']

function figure(task: string, score: string, value: number, duration: string): PublishedFigure {
  return { source: 'Table', system: 'theirs', model: 'm', task, score, value, at: { duration } }
}

const FIGURES = DURATIONS.flatMap((duration) => [
  ...TASKS.map((task) => figure(task, 'fama', 0.444, duration)),
  figure('overall', 'mpa_sum', 1.73, duration),
  figure('overall', 'reduction_sum', -0.23, duration),
  figure('overall', 'consolidation', 17.3, duration),
  figure('overall', 'consolidation_max', 99, duration),
])

/** A made-up run whose tasks are graded by criteria, over three durations. */
function gradedRun(read: boolean): ReportData {
  const made = fixture({ questions: 20, reader: read })
  const byDuration = DURATIONS.flatMap((duration, at) =>
    scoresOf({ fama: read ? 0.61 + at / 100 : null, fama_null: 0.35, evidence_presence: 0.71 }, duration),
  )
  const fama = read ? 0.62 : null
  const scores = {
    fama,
    fama_null: 0.35,
    mpa: read ? 0.8 : null,
    mpa_null: 0.4,
    faa: read ? 0.5 : null,
    faa_null: 1,
    reduction: read ? -0.18 : null,
    fama_sum: read ? 1.86 : null,
    criteria: 40,
    criteria_missed: 12,
    criteria_unjudged: 3,
    partial_retrieval: 6,
    outdated_kept: 5,
    never_stored: 1,
    damaged: 0,
    misread: 0,
  }
  const cells = made.summary.cells
    .filter(({ task, subject }) => TASKS.includes(task) && !isGuess(subject))
    .map((cell) => ({ ...cell, scores: [...scoresOf(scores), ...byDuration] }))
  const { suite, subject, reader, judge, depth, trial } = cells[0]!
  const sums = DURATIONS.flatMap((duration) =>
    scoresOf(
      {
        mpa_sum: read ? 1.6 : null,
        reduction_sum: read ? -0.36 : null,
        consolidation: 13.94,
        consolidation_max: 42,
      },
      duration,
    ),
  )
  const overall = [...scoresOf({ fama, fama_null: 0.35, mpa_sum: read ? 1.6 : null, consolidation: 13.94 }), ...sums]
  const data: ReportData = {
    ...made,
    tasks: made.tasks.filter(({ name }) => TASKS.includes(name)),
    summary: {
      ...made.summary,
      cells,
      overall: [{ suite, subject, reader, judge, depth, trial, scores: overall }],
    },
    breakdowns: DURATIONS.map((value) => ({ ...made.breakdowns[0]!, task: TASKS[0]!, tag: 'duration', value })),
  }
  const graded = { ...memora, name: suite, besidePaper: (results: SuiteResults) => memoraBesidePaper(results, FIGURES) }
  return { ...data, suites: [suiteReport(graded, data)] }
}

async function page(data: ReportData): Promise<string> {
  const sink = textSink()
  await writeHtml(data, sink.write)
  return sink.text()
}

/** Rows of the table with this caption, cells as text. */
function rows(text: string, caption: string): string[][] {
  const from = text.indexOf(`<caption>${caption}`)
  expect(from, caption).toBeGreaterThan(0)
  const body = text.slice(from, text.indexOf('</table>', from))
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell!.replace(/<[^>]+>/g, '').trim()),
  )
}

describe('tasks graded by criteria', () => {
  it('say beside every score what an empty answer gets, and where criteria were lost', () => {
    for (const text of [renderTables(gradedRun(true), { color: false }), renderMarkdown(gradedRun(true))]) {
      const plain = text.replace(/\s+/g, ' ')
      expect(plain).toContain('bm25: FAMA 62 % (an empty answer: 35 %), presence 80 % (40 %), forgetting 50 % (100 %);')
      expect(plain).toContain(
        'misses 12 of 40 criteria: partial retrieval 6, outdated memory kept 5, never stored 1; 3 more could not be judged.',
      )
      expect(plain).toContain('fama 62 % (an empty answer: 35 %)')
      expect(plain).not.toMatch(/mpa sum|consolidation/)
    }
    const unread = renderTables(gradedRun(false), { color: false }).replace(/\s+/g, ' ')
    expect(unread).toContain(
      'Criteria without their evidence, of 40: bm25 12 (partial retrieval 6, outdated memory kept 5',
    )
    expect(unread).toContain('FAMA of an empty answer: 35 %.')
  })

  it('are a table of scores and one of causes', async () => {
    const text = await page(gradedRun(true))
    const bm25 = (caption: string) =>
      rows(text, caption)
        .find(([, system]) => system === 'bm25')!
        .slice(2)
    expect(bm25('Forgetting-aware accuracy')).toEqual(['62 35', '–', '– 35', '– 35', '–', '80 40', '50 100', '−18'])
    expect(bm25('Missed criteria by their first cause')).toEqual(['40', '12', '6', '5', '1', '0', '0', '3'])
  })

  it('stand by task and duration beside the published figures, counts as counts', async () => {
    const text = await page(gradedRun(true))
    const [head, ...body] = rows(text, 'memfail: FAMA in per cent by task and duration')
    expect(head!.slice(1)).toEqual(TASKS.flatMap((task) => DURATIONS.map((duration) => `${task} ${duration}`)))
    expect(body[0]!.slice(1, 4)).toEqual(['61 35', '62 35', '63 35'])
    expect(body.at(-1)!).toEqual(['theirs m, Table', ...Array(6).fill('44')])
    expect(rows(text, 'Presence in per cent, summed over tasks')[1]!.slice(1)).toEqual(Array(3).fill('160 (−36)'))
    expect(rows(text, 'Presence in per cent, summed over tasks')[2]!.slice(1)).toEqual(Array(3).fill('173 (−23)'))
    const loads = rows(text, 'Sessions a question rests on')
    expect(loads[1]!.slice(0, 2)).toEqual(['these lives', '13.9, at most 42'])
    expect(loads[2]!.slice(0, 2)).toEqual(['published', '17.3, at most 99'])
    expect(rows(text, 'FAMA in per cent, summed over durations')[1]!.slice(1)).toEqual(['186', '186'])
  })

  it('show evidence where nobody answered', async () => {
    const [, first] = rows(await page(gradedRun(false)), 'memfail: FAMA in per cent by task and duration')
    expect(first!.slice(1, 3)).toEqual(['71 35', '71 35'])
  })
})

it('has every criterion of a failed question, with where it was lost and what a panel said', async () => {
  const data = fixture({ questions: 20 })
  const [question] = data.questions
  const shown = {
    ...question!,
    criteria: [
      {
        text: 'Does the answer name the quiet regatta?',
        type: 'presence' as const,
        expected: 'yes' as const,
        met: false,
        cause: 'never_stored',
        told: ['0004', '0009'],
        votes: [
          { judge: 'a', answer: 'no' as const },
          { judge: 'b', answer: null },
        ],
      },
      {
        text: 'Is the drill gone?',
        type: 'forgetting' as const,
        expected: 'no' as const,
        met: null,
        cause: null,
        told: [],
      },
      {
        text: 'Is the old kiln gone?',
        type: 'forgetting' as const,
        expected: 'no' as const,
        met: true,
        cause: null,
        told: [],
      },
    ],
  }
  const text = (await page({ ...data, questions: [shown] })).replace(/<[^>]+>/g, '')
  expect(text).toContain(
    'missed: never stored Does the answer name the quiet regatta? a no, b no verdict · told in 0004, 0009',
  )
  expect(text).toContain('not judged Is the drill gone? must not be')
  expect(text).toContain('not left standing Is the old kiln gone?')
})

describe('figures for one amount of filler', () => {
  const FILLERS = ['none', '32k']

  it('stand beside ours for the same amount, never beside a mean over several', async () => {
    const made = fixture({ questions: 20 })
    const task = TASKS[0]!
    const cells = made.summary.cells
      .filter((cell) => cell.task === task && systemName(cell.subject) === 'bm25')
      .map((cell) => ({
        ...cell,
        scores: [
          ...scoresOf({ score: 0.55 }),
          ...scoresOf({ score: 0.81 }, 'none'),
          ...scoresOf({ score: 0.29 }, '32k'),
        ],
      }))
    const theirs = (filler: string, value: number, inside?: string): PublishedFigure => {
      const at = { filler, ...(inside !== undefined && { inside }) }
      return { source: 'Table', system: 'theirs', model: 'm', task, score: 'score', value, at }
    }
    const figures = [theirs('none', 0.7), theirs('32k', 0.2), theirs('32k', 0.3, 'large')]
    const data: ReportData = {
      ...made,
      tasks: made.tasks.filter(({ name }) => name === task),
      summary: { ...made.summary, cells, overall: [] },
      breakdowns: FILLERS.map((value) => ({ ...made.breakdowns[0]!, task, tag: 'filler', value, depth: 'all' })),
    }
    const suite = defineSuite({
      name: 'memfail',
      about: '',
      tasks: [],
      besidePaper: (results) => memeBesidePaper(results, figures),
      load: async () => ({ scenarios: [], datasetHash: '', audit: [] }),
    })
    const text = await page({ ...data, suites: [suiteReport(suite, data)] })
    const body = rows(text, 'memfail: score in per cent').slice(1)
    const mine = body.filter(([head]) => head!.startsWith('bm25'))
    expect(new Set(mine.map(([head, value]) => `${head!.replace(/^.*, /, '')}: ${value}`))).toEqual(
      new Set(['filler none: 81', 'filler 32k: 29']),
    )
    expect(body.slice(mine.length).map(([, value]) => value)).toEqual(['70', '20', '30'])
    // One point is no line.
    expect([text.includes('theirs (paper, m)'), text.includes('theirs (paper, m, inside large)')]).toEqual([
      true,
      false,
    ])
  })
})
