import { beforeAll, describe, expect, it } from 'vitest'
import {
  conversationsOf,
  type LoadedSuite,
  probesOf,
  questionsOf,
  type Scenario,
  type ScoredQuestion,
  type Suite,
  type SuiteOptions,
  type SuitePart,
  type SuiteResults,
} from '../model/index.js'

/** What the checks need to know of a suite. */
export interface SuiteUnderTest {
  suite: Suite
  /** How it is loaded, where a quick look is not quick enough. */
  options?: Partial<SuiteOptions>
}

const NAME = /^[\w-]+$/

/**
 * What every suite must do: the same scenarios for the same seed, whose questions rest on facts that were said before they are asked; only
 * scores that it declares; and sections that can be drawn of whatever was measured, be it nothing.
 *
 * @example runSuiteConformance({ suite: mySuite })
 */
export function runSuiteConformance({ suite, options = {} }: SuiteUnderTest): void {
  const load = (more: Partial<SuiteOptions> = {}): Promise<LoadedSuite> => {
    const extra = Object.fromEntries(Object.entries(suite.flags).map(([name, flag]) => [name, flag.default]))
    return suite.load({ view: 'audited', seed: 7, size: 'quick', extra, ...options, ...more })
  }

  describe(`${suite.name} as a suite`, () => {
    let loaded: LoadedSuite
    beforeAll(async () => {
      loaded = await load()
    })

    it('names itself, its tasks, scores and flags each by a word of its own', () => {
      const lists = [suite.tasks, suite.scores].map((list) => list.map(({ name }) => name))
      for (const names of [[suite.name], Object.keys(suite.flags), ...lists]) {
        for (const name of names) expect(name).toMatch(NAME)
        expect(new Set(names).size, names.join(', ')).toBe(names.length)
      }
      for (const { values, default: usual } of Object.values(suite.flags)) expect([usual, ...values]).toContain(usual)
      for (const tasks of Object.values(suite.groups ?? {}))
        for (const task of tasks) expect(suite.tasks.map(({ name }) => name)).toContain(task)
      expect(suite.defaultK.length).toBeGreaterThan(0)
    })

    it('loads the same for the same seed, byte for byte', async () => {
      const again = await load()
      expect(again.datasetHash).toBe(loaded.datasetHash)
      expect(JSON.stringify(again.scenarios)).toBe(JSON.stringify(loaded.scenarios))
      expect(new Set(loaded.scenarios.map(({ id }) => id)).size).toBe(loaded.scenarios.length)
      expect(loaded.scenarios.length).toBeGreaterThan(0)
    })

    it('asks only tasks that it declares, and of those only what is wanted', async () => {
      const declared = suite.tasks.map(({ name }) => name)
      for (const { task } of loaded.scenarios.flatMap(questionsOf)) expect(declared).toContain(task)
      const [first] = declared
      const questions = (await load({ tasks: [first!] })).scenarios.flatMap(questionsOf)
      // A question may bring the one it is paired with.
      const paired = new Set(questions.flatMap(({ pair }) => pair ?? []))
      expect(questions.length).toBeGreaterThan(0)
      for (const { id, task } of questions) if (!paired.has(id)) expect(task).toBe(first)
    })

    it('rests every question on facts that are there and were said before', () => {
      for (const scenario of loaded.scenarios) expect(faultsOf(scenario, suite.name)).toEqual([])
    })

    it('says to which cluster a question belongs, always the same, and puts paired questions into one', () => {
      const { unit, of } = suite.clusters
      expect(unit.trim()).toBe(unit)
      expect(unit).not.toBe('')
      const asked = loaded.scenarios.flatMap((scenario) =>
        questionsOf(scenario).map((question) => ({ question, scenario, cluster: of(question, scenario) })),
      )
      for (const { question, scenario, cluster } of asked) {
        expect(cluster).not.toBe('')
        expect(of(structuredClone(question), structuredClone(scenario))).toBe(cluster)
        const pair = asked.find((other) => other.scenario === scenario && other.question.id === question.pair)
        if (pair) expect(pair.cluster).toBe(cluster)
      }
    })

    it('guesses with chances from 0 to 1, one a question', () => {
      for (const scenario of loaded.scenarios)
        for (const { guess } of suite.guessers) {
          const chances = guess(scenario)
          expect(chances.length).toBe(questionsOf(scenario).length)
          for (const chance of chances) if (chance !== null) expect([chance >= 0, chance <= 1]).toEqual([true, true])
        }
    })

    it('gives only scores that it declares, as finite numbers or none', () => {
      const declared = suite.scores.map(({ name }) => name)
      for (const { floor } of suite.scores) if (floor !== undefined) expect(declared).toContain(floor)
      const questions = loaded.scenarios.flatMap(resultsOf)
      for (const { name: task } of suite.tasks)
        for (const reader of [true, false])
          for (const results of [questions.filter(({ question }) => question.task === task), []])
            for (const { name, value } of suite.score?.(results, { reader }) ?? []) {
              expect(declared).toContain(name)
              if (value !== null) expect(Number.isFinite(value), `${name} is ${value}`).toBe(true)
            }
      for (const { name } of suite.overall?.([], { ingest: 1, inference: 1, total: 2 }) ?? [])
        expect(declared).toContain(name)
      if (suite.answerScore) expect(declared).toContain(suite.answerScore.score)
    })

    it('has sections that are plain data, also of a run in which nothing was measured', () => {
      const points = { k: 5, depth: { k: 5 }, evidence: null, answer: null, scores: [] }
      const rows = [{ label: 'bm25', kind: 'system' as const, points: [points], shown: points }]
      const tasks = suite.tasks.map(({ name }) => ({ name, k: 5, ks: [5], rows }))
      const nothing: SuiteResults = {
        suite: suite.name,
        tasks,
        overall: [],
        tags: [],
        changes: [],
        agreement: [],
        costs: [],
      }
      for (const results of [nothing, { ...nothing, tasks: [] }]) {
        const sections = suite.sections?.(results) ?? []
        const parts = [...sections.flatMap((section) => section.parts), ...(suite.besidePaper?.(results) ?? [])]
        expect(JSON.parse(JSON.stringify(parts))).toEqual(parts)
        for (const { id, title } of sections) expect([id, title.trim()]).toEqual([expect.stringMatching(NAME), title])
        for (const part of parts) expect(unevenRows(part)).toEqual([])
      }
      for (const task of tasks) expect(suite.findings?.(task) ?? []).toEqual(expect.any(Array))
    })

    it('grades by rule, or leaves it to a judge', () => {
      for (const question of loaded.scenarios.flatMap(questionsOf))
        for (const answer of ['', question.gold.text]) {
          const grade = suite.grade(question, answer)
          if (grade) expect(['right', 'wrong', 'error']).toContain(grade.grade)
        }
    })
  })
}

