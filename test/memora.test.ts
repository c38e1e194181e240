import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, itemsOf } from '../bench/reading-model.js'
import { type Question, type Scenario, shownTokens } from '../src/model/index.js'
import type { WrittenCell as Cell, WrittenSummary as Summary } from '../src/report/summary-json.js'
import { memora } from '../src/suites/memora/index.js'
import { memscopeHere, temporaryFolder } from './cli.js'
import { Cast, criteriaOf, type Said, saidIn } from './memora-cast.js'

const TASKS = ['remembering', 'reasoning', 'recommending']
const cwd = temporaryFolder()
let scenario: Scenario
let cast: Cast

/** The panel: an honest judge, one that differs or cannot tell, one that fails at every other question. */
const VOTES: Record<string, (honest: 'yes' | 'no', place: number, question: Question) => Said> = {
  first: (honest) => honest,
  second: (honest, place) =>
    place % 4 === 0 ? (honest === 'yes' ? 'no' : 'yes') : place % 4 === 1 ? 'unclear' : honest,
  third: (honest, _, question) => (cast.questions.indexOf(question) % 2 === 0 ? null : honest),
}

beforeAll(async () => {
  const load = { size: 'quick' as const, seed: 42, view: 'audited' as const, extra: { days: '7', personas: 'all' } }
  scenario = (await memora.load(load)).scenarios[0]!
  cast = new Cast(scenario)
  await cast.open('reader', (call) => cast.read(call))
  for (const [name, vote] of Object.entries(VOTES)) await cast.open(name, (call) => cast.judge(call, vote))
})
afterAll(() => cast.close())

async function run(...args: string[]): Promise<{ code: number | null; summary: Summary; of: (task: string) => Cell }> {
  const fixed = ['--reader', 'reader:m', '--quiet', '--json', '-', ...args]
  const life = args.includes('--resume') ? [] : ['--suite', 'memora', '--size', 'quick', '--days', '7']
  const { code, out, err } = await memscopeHere(['run', ...life, ...fixed], { cwd, env: cast.env })
  if (out === '') throw new Error(err)
  const summary = JSON.parse(out) as Summary
  return { code, summary, of: (task) => summary.cells.find((cell) => cell.task === task)! }
}

const asked = (task: string) => cast.questions.filter((question) => question.task === task)
/** Of those that are known. */
function mean(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null)
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

/**
 * FAMA of one question in the paper's other form, from what was decided of each criterion: all of them, of which those that nobody decided
 * are incorrect, or only the decided ones. Null where there is nothing to be present.
 */
function famaByHand(
  question: Question,
  decided: (Said | undefined)[],
  counted: 'all' | 'judged',
): Record<'fama' | 'mpa' | 'faa', number | null> {
  const marks = criteriaOf(question)
    .map(({ type, expected }, at) => ({ type, met: decided[at] === expected, open: decided[at] == null }))
    .filter(({ open }) => counted === 'all' || !open)
  const of = (type: string) => marks.filter((one) => one.type === type)
  const wrong = of('forgetting').filter(({ met }) => !met).length
  const present = of('presence').filter(({ met }) => met).length / of('presence').length
  return {
    fama: Number.isNaN(present) ? null : Math.max(0, present - wrong / marks.length),
    mpa: Number.isNaN(present) ? null : present,
    faa: of('forgetting').length === 0 ? null : 1 - wrong / of('forgetting').length,
  }
}

/** What scores must be when criteria were decided so. A question of which nothing was decided is an error, and in no mean. */
function expectScores(cell: Cell, task: string, decide: (question: Question) => (Said | undefined)[]): void {
  const decided = asked(task).map((question) => ({ question, said: decide(question) }))
  const measured = decided.filter(({ said }) => said.some((one) => one != null))
  expect([cell.n, cell.errors]).toEqual([decided.length, decided.length - measured.length])
  const parts = measured.map(({ question, said }) => famaByHand(question, said, 'all'))
  const fama = mean(parts.map((part) => part.fama))
  const mpa = mean(parts.map((part) => part.mpa))
  const forgotten = parts.map(({ faa }) => faa)
  const { scores } = cell
  expect(scores.fama).toBeCloseTo(fama)
  expect(scores.fama_judged).toBeCloseTo(
    mean(measured.map(({ question, said }) => famaByHand(question, said, 'judged').fama)),
  )
  expect(scores.mpa).toBeCloseTo(mpa)
  if (forgotten.some((faa) => faa !== null)) expect(scores.faa).toBeCloseTo(mean(forgotten))
  else expect(scores.faa).toBeNull()
  expect(scores.reduction).toBeCloseTo(fama - mpa)
  expect(scores).toMatchObject({ fama_null: 0, mpa_null: 0 })
  expect(scores.fama_normalised).toBeCloseTo(fama)
  const all = measured.flatMap(({ said }) => said)
  const open = all.filter((one) => one == null).length
  expect([scores.criteria, scores.criteria_unjudged]).toEqual([all.length - open, open])
}

