import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as memscope from '../src/index.js'
import {
  type Control,
  check,
  defineJudge,
  defineReader,
  defineSystem,
  type Memory,
  type ProgressEvent,
  type RunOptions,
  type RunResult,
  report,
  run,
  StoppedError,
  UserError,
} from '../src/index.js'
import * as library from '../src/library.js'
import { memscope as commandLine } from './cli.js'
import { saidFact, tinyQuestion, tinyScenario } from './engine/keeper.js'
import { tinySuite } from './engine/suite.js'

const home = () => mkdtempSync(join(tmpdir(), 'memscope-library-'))

/** Keeps every turn, finds by the number of shared words; each store takes so long. */
const notes = (ms = 0) =>
  defineSystem({
    name: 'notes',
    create() {
      const held: Memory[] = []
      const words = (text: string) => text.toLowerCase().match(/\w+/g) ?? []
      return {
        async store({ id, turns }) {
          await new Promise((resume) => setTimeout(resume, ms))
          held.push(...turns.map(({ text }, i) => ({ id: `${id}#${i}`, text })))
        },
        async retrieve({ text }, k) {
          const asked = new Set(words(text))
          const scored = held.map((one) => ({
            ...one,
            score: words(one.text).filter((word) => asked.has(word)).length,
          }))
          return scored.sort((a, b) => b.score - a.score).slice(0, k)
        },
        dump: async () => [...held],
      }
    },
  })

const people = ['Ada', 'Bo', 'Cleo', 'Dimitri', 'Esther', 'Farid', 'Greta', 'Hiro']
const facts = people.map((who, i) => saidFact(i, `${who} keeps bees.`))
const questions = people.map((who, i) => tinyQuestion(`q${i}`, [[`f${i}`]], { text: `What does ${who} keep?` }))
const bees = tinySuite(tinyScenario(facts, questions), 2)

/** A judge that looks for the very words, and a reader that says the first memory. */
const exact = defineJudge({
  name: 'exact',
  create: () => ({
    judgeFacts: async (asked, store) =>
      asked.map(({ id, text }) => {
        const support = store.filter((memory) => memory.text.includes(text)).map((memory) => [memory.id])
        const label = support.length > 0 ? 'correct' : 'not_stored'
        return { fact: id, label, uncertain: false, support, reason: '', quotes: [] } as const
      }),
    judgeAnswer: async (_, answer) => ({
      grade: answer.includes('bees') ? 'right' : 'wrong',
      uncertain: false,
      reason: '',
    }),
  }),
})
const first = defineReader({
  name: 'first',
  create: () => ({
    read: async (_, memories) => ({
      answer: memories[0]?.text ?? '',
      prompt: '',
      tokens: { input: 0, output: 0 },
      cost: 0,
    }),
  }),
})

/** What is the same in two equal runs. */
const measured = ({ summary: { run: _, timing, ...rest } }: RunResult) => rest

let printed = ''
beforeEach(() => {
  printed = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text)
      return true
    })
})
afterEach(() => {
  vi.restoreAllMocks()
  expect(printed).toBe('')
})

/** Runs, and says what was told. */
async function told(options: RunOptions, control: Control = {}) {
  const events: ProgressEvent[] = []
  const onProgress = (event: ProgressEvent) => {
    events.push(event)
    control.onProgress?.(event)
  }
  return { result: await run(options, { ...control, onProgress }), events }
}

