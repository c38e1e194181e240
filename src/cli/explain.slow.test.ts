import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Attributed, attributionReport, blameOf } from '../analysis/attribution.js'
import { UserError } from '../base/errors.js'
import { type Counterfactual, depthKey } from '../model/index.js'
import { readArgs } from './args.js'
import { attributionTables, explain } from './explain.js'
import { run } from './run.js'

const NOTHING = { needed: true, store: false, stored: false, faithful: false, both: false }

function failed(id: string, parts: Partial<Counterfactual>): Attributed {
  const counterfactual: Counterfactual = { question: id, depth: { k: 5 }, ...NOTHING, ...parts }
  return {
    ...{
      suite: 's',
      task: 't',
      subject: { system: 'x', model: null },
      reader: null,
      question: id,
      text: '',
      depth: { k: 5 },
    },
    ...{ judged: 'not_retrieved', proven: blameOf(counterfactual), counterfactual },
  }
}

const many = Array.from({ length: 17 }, (_, at) => failed(`q${at}`, { both: true }))

it('says of how many questions the judge is proven right, and how many need more than one part', () => {
  const tables = (...attributed: Attributed[]) => {
    const overall = attributionReport(attributed)
    return attributionTables({ at: 'k = 5', overall, bySystem: { x: overall } })
  }
  expect(tables(failed('one', { store: true }), ...many)).toContain(
    'The judge agrees in 1 of 1 questions that one part explains; 17 of 18 need more than one part repaired.',
  )
  expect(tables(...many, failed('lost', { store: null }))).toContain(
    'No question has a single part that explains its failure; 17 of 18 need more than one part repaired; 1 of 18 could not be asked again.',
  )
})

describe('the depth that is explained', () => {
  let said = ''
  let noted = ''

  beforeEach(() => {
    said = ''
    noted = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said += String(text)
      return true
    })
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      noted += String(text)
      return true
    })
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  const home = () => mkdtempSync(join(tmpdir(), 'memscope-test-'))

  async function ran(folder: string, ...args: string[]): Promise<void> {
    const small = ['--suite', 'memfail/conditional-hard', '--size', '12', '--quiet', '--home', folder]
    expect(await run.run(readArgs(run, [...small, ...args]))).toBe(0)
    said = ''
  }

  async function explained(folder: string, ...args: string[]): Promise<string> {
    said = ''
    expect(await explain.run(readArgs(explain, ['last', '--quiet', '--home', folder, ...args]))).toBe(0)
    return said
  }

  it('is one that was run, and the text says which', async () => {
    const folder = home()
    await ran(folder, '--system', 'digest', '--k', '1,3')
    const deepest = await explained(folder)
    expect(deepest).toMatch(/^What failed at k = 3\.\n/)
    expect(deepest).toMatch(/\d+ failed questions/)
    expect(await explained(folder, '--k', '1')).toMatch(/^What failed at k = 1\.\n/)
    const { at, questions } = JSON.parse(await explained(folder, '--json', '-')) as {
      at: string
      questions: { k: number }[]
    }
    expect([at, new Set(questions.map(({ k }) => k))]).toEqual(['k = 3', new Set([3])])
  })

  it('is the suite’s default where that was run, and nothing failed is said of it by name', async () => {
    const folder = home()
    await ran(folder, '--system', 'digest', '--k', '3,5,8')
    expect(await explained(folder)).toMatch(/^What failed at k = 5\.\n/)
    const all = home()
    await ran(all, '--system', 'bm25', '--k', '50')
    expect(await explained(all)).toBe('Nothing failed at k = 50: there is nothing to explain.\n')
  })

  it('is refused when it was never run, with those that were', async () => {
    const folder = home()
    await ran(folder, '--system', 'digest', '--k', '1,3')
    const refused = explained(folder, '--k', '7')
    await expect(refused).rejects.toThrow(UserError)
    await expect(refused).rejects.toThrow(
      'Nothing was asked at k = 7, so nothing is known of it. This run was asked at k = 1, 3.',
    )
    await expect(explained(folder, '--token-budget', '500')).rejects.toThrow('Nothing was asked at 500 tokens')
    const fixed = home()
    await ran(fixed, '--system', 'full-context')
    await expect(explained(fixed, '--k', '7')).rejects.toThrow('the systems of this run have a fixed depth')
    expect(await explained(fixed)).toMatch(/in systems of fixed depth/)
  })

  it('may be a budget of tokens, one at a time', async () => {
    const folder = home()
    await ran(folder, '--system', 'digest', '--token-budget', '60,120')
    expect(await explained(folder)).toMatch(/^What failed at 120 tokens\.\n/)
    expect(await explained(folder, '--token-budget', '60')).toMatch(/^What failed at 60 tokens\.\n/)
    const { questions } = JSON.parse(await explained(folder, '--token-budget', '60', '--json', '-')) as {
      questions: Attributed[]
    }
    expect(new Set(questions.map(({ depth }) => depthKey(depth)))).toEqual(new Set(['60t']))
    expect(questions.length).toBeGreaterThan(0)
  })

  it('leaves out tasks that were not asked at it, and says so', async () => {
    const folder = home()
    const both = ['--suite', 'memfail/conditional-hard,memora', '--days', '7', '--size', '1', '--limit', '2']
    expect(await run.run(readArgs(run, [...both, '--system', 'digest', '--quiet', '--home', folder]))).toBe(0)
    expect(await explained(folder)).toMatch(/ at k = 5 \(memfail\/conditional-hard\), k = 50 \(memora\//)
    noted = ''
    expect(await explained(folder, '--k', '5')).toMatch(/ at k = 5[.:]/)
    expect(noted).toContain('memora/remembering was not asked at k = 5, only at k = 50: it is left out.')
  })
})
