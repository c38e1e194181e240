import { describe, expect, it } from 'vitest'
import type { Depth, FactVerdict, LifeKey, Memory, RunRecord, RunStore, WitnessRecord } from '../model/index.js'

const LIFE: LifeKey = { run: 'r1', subject: { system: 'bm25', model: null }, scenario: 'suite/scenario', trial: 0 }

const DAY = '2026-01-01T00:00:00Z'

const memory = (id: string, text = `text of ${id}`): Memory => ({ id, text, time: DAY, sources: ['c1'] })

const run = (id: string, created = DAY): RunRecord => ({
  id,
  created,
  status: 'partial',
  setting: 's',
  subjects: { bm25: 'x' },
  request: { seed: 42 },
  elapsedMs: 0,
  embedding: { texts: 0, ms: 0 },
})

const witness = (question: string, k: number, change: Partial<WitnessRecord> = {}): WitnessRecord => ({
  question,
  probe: 'p1',
  depth: { k },
  retrieved: ['m1', 'm2'],
  scores: [0.1 + 0.2, null],
  retrievedSnapshot: null,
  contextTokens: 12,
  sizes: [7, 5],
  ms: 1.25,
  tokens: { context: 12 },
  cost: 0,
  error: null,
  ...change,
})

const verdict = (fact: string): FactVerdict => ({
  fact,
  label: 'correct',
  uncertain: false,
  support: [['m1'], ['m2', 'm3']],
  reason: 'as said',
  quotes: [{ memory: 'm1', text: 'said' }],
})

const answer = (question: string, prompt = '') => {
  return { question, depth: { k: 1 }, prompt, answer: 'a', tokens: { input: 3, output: 1 }, cost: null, error: null }
}

const grade = (question: string, depth: Depth = { k: 1 }) => {
  return { question, depth, verdict: { grade: 'right' as const, uncertain: false, reason: 'r' } }
}

const counterfactual = (question: string) => {
  return { question, depth: { k: 1 }, needed: true, store: false, stored: true, faithful: null, both: true }
}

const moment = (name: string) => ({ moment: name, snapshot: 'abc', entries: 3, tokens: 40 })

/**
 * What every run store must do. A store's own test is three lines:
 *
 * @example runStoreConformance({ name: 'sqlite', open: () => openSqliteStore(file) })
 */