describe('a run through the library', () => {
  it('gives what the command line writes, and tells what happens in order', async () => {
    const flags = ['--suite', 'memfail/long-hop', '--system', 'bm25', '--size', '6', '--k', '1,5', '--quiet']
    const { out } = await commandLine(['run', ...flags, '--json', '-'])
    const asked = { suite: 'memfail/long-hop', system: 'bm25', size: 6, k: [1, 5], home: home() }
    const { result, events } = await told(asked)
    expect(measured(result)).toEqual(measured({ ...result, summary: JSON.parse(out) }))
    const types = events.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1])
    expect(types).toEqual(['started', 'progress', 'measured', 'done'])
    const progress = events.filter((event) => event.type === 'progress')
    expect(progress.map(({ done }) => done)).toEqual(progress.map(({ done }) => done).sort((a, b) => a - b))
    const { done, total } = progress.at(-1)!
    expect([done, total]).toEqual([12, 12])
    expect(events[0]).toMatchObject({ type: 'started', run: result.run, questions: 12, own: false, size: 6 })
    expect((await memscope.listRuns({ home: asked.home })).map((one) => [one.run, one.status])).toEqual([
      [result.run, 'valid'],
    ])
  })

  it('takes suite, system, judge and reader as objects, by whose names later calls find them', async () => {
    const asked = { suite: bees, system: [notes(), 'oracle'], judge: exact, reader: first, k: 2, home: home() }
    const { result } = await told({ ...asked, failUnder: 'tiny/all:notes@2.evidence>=0.9' })
    const cell = result.summary.cells.find(({ system }) => system === 'notes')!
    expect(cell).toMatchObject({ n: 8, judge: { facts: 'exact', answers: 'exact' }, reader: 'first' })
    expect([cell.evidence!.rate, cell.answer!.accuracy, result.gate!.ok]).toEqual([1, 1, true])
    const parts = [bees, notes(), exact, first]
    const csv: string[] = []
    const again = await report({ run: result.run, home: asked.home, parts, csv: (text) => void csv.push(text) })
    expect(measured(again)).toEqual(measured(result))
    expect(csv.join('')).toContain('notes')
    const bare = await report({ run: result.run, home: asked.home })
    expect(bare.summary.cells.find(({ system }) => system === 'notes')!.evidence).toEqual(cell.evidence)
    const changed = { ...notes(), version: '2' }
    const resumed = run({ resume: result.run, home: asked.home, parts: [bees, exact, first, changed] })
    await expect(resumed).rejects.toThrow('notes changed since the run')
  })

  it('is stopped by its signal at once, and goes on to what it would have been', async () => {
    const asked = { suite: bees, system: [notes(30), 'bm25', 'oracle'], k: [1, 2], home: home(), concurrency: 1 }
    const stop = new AbortController()
    const onProgress = (event: ProgressEvent) => {
      if (event.type === 'progress' && event.done >= 17) stop.abort()
    }
    const events: ProgressEvent[] = []
    const stopped = await told(asked, {
      signal: stop.signal,
      onProgress: (event) => events.push(event) && onProgress(event),
    }).catch((error) => error)
    expect(stopped).toBeInstanceOf(StoppedError)
    expect([stopped.name, events.some(({ type }) => type === 'done')]).toEqual(['AbortError', false])
    const partial = await report({ run: stopped.run, home: asked.home, parts: [bees, notes(30)] })
    expect(partial.summary.status).toBe('partial')
    const { result, events: later } = await told({
      resume: 'last',
      system: asked.system,
      parts: [bees],
      home: asked.home,
    })
    expect([result.run, result.summary.status]).toEqual([stopped.run, 'valid'])
    expect(later.find((event) => event.type === 'progress')!.done).toBeGreaterThanOrEqual(16)
    const { result: whole } = await told({ ...asked, home: home() })
    expect(measured(result)).toEqual(measured(whole))
    const before = run(asked, { signal: AbortSignal.abort() })
    await expect(before).rejects.toMatchObject({ name: 'AbortError', run: null })
  })

  it('ends at its signal although a memory never gives way to it', async () => {
    const stuck = defineSystem({
      name: 'stuck',
      create: () => ({ store: () => new Promise<void>(() => {}), retrieve: async () => [] }),
    })
    const stop = new AbortController()
    let since = 0
    const onProgress = ({ type }: ProgressEvent) => {
      if (type !== 'started') return
      setTimeout(() => {
        since = performance.now()
        stop.abort()
      }, 200)
    }
    await expect(
      run({ suite: bees, system: stuck, home: home() }, { signal: stop.signal, onProgress }),
    ).rejects.toThrow(StoppedError)
    expect(performance.now() - since).toBeLessThan(60_000)
  })
})