/** What is wrong with a scenario, in words. */
function faultsOf(scenario: Scenario, suite: string): string[] {
  const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
  const ids = [
    ...facts.keys(),
    ...conversationsOf(scenario).map(({ id }) => id),
    ...probesOf(scenario).map(({ id }) => id),
  ]
  const questions = new Set(questionsOf(scenario).map(({ id }) => id))
  const faults = new Set<string>()
  const fault = (wrong: boolean, words: string) => wrong && faults.add(words)
  fault(scenario.suite !== suite, `it is of ${scenario.suite}`)
  fault(facts.size !== scenario.facts.length, 'two facts have one id')
  fault(questions.size !== questionsOf(scenario).length, 'two questions have one id')
  fault(new Set(ids).size < ids.length - facts.size, 'two conversations or probes have one id')
  const told = new Set<string>()
  let last = ''
  for (const event of scenario.timeline) {
    const { id, time } = event.type === 'conversation' ? event.conversation : event.probe
    fault(time < last, `${id} is earlier than what stands before it`)
    last = time
    if (event.type === 'conversation') {
      told.add(id)
      continue
    }
    for (const { id: question, needs, outdated, gone = [], tempting = [], pair } of event.probe.questions) {
      for (const fact of [...needs.flat(), ...outdated, ...gone, ...tempting])
        fault(!facts.has(fact), `${question} speaks of ${fact}, which is no fact`)
      // The first alternative is made of what was said.
      for (const source of (needs[0] ?? []).flatMap((fact) => facts.get(fact)?.sources ?? []))
        fault(!told.has(source), `${question} needs what is said in ${source}, later or never`)
      fault(pair !== undefined && !questions.has(pair), `${question} is paired with ${pair}, which is not asked`)
    }
  }
  return [...faults]
}

/** Its questions as if everything had gone well, and as if nothing had. */
function resultsOf(scenario: Scenario): ScoredQuestion[] {
  return questionsOf(scenario).flatMap((question) =>
    [true, false].map((well): ScoredQuestion => {
      const facts = (question.needs[0] ?? []).map((id) => ({ id, stored: well, faithful: well, retrieved: well }))
      const outdated = question.outdated.map((id) => ({ id, live: !well, standing: !well }))
      const outcome = well ? 'correct' : 'not_stored'
      const pair = question.pair === undefined ? null : { evidence: well, answer: well }
      const verdict = { grade: well ? ('right' as const) : ('wrong' as const), uncertain: false, reason: '' }
      const known = { outcome, evidence: well, answer: well, verdict, facts, outdated } as const
      return { question, scenario: scenario.id, ...known, side: {}, pair }
    }),
  )
}

function unevenRows(part: SuitePart): string[] {
  if (part.kind === 'fold') return part.parts.flatMap(unevenRows)
  const table = part.kind === 'table' ? part : part.kind === 'dots' ? part.table : undefined
  return (table?.rows ?? []).flatMap((row) => (row.length === table!.columns.length ? [] : [table!.title]))
}
