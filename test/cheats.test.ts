import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { depthKey } from '../src/model/index.js'
import type { WrittenCell as Cell, WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memscopeHere, root, temporaryFolder } from './cli.js'

const TASKS = ['conditional-easy', 'conditional-hard', 'coexisting', 'persona', 'long-hop']
const CHEATS = [
  'one-memory',
  'few-memories',
  'full-first',
  'other-text',
  'not-held',
  'echo',
  'too-many',
  'same-id',
  'no-longer',
  'recites',
  'reads-ids',
  'every-letter',
  'in-time',
  'picky',
]

let summary: Summary
let terminal: string

beforeAll(async () => {
  const systems = ['honest', ...CHEATS].map((name) => join(root, 'test/fixtures/cheats', `${name}.mjs`))
  const depths = ['--k', '1,5', '--token-budget', '250,1000']
  const asked = ['run', '--suite', 'memfail', '--size', '8', ...depths, '--system', systems.join(',')]
  const home = temporaryFolder()
  const { out } = await memscopeHere([...asked, '--quiet', '--json', '-', '--home', home])
  summary = JSON.parse(out)
  terminal = (await memscopeHere(['report', 'last', '--md', '-', '--home', home])).out
})

/** The cell of a memory; `depth` as gates write it. */
function cell(system: string, task: string, depth: string): Cell {
  return summary.cells.find((one) => one.system === system && one.task === task && depthKey(one.depth) === depth)!
}

const evidence = (system: string, task: string, depth: string) => cell(system, task, depth).evidence?.rate ?? null
const errors = (system: string, depth: string) =>
  TASKS.map((task) => cell(system, task, depth)).map(({ n, errors: failed }) => failed === n)

describe('a memory that cheats gets what an honest reading gives it:', () => {
  it('everything in one memory is above the ceiling of k, said as such, and does not fit tokens', () => {
    for (const task of ['coexisting', 'long-hop']) {
      expect(cell('one-memory', task, '1')).toMatchObject({ aboveCeiling: true, scores: { ceiling: 0 } })
      expect(cell('honest', task, '1').aboveCeiling).toBeUndefined()
    }
    for (const task of TASKS) expect(evidence('one-memory', task, '250t')).toBe(0)
    expect(terminal).toMatch(/one-memory[^|]*above the ceiling at k = 1[^|]*compare by tokens/)
  })

  it('everything in as many memories as are asked for is above it too, and fills no budget', () => {
    expect(cell('few-memories', 'long-hop', '5')).toMatchObject({ aboveCeiling: true })
    for (const task of TASKS) expect(evidence('few-memories', task, '250t')).toBe(0)
  })

  it('a memory too large for the budget ends the reading', () => {
    for (const task of TASKS) expect(evidence('full-first', task, '250t')).toBe(0)
  })

  it('another text under the id of a memory is an error', () => {
    for (const depth of ['1', '5', '250t', '1000t']) expect(errors('other-text', depth)).toEqual(TASKS.map(() => true))
  })

  it('what is not in its dump was not stored', () => {
    for (const task of TASKS) {
      const { outcomes, evidence: found } = cell('not-held', task, '5')
      expect(outcomes.not_stored).toBe(found!.n)
    }
  })

  it('a store that takes in questions is an error', () => {
    for (const depth of ['1', '5', '250t', '1000t']) expect(errors('echo', depth)).toEqual(TASKS.map(() => true))
  })

  it('more memories than were asked for are an error, and budgets are cut all the same', () => {
    expect(errors('too-many', '5')).toEqual(TASKS.map(() => true))
    for (const task of TASKS) expect(evidence('too-many', task, '250t')).toBe(evidence('honest', task, '250t'))
  })

  it('text in the place of a time is an error', () => {
    for (const depth of ['1', '5', '250t', '1000t']) expect(errors('in-time', depth)).toEqual(TASKS.map(() => true))
  })

  it('questions it throws at count as failed, where a number is compared or gated, and are told', () => {
    const failed = TASKS.map((task) => cell('picky', task, '5')).filter(({ n, errors }) => errors > 0 && errors < n)
    expect(failed.length).toBeGreaterThan(0)
    for (const { task, evidence: found } of failed) {
      const honest = cell('honest', task, '5').evidence!
      expect(found!.errors).toBeGreaterThan(0)
      expect(found!.bounds[0]).toBeLessThanOrEqual(honest.rate)
    }
    expect(terminal).toMatch(/\? picky: \d+ of \d+ questions could not be measured/)
  })

  it('several memories of one id are an error', () => {
    expect(errors('same-id', '5')).toEqual(TASKS.map(() => true))
  })

  it('facts that hold, kept as if they no longer did, are damaged', () => {
    for (const task of TASKS) {
      const { outcomes, evidence: found } = cell('no-longer', task, '5')
      expect(outcomes.summary_error).toBe(found!.n)
    }
  })

  it('an answer that recites the store is no answer', () => {
    for (const task of ['coexisting', 'persona', 'long-hop']) expect(cell('recites', task, '5').answer!.correct).toBe(0)
  })

  it('the id of a question tells nothing', () => {
    for (const task of ['coexisting', 'persona', 'long-hop'])
      expect(cell('reads-ids', task, '5').answer!.correct).toBe(0)
  })

  it('an answer that names every option chooses none', () => {
    expect(cell('every-letter', 'long-hop', '5').answer!.correct).toBe(0)
  })
})

it('says that such a run is invalid', () => {
  expect(summary.status).toBe('invalid')
})
