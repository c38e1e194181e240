import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ResultKeys, readRun } from '../src/analysis/results.js'
import { byDepth, pairOf, scoredQuestion } from '../src/analysis/scores.js'
import { analyseRun } from '../src/analysis/summarize.js'
import { executePlan } from '../src/engine/execute.js'
import { queryIdOf } from '../src/engine/open-system.js'
import { makePlan } from '../src/engine/plan.js'
import { timelineKey } from '../src/engine/timeline.js'
import { createLexicalJudge } from '../src/judges/lexical/index.js'
import {
  type Memory,
  questionsOf,
  type Reader,
  readerKey,
  type SystemDefinition,
  sameJudgePair,
  scoresByName,
  systemName,
} from '../src/model/index.js'
import { assembleReport, type ReportSource } from '../src/report/assemble.js'
import { writeCsv } from '../src/report/csv.js'
import { evaluateGate } from '../src/report/gate.js'
import { writeHtml } from '../src/report/html.js'
import { writeJunit } from '../src/report/junit.js'
import { renderMarkdown } from '../src/report/markdown.js'
import { questionResults } from '../src/report/question-results.js'
import { Traces } from '../src/report/question-traces.js'
import type { QuestionResult } from '../src/report/report-data.js'
import { renderTables } from '../src/report/terminal.js'
import { openSqliteStore } from '../src/store/sqlite-run-store.js'
import { meme } from '../src/suites/meme/index.js'
import { tinyRequest } from './engine/request.js'
import { plainTools } from './engine/tools.js'
import { textSink } from './report/text-sink.js'

type ByQuestion = Record<string, string>
type ByReader<T> = Record<string, Record<string, T>>

/** Episodes, what three memories held and gave, what two readers answered, and what a person says became of it all. */
interface Replay {
  episodes: object[]
  stores: Record<string, Record<string, string[]>>
  contexts: Record<string, Record<string, string[]>>
  answers: { silent: string; honest: Record<string, ByQuestion> }
  labels: ByReader<ByQuestion>
  scores: ByReader<Record<string, number>>
}

