import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf } from '../bench/reading-model.js'
import type { CriteriaCase } from '../src/judges/gold.js'
import type { Scenario } from '../src/model/index.js'
import type { WrittenCell as Cell, WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memora } from '../src/suites/memora/index.js'
import { memscopeHere, temporaryFolder } from './cli.js'
import { comparable } from './llm.js'
import { Cast, criteriaOf, saidIn } from './memora-cast.js'

const TASKS = ['remembering', 'reasoning', 'recommending']
const MEMORY = ['--system', 'bm25:unit=conversation', '--k', '10']
const PANEL = 'panel:first:m,second:m,third:m'
const cwd = temporaryFolder()
let cast: Cast

/** What each judge was asked about, call by call. */
const asked: Record<string, ('facts' | 'criteria')[]> = { first: [], second: [], third: [], broken: [] }

beforeAll(async () => {
  const load = { size: 'quick' as const, seed: 42, view: 'audited' as const, extra: { days: '7', personas: 'all' } }
  const scenario: Scenario = (await memora.load(load)).scenarios[0]!
  cast = new Cast(scenario)
  await cast.open('reader', (call) => cast.read(call))
  for (const name of Object.keys(asked)) {
    await cast.open(name, (call) => {
      const prompt = call.request.messages.find(({ role }) => role === 'user')!.content
      const about = blocksOf(prompt).some((block) => block.name === 'criteria') ? 'criteria' : 'facts'
      asked[name]!.push(about)
      if (name === 'broken') return 'I would rather not say.'
      return cast.judge(call, (honest, place) => (name === 'second' && place % 5 === 0 ? 'unclear' : honest))
    })
  }
})
afterAll(() => cast.close())

async function command(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  for (const calls of Object.values(asked)) calls.length = 0
  return memscopeHere([...args, '--quiet', '--json', '-'], { cwd, env: cast.env })
}

/** A run in a home of its own, so that nothing is known from another. */
async function run(home: string, ...judges: string[]): Promise<{ code: number | null; summary: Summary; out: string }> {
  const life = ['--suite', 'memora', '--size', 'quick', '--days', '7', ...MEMORY, '--reader', 'reader:m']
  const { code, out, err } = await command('run', ...life, ...judges, '--home', home)
  if (out === '') throw new Error(err)
  return { code, out, summary: JSON.parse(out) as Summary }
}

const of = ({ cells }: Summary, task: string): Cell => cells.find((cell) => cell.task === task)!
const evidenceOf = ({ cells }: Pick<Summary, 'cells'>) =>
  cells.map(({ evidence, facts, scores: { evidence_presence: presence } }) => ({ evidence, facts, presence }))
const famaOf = (summary: Summary) => TASKS.map((task) => of(summary, task).scores.fama)
const counts = () => Object.fromEntries(Object.entries(asked).map(([name, calls]) => [name, calls.length]))