const honest = (question: Question) =>
  criteriaOf(question).map((one) => saidIn(cast.heard.get(question.id)!.answer, one))

describe('Memora read by a model', () => {
  it('is scored by hand and by the deterministic judge alike, with every missed criterion under a cause', async () => {
    const { code, summary, of } = await run('--system', 'bm25:unit=conversation', '--k', '10')
    expect([code, summary.status, summary.errors]).toEqual([0, 'valid', 0])
    for (const task of TASKS) {
      const { scores } = of(task)
      expectScores(of(task), task, honest)
      const causes = ['partial_retrieval', 'outdated_kept', 'misread', 'never_stored', 'damaged'].map(
        (name) => scores[name]!,
      )
      expect(causes.reduce((sum, count) => sum + count)).toBe(scores.criteria_missed)
      expect(causes.slice(3)).toEqual([0, 0])
      const unread = asked(task).flatMap((question) =>
        criteriaOf(question).filter(
          (one) =>
            one.type === 'presence' &&
            cast.mannerOf(question) === 'silent' &&
            cast.isShown(question, one, cast.heard.get(question.id)!.prompt),
        ),
      )
      expect(scores.misread).toBeGreaterThanOrEqual(unread.length)
    }
    expect(of('remembering').scores.partial_retrieval).toBeGreaterThan(0)
    expect(of('recommending').scores.faa).toBeLessThan(1)
    const tasks = TASKS.map((task) => of(task).scores)
    expect(summary.overall![0]!.scores.fama).toBeCloseTo(mean(tasks.map(({ fama }) => fama!)))
    expect(summary.overall![0]!.scores.mpa_sum).toBeCloseTo(3 * mean(tasks.map(({ mpa }) => mpa!)))
    expect(summary).not.toHaveProperty('panel')
  })

  it('is scored alike by a model that judges the same', async () => {
    const { code, of } = await run('--system', 'bm25:unit=conversation', '--k', '10', '--judge', 'llm:first:m')
    expect(code).toBe(0)
    for (const task of TASKS) expectScores(of(task), task, honest)
  })

  it('goes by the majority of a panel: failed and unclear votes are no votes, and neither a yes nor a no', async () => {
    const args = ['--system', 'bm25:unit=conversation', '--k', '10', '--judge', 'panel:first:m,second:m,third:m']
    const { summary, of } = await run(...args)
    // Of what silence meets nobody is asked: there all judges agree.
    const ballots = (question: Question) =>
      honest(question).map((said, place) => {
        const silent = cast.heard.get(question.id)!.answer === ''
        return Object.values(VOTES).map((vote) => (silent ? said : vote(said, place, question)))
      })
    const majority = (votes: Said[]) => {
      const [yes, no] = ['yes', 'no'].map((side) => votes.filter((vote) => vote === side).length) as [number, number]
      return yes === no || yes + no < 2 ? undefined : yes > no ? ('yes' as const) : ('no' as const)
    }
    for (const task of TASKS) expectScores(of(task), task, (question) => ballots(question).map(majority))
    expect(of('remembering').scores.criteria_unjudged).toBeGreaterThan(0)

    const all = cast.questions.flatMap(ballots)
    const panel = summary.panel!.answers!
    expect(panel.judges.map((name) => /llm:(\w+):m/.exec(name)![1])).toEqual(['first', 'second', 'third'])
    expect([panel.n, panel.unanimous]).toEqual([all.length, all.filter(([a, b, c]) => a === b && b === c).length])
    const counts = new Map<string, number>()
    for (const labels of all) counts.set(JSON.stringify(labels), (counts.get(JSON.stringify(labels)) ?? 0) + 1)
    expect(new Map(panel.patterns.map(({ labels, n }) => [JSON.stringify(labels), n]))).toEqual(counts)
    for (const [at, [i, j]] of (
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const
    ).entries()) {
      const both = all
        .map((votes) => [votes[i], votes[j]] as const)
        .filter((pair) => pair.every((vote) => vote === 'yes' || vote === 'no'))
      const agreed = mean(both.map(([a, b]) => Number(a === b)))
      const yes = (side: 0 | 1) => mean(both.map((pair) => Number(pair[side] === 'yes')))
      const chance = yes(0) * yes(1) + (1 - yes(0)) * (1 - yes(1))
      expect(panel.pairs[at]).toMatchObject({ n: both.length })
      expect(panel.pairs[at]!.agreement).toBeCloseTo(agreed)
      expect(panel.pairs[at]!.kappa).toBeCloseTo((agreed - chance) / (1 - chance))
    }
  })

  it('leaves a question that the reader could not answer out of every mean, until it is answered', async () => {
    const lost = asked('remembering')[1]!
    cast.failing.add(lost.id)
    const args = ['--system', 'bm25:unit=conversation', '--k', '20']
    const broken = await run(...args)
    expect([broken.code, broken.summary.status, broken.summary.errors]).toEqual([3, 'invalid', 1])
    const cell = broken.of('remembering')
    expect([cell.n, cell.errors]).toEqual([5, 1])
    const others = asked('remembering').filter((question) => question !== lost)
    expect(cell.scores.fama).toBeCloseTo(
      mean(others.map((question) => famaByHand(question, honest(question), 'all').fama)),
    )
    expect(cell.scores.criteria).toBe(others.flatMap(criteriaOf).length)
    cast.failing.clear()
    const { code, of } = await run('--resume', 'last')
    expect(code).toBe(0)
    expect([of('remembering').n, of('remembering').errors]).toEqual([5, 0])
    expectScores(of('remembering'), 'remembering', honest)
  })
})