const replay = JSON.parse(readFileSync(new URL('./fixtures/meme-replay.json', import.meta.url), 'utf8')) as Replay
const folder = mkdtempSync(join(tmpdir(), 'memscope-replay-'))
const store = openSqliteStore(join(folder, 'runs.db'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Questions by what systems know them by. */
const questionIds = new Map<string, string>()

/** A memory that holds and gives what was written down of it. */
function recorded(name: string): SystemDefinition {
  return {
    name,
    version: '1',
    class: 'raw',
    about: '',
    create() {
      const held: Memory[] = []
      return {
        async store({ id }) {
          for (const [i, text] of (replay.stores[name]![id] ?? []).entries()) held.push({ id: `${id}#${i}`, text })
        },
        async retrieve({ id }) {
          const given = replay.contexts[name]?.[questionIds.get(id) ?? '']
          return held.filter((memory) => given?.includes(memory.id) ?? true)
        },
        dump: async () => [...held],
      }
    },
  }
}

const reading = (answer: string) => ({ answer, prompt: '', tokens: { input: 0, output: 0 }, cost: 0 })
const silent: Reader = { name: 'silent', key: 'silent@1', read: async () => reading(replay.answers.silent) }
/** Its answers were written down for every memory; which one it reads shows in the words. */
const honest: Reader = {
  name: 'honest',
  key: 'honest@1',
  async read({ id }, memories) {
    const name = Object.keys(replay.stores).find((one) =>
      Object.values(replay.stores[one]!)
        .flat()
        .includes(memories[0]?.text ?? ''),
    )
    return reading(replay.answers.honest[name ?? '']?.[id] ?? replay.answers.silent)
  },
}

let source: ReportSource
let resultKeys: ResultKeys
const questions: QuestionResult[] = []
beforeAll(async () => {
  writeFileSync(join(folder, 'meme_nofiller.json'), JSON.stringify(replay.episodes))
  const loaded = await meme.load({
    data: folder,
    view: 'released',
    seed: 1,
    size: 'paper',
    extra: { filler: 'none', fillers: '' },
  })
  for (const scenario of loaded.scenarios)
    for (const question of questionsOf(scenario)) questionIds.set(queryIdOf(scenario, question), question.id)
  const judge = createLexicalJudge()
  const readers = new Map([silent, honest].map((reader) => [reader.name, reader]))
  const systems = Object.keys(replay.stores)
  const plan = makePlan(
    tinyRequest({
      suites: [{ name: 'meme', tasks: null }],
      systems,
      ks: [20],
      readers: [...readers.keys()],
      data: folder,
    }),
    [{ suite: meme, ...loaded }],
    systems.map((system) => ({ system, model: null, definition: recorded(system), options: {} })),
    {},
  )
  await executePlan({
    run: 'r',
    plan,
    judge: sameJudgePair(judge),
    tracker: judge,
    readers,
    concurrency: 1,
    tools: plainTools(store, folder),
    onProgress: () => {},
  })
  resultKeys = { judge: sameJudgePair(judge.key), timeline: timelineKey(judge.key), readers }
  const record = {
    id: 'r',
    created: '2024-06-01T00:00:00Z',
    status: 'valid' as const,
    setting: plan.setting,
    subjects: plan.subjectPrints,
    request: {},
    elapsedMs: 0,
    embedding: { texts: 0, ms: 0 },
  }
  const traces = new Traces(plan)
  const resultsOf = questionResults(plan)
  const analysis = await analyseRun(record, plan, sameJudgePair('lexical'), resultKeys, store, async (life) => {
    await traces.add(life)
    questions.push(...resultsOf(life))
  })
  source = { plan, analysis, traces: traces.list, settings: [] }
})

/** Every memory with every reader that somebody worked out. */
const cases = Object.entries(replay.labels).flatMap(([system, byReader]) =>
  Object.keys(byReader).map((reader) => [system, reader] as const),
)

describe.each(cases)('the memory "%s" read by "%s"', (system, reader) => {
  it('gives every question the outcome, the grade and the triviality worked out by hand', async () => {
    const told: ByQuestion = {}
    for await (const { planned, reader: name, results } of readRun('r', source.plan, resultKeys, store)) {
      if (planned.subject.system !== system || readerKey(name) !== reader) continue
      for (const result of results) {
        const { outcome, answer } = result.assessment
        const counted = meme.answerScore!.passed(scoredQuestion(result, pairOf(result, byDepth(results))))
        const trivial = answer === true && counted === false ? ' trivial' : ''
        told[result.question.id] = `${outcome} ${answer ? 'right' : 'wrong'}${trivial}`
      }
    }
    expect(told).toEqual(replay.labels[system]![reader])
  })

  it('has the scores worked out by hand, beside plain accuracy', () => {
    const found = source.analysis.summary.cells.filter(
      (cell) => systemName(cell.subject) === system && readerKey(cell.reader) === reader,
    )
    const labels = Object.entries(replay.labels[system]![reader]!)
    for (const [task, score] of Object.entries(replay.scores[system]![reader]!)) {
      const cell = found.find((one) => one.task === task)!
      const own = labels.filter(([id]) => id.startsWith(`${task}/`)).map(([, label]) => label.split(' '))
      const right = own.filter((words) => words.includes('right')).length
      const trivial = own.filter((words) => words.includes('trivial')).length
      expect(scoresByName(cell.scores)).toMatchObject({ score, trivial: trivial / own.length })
      expect(cell.answer!.accuracy).toBe(right / own.length)
      expect(cell.answerScore).toMatchObject({ score: 'score', n: own.length, rate: score, uncounted: { n: trivial } })
    }
    expect(found.find(({ task }) => task === 'before')!.answerScore).toBeUndefined()
  })
})

describe('a reader that always says that it knows nothing', () => {
  it('has a score of 0 in every table, under a head that says so', async () => {
    const data = assembleReport(source)
    const terminal = renderTables(data, { width: 120, color: false })
    const table = terminal.slice(terminal.indexOf('meme/deletion'), terminal.indexOf('meme/cascade'))
    expect(table).toMatch(/evidence % .*retrieved +score +largest loss/)
    expect(table).toMatch(/^full +silent .* 0 +trivial pass 100$/m)
    expect(table).toContain('trivial pass 100 %')
    const before = terminal.slice(terminal.indexOf('meme/before'))
    expect(before).toMatch(/retrieved +answer +largest loss/)
    const markdown = renderMarkdown(data)
    expect(markdown).toMatch(/\| full \| silent \|.*\| 0 \| trivial pass 100 \|/)
    const page = textSink()
    await writeHtml(data, page.write)
    expect(page.text()).toContain('In every field: score (meme)')
    expect(page.text()).toMatch(/0\s%\s\(trivial pass 100\s%\)/)
    const csv = textSink()
    await writeCsv(data.summary, csv.write)
    const [head, ...rows] = csv
      .text()
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    const row = rows.find((cells) => cells[1] === 'deletion' && cells[2] === 'full' && cells[4] === 'silent')!
    expect(row[head!.indexOf('answer_score')]).toBe('score')
    expect(row[head!.indexOf('answer_score_rate')]).toBe('0')
    expect(row[head!.indexOf('answer_accuracy')]).toBe('1')
  })

  it('fails in JUnit by name, and fails gates on the score and on its lower bound', async () => {
    const xml = textSink()
    await writeJunit(questions, xml.write)
    expect(
      xml.text().match(/type="trivial pass" message="The answer passes, but the value was not known/g),
    ).toHaveLength(
      // Deletions and absences: four of the full memory, three retold (one was damaged before it could be answered). Those of the
      // empty one fail by what was not stored.
      7,
    )
    const gate = (expression: string) => evaluateGate(source.analysis.summary, expression).ok
    expect(gate('meme/deletion:full.answer>=1')).toBe(true)
    expect(gate('meme/deletion:full.score.score>=0.5')).toBe(false)
    expect(gate('meme/cascade:retold.score.score.low>=0')).toBe(true)
  })
})