describe('judges of facts and of answers, chosen apart', () => {
  it('ask a panel for answers about criteria alone, and leave facts to the other', async () => {
    const whole = await run('whole', '--judge', PANEL)
    expect(new Set(asked.first)).toEqual(new Set(['facts', 'criteria']))
    const criteria = asked.first!.filter((about) => about === 'criteria').length
    const plain = await run('plain')
    const { code, summary } = await run('apart', '--fact-judge', 'lexical', '--answer-judge', PANEL)
    expect([code, summary.status]).toEqual([0, 'valid'])
    for (const name of ['first', 'second', 'third']) expect(asked[name]).toEqual(Array(criteria).fill('criteria'))
    expect(famaOf(summary)).toEqual(famaOf(whole.summary))
    expect(evidenceOf(summary)).toEqual(evidenceOf(plain.summary))
    expect(summary.panel!.facts).toBeNull()
    expect(summary.panel!.answers).toEqual(whole.summary.panel!.answers)
    const judge = { facts: 'lexical', answers: expect.stringMatching(/^panel:/) }
    expect(summary.cells.map((cell) => cell.judge)).toEqual(summary.cells.map(() => judge))
    expect(summary.overall!.map((row) => row.judge)).toEqual([judge])
    expect(summary.run.settings).toMatchObject({ 'judge of facts': 'lexical', 'judge of answers': PANEL })
    const { out: csv } = await memscopeHere(['report', 'last', '--home', 'apart', '--csv', '-', '--quiet'], {
      cwd,
      env: cast.env,
    })
    expect(csv.split('\n')[0]).toContain(',reader,fact_judge,answer_judge,k,')
    expect(csv.split('\n')[1]).toContain(',reader:m,lexical,"panel:')
  })

  it('leave criteria to be drawn for people, as many of every pattern of votes, and labels to be compared', async () => {
    const env = cast.env
    const say = (...args: string[]) => memscopeHere(['judge', ...args, '--home', 'apart'], { cwd, env })
    const drawn = await say('sample', 'last', '--of', 'criteria', '--n', '12', '--out', 'blind.jsonl')
    expect([drawn.code, drawn.err]).toEqual([0, ''])
    expect(drawn.out).toMatch(
      /^12 cases in blind\.jsonl, drawn alike from \d kinds of verdict on criteria out of \d+ verdicts/,
    )
    const blind = readFileSync(join(cwd, 'blind.jsonl'), 'utf8')
    expect(blind).not.toMatch(/votes|reason|"label":"(yes|no)"/)
    const cases = blind
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CriteriaCase)
    // Who said "unclear" is told by the place of the criterion: both patterns of every verdict were drawn.
    const places = cases.map(({ question, criteria: [one] }) => {
      const asked = cast.questions.find(({ text }) => text === question)!
      const place = criteriaOf(asked).findIndex(({ id }) => id === one!.id)
      const silent = cast.heard.get(asked.id)!.answer === ''
      return `${!silent && place % 5 === 0} ${saidIn(cast.heard.get(asked.id)!.answer, criteriaOf(asked)[place]!)}`
    })
    const counts = [...new Set(places)].map((kind) => places.filter((one) => one === kind).length)
    expect(counts).toEqual(Array(4).fill(3))
    const label = (turned: number) =>
      cases
        .map((one, i) => {
          const asked = cast.questions.find(({ text }) => text === one.question)!
          const criterion = criteriaOf(asked).find(({ id }) => id === one.criteria[0]!.id)!
          const truth = saidIn(one.answer, criterion)
          const given = i < turned ? (truth === 'yes' ? 'no' : 'yes') : truth
          return JSON.stringify({ ...one, criteria: [{ ...one.criteria[0], label: given }] })
        })
        .join('\n')
    writeFileSync(join(cwd, 'anna.jsonl'), label(0))
    writeFileSync(join(cwd, 'ben.jsonl'), label(3))
    const judged = await say('eval', '--gold', 'anna.jsonl', '--judge', 'lexical', '--json', '-')
    expect(JSON.parse(judged.out)).toMatchObject({ n: 12, accuracy: 1, kappa: 1 })
    const agreed = await say('agree', 'anna.jsonl', 'ben.jsonl', '--json', '-')
    expect(JSON.parse(agreed.out)).toMatchObject({ criteria: { n: 12, agreement: 0.75, unlabelled: 0 } })
    expect((await say('agree', 'anna.jsonl', 'ben.jsonl')).out).toMatch(/criteria +12 +75\.0 % +46\.8–91\.1 +0\.\d+/)
    expect((await say('sample', 'last', '--of', 'answers')).err).toMatch(/left no verdicts on answers/)
    const all = await say('sample', 'last', '--n', '4', '--out', 'all.jsonl')
    expect(all.out).toMatch(/4 cases in all-facts\.jsonl[\s\S]*4 cases in all-criteria\.jsonl/)
    expect((await say('sample', 'last', '--out', 'all.jsonl')).err).toMatch(/all-facts\.jsonl is there already/)
  })

  it('give FAMA also where no fact can be judged; outcome, evidence and causes stay unknown', async () => {
    const judges = ['--fact-judge', 'llm:broken:m', '--answer-judge', 'llm:first:m']
    const { code, summary } = await run('unusable', ...judges)
    expect(new Set(asked.broken)).toEqual(new Set(['facts']))
    const plain = await run('plain', '--judge', 'llm:first:m')
    const n = cast.questions.length
    expect([code, summary.status, summary.errors]).toEqual([3, 'invalid', n])
    expect(famaOf(summary)).toEqual(famaOf(plain.summary))
    for (const task of TASKS) {
      const [cell, known] = [of(summary, task), of(plain.summary, task)]
      expect([cell.errors, cell.evidence, cell.facts.n]).toEqual([cell.n, null, 0])
      expect(cell.answer).toEqual({ ...known.answer, n: cell.n })
      expect([cell.scores.mpa, cell.scores.faa]).toEqual([known.scores.mpa, known.scores.faa])
      expect([cell.scores.evidence_presence, cell.scores.misread, cell.scores.success]).toEqual([null, 0, null])
      const missed = cast.questions
        .filter((question) => question.task === task)
        .flatMap((question) =>
          criteriaOf(question).filter((one) => saidIn(cast.heard.get(question.id)!.answer, one) !== one.expected),
        )
      expect([cell.scores.criteria_missed, cell.scores.cause_unknown]).toEqual([missed.length, missed.length])
    }
  })

  it('are judged again one at a time: who stays is asked nothing, and what they said stands', async () => {
    const both = await run('again', '--judge', 'llm:first:m')
    const before = comparable(both.out)
    const answers = await command('rejudge', 'last', '--home', 'again', '--answer-judge', 'llm:third:m')
    expect(answers.code).toBe(0)
    expect(counts()).toMatchObject({ first: 0, second: 0, broken: 0 })
    expect(new Set(asked.third)).toEqual(new Set(['criteria']))
    const regraded = comparable(answers.out)
    expect(evidenceOf(regraded)).toEqual(evidenceOf(before))
    const [first, third] = [before.cells[0]!.judge.facts, regraded.cells[0]!.judge.answers]
    expect(regraded.cells[0]!.judge).toEqual({ facts: first, answers: third })
    expect(third).toMatch(/^llm:third:m/)
    const facts = await command('rejudge', 'last', '--home', 'again', '--fact-judge', 'lexical')
    expect(facts.code).toBe(0)
    expect(counts()).toEqual({ first: 0, second: 0, third: 0, broken: 0 })
    expect(comparable(facts.out).cells[0]!.judge).toEqual({ facts: 'lexical', answers: first })
    expect(TASKS.map((task) => of(JSON.parse(facts.out), task).scores.fama)).toEqual(famaOf(both.summary))
  })

  it('leave facts that could not be judged alone when only answers are judged again', async () => {
    await run('open', '--fact-judge', 'llm:broken:m', '--answer-judge', 'llm:first:m')
    expect((await command('rejudge', 'last', '--home', 'open', '--answer-judge', 'llm:third:m')).code).toBe(3)
    expect(counts()).toMatchObject({ broken: 0, first: 0 })
    expect((await command('rejudge', 'last', '--home', 'open', '--fact-judge', 'llm:third:m')).code).toBe(0)
    expect(counts()).toMatchObject({ broken: 0, first: 0 })
    expect(new Set(asked.third)).toEqual(new Set(['facts']))
  })

  it('are those of --judge when both are the same, whatever was typed besides; one named apart wins', async () => {
    const one = await run('one', '--judge', 'llm:first:m')
    const calls = counts()
    const two = await run('two', '--fact-judge', 'llm:first:m', '--answer-judge', 'llm:first:m')
    expect([comparable(two.out), counts()]).toEqual([comparable(one.out), calls])
    expect(two.summary.run.settings).toEqual(one.summary.run.settings)
    const apart = await run('three', '--judge', 'llm:first:m', '--fact-judge', 'lexical')
    expect(new Set(asked.first)).toEqual(new Set(['criteria']))
    expect(apart.summary.cells[0]!.judge).toEqual({ facts: 'lexical', answers: expect.stringMatching(/^llm:first:m/) })
    const resumed = await command('run', '--resume', 'last', '--home', 'three', '--answer-judge', 'llm:third:m')
    expect([resumed.code, resumed.err]).toEqual([2, expect.stringMatching(/another --answer-judge: "llm:first:m"/)])
  })

  it('are refused where one goes by question and the other does not', async () => {
    const life = ['--suite', 'memora', '--size', 'quick', '--days', '7', ...MEMORY, '--reader', 'reader:m']
    const { code, err } = await command('run', ...life, '--answer-judge', 'paper:first:m')
    expect([code, err]).toEqual([2, expect.stringMatching(/decides facts and answers in one: facts by lexical/)])
  })
})