describe('Memora in context', () => {
  const BUDGET = 12_000

  it('shows the newest conversations that fit, whole, both speakers, oldest first, and says what was cut off', async () => {
    const { of } = await run('--system', `full-context:budget=${BUDGET}`)
    const told = scenario.timeline.flatMap((event) => (event.type === 'conversation' ? [event.conversation] : []))
    const lines = told.map(({ turns }) =>
      turns.map(({ role, text }) => (role === 'assistant' ? `Assistant: ${text}` : text)),
    )
    const cost = (at: number) => lines[at]!.reduce((sum, text) => sum + shownTokens({ text, time: told[at]!.time }), 0)
    let first = told.length
    for (let left = BUDGET; first > 0 && cost(first - 1) <= left; first--) left -= cost(first - 1)
    expect(first).toBeGreaterThan(10)
    expect(first).toBeLessThan(told.length - 10)
    const kept = new Set(told.slice(first).map(({ id }) => id))
    for (const question of cast.questions) {
      const memories = itemsOf(blocksOf(cast.heard.get(question.id)!.prompt).find(({ name }) => name === 'memories')!)
      expect(memories.map(({ text }) => text.replace(/^\([^)]*\) /, ''))).toEqual(lines.slice(first).flat())
    }
    const sources = new Map(scenario.facts.map((fact) => [fact.id, fact.sources]))
    for (const task of TASKS) {
      const { scores, facts } = of(task)
      expectScores(of(task), task, honest)
      expect([facts.stored, facts.faithful]).toEqual([facts.n, facts.n])
      const cut = asked(task).flatMap((question) =>
        criteriaOf(question).filter(
          (one, at) =>
            one.type === 'presence' &&
            honest(question)[at] === 'no' &&
            one.facts.some((id) => question.needs[0]!.includes(id) && !sources.get(id)!.every((id) => kept.has(id))),
        ),
      )
      expect(cut.length).toBeGreaterThan(0)
      expect(scores.partial_retrieval).toBeGreaterThanOrEqual(cut.length)
      expect([scores.never_stored, scores.damaged]).toEqual([0, 0])
    }
  })
})