describe('the library', () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ['a number', () => run({ k: 0 }), 'Expected --k to be a whole number from 1 to 100000, got "0".'],
    ['a name', () => run({ system: 'bm52' }), 'There is no system "bm52".'],
    ['a run', () => report({ run: 'nope', home: home() }), 'There are no runs here yet.'],
    ['an object without a name', () => run({ system: { create: notes().create } }), 'needs a name'],
    ['two objects of one name', () => run({ system: [notes(), notes()] }), 'Two objects are called "notes".'],
    [
      'the name of what is built in',
      () => check({ part: { ...notes(), name: 'bm25' } }),
      'is the name of one that is built in',
    ],
    ['a file', () => memscope.judgeEval({ gold: 'nowhere.jsonl' }), 'nowhere.jsonl cannot be read (ENOENT).'],
    ['a place', () => memscope.generateData({ suite: 'memfail', settings: { n: '2' } }), 'Where shall the files go?'],
    ['a setting', () => memscope.lintData({ settings: { rowz: '2' } }), 'There is no setting of a suite "rowz".'],
  ])('refuses with a UserError: %s', async (_, call, message) => {
    const error = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UserError)
    expect((error as UserError).message).toContain(message)
  })

  it('stops whatever works at its signal, and tells that it is done where nobody stopped it', async () => {
    const folder = home()
    const kept = { run: 'last', home: folder, parts: [bees, notes()] }
    await run({ suite: bees, system: notes(), k: 1, home: folder })
    const calls: Record<string, (control: Control) => Promise<unknown>> = {
      check: (control) => check({ part: exact }, control),
      compare: (control) => memscope.compare({ runs: ['last', 'last'], home: folder, parts: kept.parts }, control),
      estimate: (control) => memscope.estimate({ suite: bees, system: notes(), k: 1, home: folder }, control),
      explain: (control) => memscope.explain(kept, control),
      exportForScoring: (control) =>
        memscope.exportForScoring(
          { suite: 'memfail/long-hop', size: 'quick', out: join(home(), 'out.jsonl') },
          control,
        ),
      judgeSample: (control) => memscope.judgeSample({ ...kept, n: 2, out: join(home(), 'cases.jsonl') }, control),
      lintData: (control) => memscope.lintData({ suite: 'memfail/long-hop' }, control),
      reanswer: (control) => memscope.redo({ ...kept, reader: first }, control),
      rejudge: (control) => memscope.redo({ ...kept, judge: exact }, control),
      report: (control) => report(kept, control),
      show: (control) => memscope.show({ ...kept, text: { write: () => {} } }, control),
      view: async (control) => (await memscope.view({ home: folder, port: 0 }, control)).close(),
    }
    for (const [name, call] of Object.entries(calls)) {
      const events: string[] = []
      await call({ onProgress: ({ type }) => events.push(type) })
      if (name !== 'view') expect(events.at(-1), name).toBe('done')
      await expect(call({ signal: AbortSignal.abort() }), name).rejects.toMatchObject({ name: 'AbortError' })
    }
  })

  it('closes the viewer at its signal', async () => {
    const stop = new AbortController()
    const { url, close } = await memscope.view({ home: home(), port: 0 }, { signal: stop.signal })
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(302)
    stop.abort()
    await close()
    await expect(fetch(url)).rejects.toThrow()
  })

  it('has a row for every call on its page', () => {
    const calls = Object.entries(library).flatMap(([name, value]) =>
      typeof value === 'function' && value !== StoppedError ? name : [],
    )
    expect(calls.length).toBeGreaterThan(30)
    const page = readFileSync(new URL('../docs/library.md', import.meta.url), 'utf8')
    const listed = [...page.matchAll(/^\|((?: `\w+`,?)+) \|/gm)].flatMap(([, cell]) => cell!.match(/\w+/g)!)
    expect(listed.sort()).toEqual(calls.sort())
  })

  it('checks, lists, estimates, explains and draws without a word on the streams', async () => {
    expect((await check({ part: notes() })).results.filter(({ status }) => status === 'failed')).toEqual([])
    expect((await check({ part: exact })).kind).toBe('judge')
    expect((await memscope.listSystems()).map(({ name }) => name)).toContain('bm25')
    expect(await memscope.listSuites({ suite: bees })).toMatchObject([
      { name: 'tiny', tasks: [{ bundledQuestions: 8 }] },
    ])
    expect((await memscope.listModels()).embedders.map(({ name }) => name)).toContain('minilm')
    const folder = home()
    const asked = { suite: bees, system: [notes(), 'bm25'], k: 1, home: folder }
    expect(await memscope.estimate(asked)).toMatchObject({ calls: [], paid: false })
    const { result } = await told({ ...asked, oracles: true })
    const parts = [bees, notes()]
    const explained = await memscope.explain({ run: 'last', home: folder, parts })
    expect(explained).toEqual(result.explained)
    const out = join(folder, 'cases.jsonl')
    expect(await memscope.judgeSample({ run: 'last', home: folder, parts, n: 4, out })).toMatchObject([
      { kind: 'facts', drawn: 4 },
    ])
    const cases = readFileSync(out, 'utf8').trim().split('\n')
    const drawnFrom = async (system: string) => {
      const out = join(folder, `${system}.jsonl`)
      await memscope.judgeSample({ run: 'last', home: folder, parts, system, out })
      const lines = readFileSync(out, 'utf8').trim().split('\n')
      return new Set(lines.map((line) => (JSON.parse(line) as { style: string }).style))
    }
    expect(await drawnFrom('bm25')).toEqual(new Set(['bm25']))
    expect(await drawnFrom('notes')).toEqual(new Set(['notes']))
    await expect(drawnFrom('bm52')).rejects.toThrow('There is no system in this run "bm52".')
    const labelled = cases.map((line) => line.replaceAll(/"label":(?:null|"")/g, '"label":"correct"'))
    writeFileSync(out, labelled.join('\n'))
    const { kind, result: agreement } = await memscope.judgeEval({ gold: out, judge: exact, home: folder })
    expect([kind, agreement.n, agreement.accuracy]).toEqual(['facts', 4, 1])
    expect(await memscope.judgeAgree({ files: [out, out] })).toMatchObject({ facts: { n: 4, agreement: 1 } })
    const { summary } = await memscope.redo({ run: 'last', home: folder, parts, judge: exact })
    expect(summary.cells.map(({ judge }) => judge.facts)).toContain('exact')
    const lines: string[] = []
    const take = (line: string) => (lines.push(line) < 3 ? undefined : (false as const))
    await memscope.generateData({ suite: 'memfail/long-hop', settings: { n: '20' }, out: take })
    expect(lines).toHaveLength(3)
  })
})