export function runStoreConformance(subject: {
  name: string
  /** A store on the same, at first empty, ground for as long as one test lasts; `fresh` starts new ground. */
  open: (fresh: boolean) => RunStore | Promise<RunStore>
}): void {
  const onStore = (name: string, work: (store: RunStore) => Promise<void>) =>
    it(name, async () => {
      const store = await subject.open(true)
      try {
        await work(store)
      } finally {
        await store.close()
      }
    })

  describe(`${subject.name} as a run store`, () => {
    onStore('gives back a run as it was created, newest first', async (store) => {
      await store.createRun(run('r1'))
      await store.createRun(run('r2', '2026-01-02T00:00:00Z'))
      expect(await store.getRun('r1')).toEqual(run('r1'))
      expect(await store.getRun('nobody')).toBeNull()
      expect((await store.listRuns()).map(({ id }) => id)).toEqual(['r2', 'r1'])
    })

    onStore('lists a run that began after the clock was put back first', async (store) => {
      await store.createRun(run('r1', '2026-01-02T00:00:00Z'))
      await store.createRun(run('r2', '1970-01-01T00:00:00Z'))
      expect((await store.listRuns()).map(({ id }) => id)).toEqual(['r2', 'r1'])
    })

    onStore('changes only what an update names', async (store) => {
      await store.createRun(run('r1'))
      const change = { status: 'valid' as const, elapsedMs: 7, embedding: { texts: 3, ms: 5 } }
      await store.updateRun('r1', change)
      expect(await store.getRun('r1')).toEqual({ ...run('r1'), ...change })
      await expect(store.updateRun('nobody', { status: 'valid' })).rejects.toThrow('nobody')
    })

    onStore('keeps a snapshot once per distinct content, whatever the order', async (store) => {
      const one = await store.putSnapshot([memory('m1'), memory('m2')], null)
      expect(await store.putSnapshot([memory('m2'), memory('m1')], null)).toBe(one)
      expect(await store.putSnapshot([memory('m1'), memory('m2', 'changed')], null)).not.toBe(one)
      expect((await store.getSnapshot(one)).map(({ id }) => id).sort()).toEqual(['m1', 'm2'])
    })

    onStore('rebuilds every snapshot of a long chain of additions, changes and removals', async (store) => {
      let now: Memory[] = []
      let parent: string | null = null
      const kept: [string, Memory[]][] = []
      for (let i = 0; i < 120; i++) {
        now = [...now.filter((_, j) => (i + j) % 11 !== 0), memory(`m${i}`, `said at ${i}`)]
        parent = await store.putSnapshot(now, parent)
        kept.push([parent, now])
      }
      const byId = (list: Memory[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1))
      for (const [hash, memories] of kept) expect(byId(await store.getSnapshot(hash))).toEqual(byId(memories))
    })

    onStore('refuses a snapshot that was never put', async (store) => {
      await expect(store.getSnapshot('nothing')).rejects.toThrow('nothing')
    })

    onStore('keeps an empty store as a snapshot of its own', async (store) => {
      expect(await store.getSnapshot(await store.putSnapshot([], null))).toEqual([])
    })

    onStore('gives back witnesses whole, ordered by question and depth, and replaces an equal unit', async (store) => {
      const repaired = witness('q2', 5, { repairs: { tokens: 7, cost: null } })
      const odd = witness('q1', 1, { retrieved: ['yes "\u0000\n'], scores: [1], cost: null })
      await store.putWitnesses(LIFE, [repaired, witness('q2', 1)])
      await store.putWitnesses(LIFE, [witness('q1', 1, { error: 'timed out' })])
      await store.putWitnesses(LIFE, [odd])
      const kept = [odd, witness('q2', 1), repaired]
      expect(await store.getWitnesses(LIFE)).toEqual(kept)
      const keys = kept.map(({ question, depth, error }) => ({ question, depth, error }))
      expect(await store.witnessKeys(LIFE)).toEqual(keys)
    })

    onStore(
      'keeps every depth as it is: budgets from large to small, then memories from few to many',
      async (store) => {
        const depths: Depth[] = [{ k: 10 }, { tokens: 250 }, { k: 9 }, { tokens: 1 }, { tokens: 1000 }]
        const witnesses = depths.map((depth) => witness('q', 1, { depth }))
        await store.putWitnesses(LIFE, [...witnesses, witness('r', 1, { depth: 'all' })])
        const kept = [{ tokens: 1000 }, { tokens: 250 }, { tokens: 1 }, { k: 9 }, { k: 10 }, 'all']
        expect((await store.getWitnesses(LIFE)).map(({ depth }) => depth)).toEqual(kept)
        expect((await store.witnessKeys(LIFE)).map(({ depth }) => depth)).toEqual(kept)
      },
    )

    onStore('keeps lives apart', async (store) => {
      await store.putWitnesses(LIFE, [witness('q1', 1)])
      const subjects = [
        { system: 'dense', model: null },
        { system: 'bm25', model: 'm' },
      ].map((subject) => ({ subject }))
      for (const other of [{ run: 'r2' }, ...subjects, { scenario: 'x' }, { trial: 1 }])
        expect(await store.getWitnesses({ ...LIFE, ...other })).toEqual([])
    })

    onStore('gives back moments', async (store) => {
      await store.putMoment(LIFE, moment('p1'))
      await store.putMoment(LIFE, moment('p1'))
      expect(await store.getMoments(LIFE)).toEqual([moment('p1')])
    })

    onStore('keeps verdicts on facts by judge and content, whatever the run', async (store) => {
      await store.putFactVerdicts('lexical@1', 'snap', new Map([['h1', verdict('fact')]]))
      await store.putFactVerdicts('lexical@1', 'snap', new Map([['h2', verdict('f2')]]))
      const verdicts = { h1: verdict('fact'), h2: verdict('f2') }
      expect(Object.fromEntries(await store.getFactVerdicts('lexical@1', 'snap'))).toEqual(verdicts)
      expect((await store.getFactVerdicts('lexical@2', 'snap')).size).toBe(0)
    })

    onStore('keeps what judges said of stores by judge and content, whatever the run', async (store) => {
      await store.putStoreSides('lexical@1', 'snap', new Map([['q1', { order: 'kept' }]]))
      await store.putStoreSides('lexical@1', 'snap', new Map([['q2', {}]]))
      const sides = { q1: { order: 'kept' }, q2: {} }
      expect(Object.fromEntries(await store.getStoreSides('lexical@1', 'snap'))).toEqual(sides)
      expect((await store.getStoreSides('lexical@2', 'snap')).size).toBe(0)
    })

    onStore('keeps answers by reader, and grades by reader and judge', async (store) => {
      const odd = answer('q1', 'p\u0000')
      await store.putAnswers(LIFE, 'r@1', [odd])
      await store.putAnswers(LIFE, 'r@1', [odd])
      expect(await store.getAnswers(LIFE, 'r@1')).toEqual([odd])
      expect(await store.getAnswers(LIFE, 'other')).toEqual([])
      await store.putGrades(LIFE, 'r@1', 'lexical@1', [grade('q1', 'all')])
      expect(await store.getGrades(LIFE, 'r@1', 'lexical@1')).toEqual([grade('q1', 'all')])
      expect(await store.getGrades(LIFE, 'other', 'lexical@1')).toEqual([])
      expect(await store.getGrades(LIFE, 'r@1', 'llm')).toEqual([])
      await store.putCounterfactuals(LIFE, 'r@1', 'lexical@1', [counterfactual('q1')])
      expect(await store.getCounterfactuals(LIFE, 'r@1', 'lexical@1')).toEqual([counterfactual('q1')])
      expect(await store.getCounterfactuals(LIFE, 'none', 'lexical@1')).toEqual([])
    })

    onStore('keeps what storing took', async (store) => {
      expect(await store.getIngest(LIFE)).toBeNull()
      await store.putIngest(LIFE, { tokens: { ingest: 12 }, cost: null })
      expect(await store.getIngest(LIFE)).toEqual({ tokens: { ingest: 12 }, cost: null })
    })

    onStore('counts attempts at a life, over forgetting and closing', async (store) => {
      expect([await store.beginAttempt(LIFE), await store.beginAttempt(LIFE)]).toEqual([1, 2])
      expect(await store.beginAttempt({ ...LIFE, trial: 1 })).toBe(1)
      await store.forgetLife(LIFE)
      const other = await subject.open(false)
      expect(await other.beginAttempt(LIFE)).toBe(3)
      await other.close()
    })

    onStore('forgets what was witnessed, answered and judged at one probe, and nothing else', async (store) => {
      for (const [question, probe] of Object.entries({ q1: 'p1', q2: 'p2' })) {
        await store.putMoment(LIFE, moment(probe))
        await store.putWitnesses(LIFE, [witness(question, 1, { probe })])
        await store.putAnswers(LIFE, 'r', [answer(question)])
        await store.putGrades(LIFE, 'r', 'j', [grade(question)])
        await store.putCounterfactuals(LIFE, 'r', 'j', [counterfactual(question)])
      }
      await store.putWitnesses({ ...LIFE, trial: 1 }, [witness('q1', 1)])
      await store.forgetProbe(LIFE, 'p1')
      const left = [
        await store.getWitnesses(LIFE),
        await store.getAnswers(LIFE, 'r'),
        await store.getGrades(LIFE, 'r', 'j'),
        await store.getCounterfactuals(LIFE, 'r', 'j'),
      ]
      expect(left.map((rows) => rows.map(({ question }) => question))).toEqual([['q2'], ['q2'], ['q2'], ['q2']])
      expect(await store.getMoments(LIFE)).toHaveLength(2)
      expect(await store.getWitnesses({ ...LIFE, trial: 1 })).toHaveLength(1)
    })

    onStore('tells what there is of a run, so that it can be copied', async (store) => {
      const inside = { ...LIFE, subject: { system: 'notes', model: 'p:m' }, trial: 1 }
      for (const life of [LIFE, inside]) await store.beginAttempt(life)
      await store.beginAttempt(inside)
      await store.putAnswers(LIFE, 'r@1', [answer('q1')])
      for (const judge of ['k', 'j']) await store.putGrades(LIFE, 'r@1', judge, [grade('q1')])
      await store.putFactVerdicts('j', 'snap', new Map([['h1', verdict('fact')]]))
      await store.putStoreSides('k', 'snap', new Map([['q1', {}]]))
      expect(await store.livesOf('r1')).toEqual([
        { life: LIFE, attempts: 1 },
        { life: inside, attempts: 2 },
      ])
      expect(await store.livesOf('r2')).toEqual([])
      const grades = ['j', 'k'].map((judge) => ({ reader: 'r@1', judge }))
      expect(await store.partsOf(LIFE)).toEqual({ answers: [{ reader: 'r@1' }], grades, counterfactuals: [] })
      expect(await store.judgesOf('snap')).toEqual({ facts: ['j'], sides: ['k'] })
    })

    onStore('lets one hold a run at a time, and says who does', async (store) => {
      const holder = { pid: 7, host: 'here', since: DAY }
      const first = await store.holdRun('r1', holder)
      const other = await subject.open(false)
      expect(await other.holdRun('r1', { ...holder, pid: 8 })).toEqual({ held: false, by: holder })
      expect((await other.holdRun('r2', holder)).held).toBe(true)
      if (first.held) await first.release()
      expect((await other.holdRun('r1', { ...holder, pid: 8 })).held).toBe(true)
      await other.close()
    })

    it('still has everything after it is closed and opened again', async () => {
      const first = await subject.open(true)
      await first.createRun(run('r1'))
      const snapshot = await first.putSnapshot([memory('m1')], null)
      await first.putWitnesses(LIFE, [witness('q1', 1)])
      await first.close()
      const second = await subject.open(false)
      expect(await second.getRun('r1')).not.toBeNull()
      expect(await second.getSnapshot(snapshot)).toEqual([memory('m1')])
      expect(await second.getWitnesses(LIFE)).toHaveLength(1)
      await second.close()
    })
  })
}
