import { describe, expect, it } from 'vitest'
import { fixture } from '../../bench/report/fixture.js'
import { textSink } from '../../test/report/text-sink.js'
import type { CostRow } from '../analysis/costs.js'
import { readReader, sameJudgePair, scoresOf } from '../model/index.js'
import { meme } from '../suites/meme/index.js'
import { overallFindings } from './findings.js'
import { writeHtml } from './html.js'
import type { ReportData } from './report-data.js'
import { suiteReport } from './suite-results.js'

const NONE = { tokens: 0, cost: 0 }

/** What four lives of bm25 took, read by a model of which the price is known or not. */
function costRow(cost: number | null, model: string | null = null): CostRow {
  const answer = { tokens: 1000, cost }
  const ingest = model === null ? NONE : { tokens: 500, cost: cost === null ? null : 2 * cost }
  return {
    suite: 'memfail',
    subject: { system: 'bm25', model },
    reader: readReader('openai:x'),
    lives: 4,
    questions: 40,
    depth: { k: 5 },
    stages: { ingest, retrieve: NONE, answer, judge: { tokens: 9, cost: 100 } },
  }
}

/** A run beside the published costs of an episode. */
function run(costs: CostRow[]): ReportData {
  const data = { ...fixture({ questions: 20 }), costs }
  return { ...data, suites: [suiteReport({ ...meme, name: 'memfail' }, data)] }
}

async function drawn(costs: CostRow[]): Promise<{ words: string; text: string }> {
  const sink = textSink()
  await writeHtml(run(costs), sink.write)
  const text = sink.text()
  const words = /<title[^>]*>memfail: USD per episode<\/title><desc[^>]*>(.*?)<\/desc>/s.exec(text)?.[1] ?? ''
  return { words, text }
}

describe('the cost of an episode', () => {
  it('is drawn with all figures of the paper, and says that prices differ', async () => {
    const { words, text } = await drawn([])
    expect(words.match(/\(paper\) \$/g)).toHaveLength(18)
    expect(words).toContain('wiki (paper) $1.39')
    expect(words).toContain('graphiti · claude-opus-4.7 (paper) $37.14')
    expect(text).toContain('prices of the table that this run used, the paper’s in those of its own time')
  })

  it('has ours beside them where the price is known, without judging', async () => {
    const { words, text } = await drawn([costRow(0.4, 'openai:y')])
    expect(words).toMatch(/^bm25[^,]* \$0\.30, bm25 \(paper\) \$0\.038/)
    expect(text).toMatch(/\$0\.20<\/td><td[^>]*>\$0\.10<\/td><td[^>]*>\$0\.30/)
    expect((await drawn([costRow(null)])).words).toMatch(/^bm25 \(paper\)/)
    expect((await drawn([costRow(0, 'rehearsal:demo')])).words).toMatch(/^bm25 \(paper\)/)
  })

  it('is told in dollars where scores over all tasks are', () => {
    const subject = { system: 'bm25', model: null }
    const key = { suite: 'memfail', subject, reader: null, judge: sameJudgePair({ name: 'lexical', trial: 0 }) }
    const scores = { macro: 0.5, usd_per_episode: 0.3, usd_per_episode_ingest: 0.2, usd_per_episode_inference: 0.1 }
    const data = run([])
    data.summary.overall = [{ ...key, depth: { k: 5 }, trial: 0, scores: scoresOf(scores) }]
    expect(overallFindings(data)).toEqual(['memfail over all tasks: bm25 at k = 5 macro 50 %, usd per episode $0.30.'])
  })
})
