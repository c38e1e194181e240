import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actingModel, PRICES, SPEC } from '../bench/llm-model.js'
import { FAULTS, type ScriptedModel } from '../src/gateway/index.js'
import type { AnswersEvaluation } from '../src/judges/eval-answers.js'
import type { AnswerGold } from '../src/judges/gold.js'
import type { LlmRole, Summary } from '../src/model/index.js'
import { comparable, Stage } from './llm.js'

/** The undisturbed run that all others are compared with. */
let calm: Stage
let truth: string

beforeAll(async () => {
  calm = await Stage.open()
  const { code, out, err } = await calm.run('--budget', '1')
  expect(err).toBe('')
  expect(code).toBe(0)
  truth = out
})

afterAll(() => calm.server.close())

/** What a provider would charge for everything the model wrote, arrived or not. */
function billed({ stats: { billed: usage } }: ScriptedModel): number {
  const { input, output } = PRICES[SPEC]!
  return (usage.input * input + usage.output * output) / 1e6
}

/** Requests that came, by their part in a run, each counted once. */
function distinct(model: ScriptedModel): Record<LlmRole, number> {
  const parts: Record<string, Set<string>> = { ingest: new Set(), answer: new Set(), judge: new Set() }
  for (const { request } of model.requests) {
    if (!('messages' in request) || request.messages.length > 2) continue
    const properties = Object.keys(request.format?.schema?.properties ?? {})
    const part = properties.includes('note') ? 'ingest' : request.format ? 'judge' : 'answer'
    parts[part]!.add(JSON.stringify(request.messages))
  }
  return Object.fromEntries(Object.entries(parts).map(([part, seen]) => [part, seen.size])) as Record<LlmRole, number>
}

describe('a run whose memory, reader and judge are models', () => {
  it('is valid, with the tokens of every part and a cost', () => {
    const { status, errors, cells } = comparable(truth)
    const measured = cells.filter(({ system }) => system === 'llm-notes')
    expect([status, errors, measured.length]).toEqual(['valid', 0, 5])
    for (const cell of measured) {
      const judge = expect.stringMatching(`^llm:${SPEC}`)
      expect([cell.model, cell.reader, cell.judge]).toEqual([SPEC, SPEC, { facts: judge, answers: judge }])
      expect(cell.tokens).toMatchObject({ ingest: expect.any(Number), answer: expect.any(Number) })
      expect(cell.cost).toBeGreaterThan(0)
      expect(cell.answer).not.toBeNull()
    }
    const { calls } = calm.model.stats
    const { ingest, answer, judge } = distinct(calm.model)
    expect(ingest + answer + judge).toBe(calls)
    expect(answer).toBe(measured.reduce((sum, { n }) => sum + n, 0))
  })

  it('gives the same with 30 % faults of every kind: nothing lost, nothing doubled, nothing above the budget', async () => {
    const stage = await Stage.open(actingModel({ faults: { rate: 0.3, seed: 5, slowMs: 10 } }))
    // A server that hangs is waited for no longer than this.
    const { code, out } = await stage.run('--budget', '1', '--llm', 'timeout=3')
    expect(code).toBe(0)
    expect(Object.keys(stage.model.stats.faults).sort()).toEqual([...FAULTS].sort())
    // Tokens and cost too: what repairs took differs between equal runs, so it is told under timing.
    expect(JSON.stringify(comparable(out))).toBe(JSON.stringify(comparable(truth)))
    expect(distinct(stage.model)).toEqual(distinct(calm.model))
    const [{ timing }, undisturbed] = [JSON.parse(out), JSON.parse(truth)] as [Summary, Summary]
    expect(undisturbed.timing).not.toHaveProperty('repairTokens')
    expect(timing.judgeTokens).toBe(undisturbed.timing.judgeTokens)
    expect(timing.repairTokens).toBeGreaterThan(1000)
    expect(timing.repairCost).toBeGreaterThan(0.001)
    expect(billed(stage.model)).toBeGreaterThan(billed(calm.model) + timing.repairCost! / 2)
    expect(billed(stage.model)).toBeLessThanOrEqual(1)
    const again = await stage.play(['report', 'last', '--quiet', '--json', '-'])
    expect(again.out).toBe(out)
    await stage.server.close()
  })

  it.each([
    ['in ingest', 0.02],
    ['later', 0.08],
  ])('stops when its budget is spent %s, says so, and goes on with a larger one to the same result', async (_, usd) => {
    const stage = await Stage.open()
    const stopped = await stage.run('--budget', String(usd))
    expect(stopped.code).toBe(3)
    expect(stopped.err).toMatch(/of the budget of \$\d\.\d+ \$\d\.\d+ is spent\.\n.*--resume and a larger --budget/)
    expect(stopped.err).not.toMatch(/fault in Memscope|\n {4}at /)
    expect(billed(stage.model)).toBeGreaterThan(0)
    expect(billed(stage.model)).toBeLessThanOrEqual(usd)
    const models = ['--prices', stage.prices, '--quiet', '--json', '-']
    const still = await stage.play(['run', '--resume', 'last', '--budget', String(usd), ...models])
    expect(still.code).toBe(3)
    expect(billed(stage.model)).toBeLessThanOrEqual(usd)
    const { code, out } = await stage.play(['run', '--resume', 'last', '--budget', '1', ...models])
    expect(code).toBe(0)
    expect(comparable(out)).toEqual(comparable(truth))
    expect(stage.model.stats.calls).toBe(calm.model.stats.calls)
    await stage.server.close()
  })

  it('replays from a cassette without its server and without a home', async () => {
    const stage = await Stage.open()
    const tape = join(stage.cwd, 'tape.jsonl')
    const recorded = await stage.run('--record', tape)
    expect(comparable(recorded.out)).toEqual(comparable(truth))
    await stage.server.close()
    const replayed = await stage.run('--replay', tape, '--home', join(stage.cwd, 'another'))
    expect(replayed.code).toBe(0)
    expect(comparable(replayed.out)).toEqual(comparable(truth))
    const strange = await stage.run('--replay', tape, '--home', join(stage.cwd, 'third'), '--size', '7')
    expect(strange.code).toBe(3)
    expect(strange.err).toMatch(/is not on the cassette/)
  })

  it('is judged, answered and explained again, asking only for what is new', async () => {
    const asked = async (...args: string[]) => {
      const before = calm.model.stats.calls
      const { code, out, err } = await calm.play(args)
      expect(err.replace(/\r.*/g, '')).not.toMatch(/memscope:/)
      expect(code).toBe(0)
      return { out, calls: calm.model.stats.calls - before }
    }
    const plain = ['--prices', calm.prices, '--quiet', '--json', '-']
    const same = await asked('rejudge', 'last', '--judge', `llm:${SPEC}`, ...plain)
    expect([same.calls, comparable(same.out)]).toEqual([0, comparable(truth)])
    const ingestAndAnswers = () => {
      const { ingest, answer } = distinct(calm.model)
      return [ingest, answer]
    }
    const before = ingestAndAnswers()
    const other = await asked('rejudge', 'last', '--judge', 'llm:openai-compatible:other', ...plain)
    expect(other.calls).toBe(distinct(calm.model).judge)
    expect(ingestAndAnswers()).toEqual(before)
    const judged = comparable(other.out).cells.find(({ system }) => system === 'llm-notes')
    expect(judged?.judge.answers).toMatch('llm:openai-compatible:other')
    const read = await asked('reanswer', 'last', '--reader', 'openai-compatible:other', ...plain)
    expect(read.calls).toBeGreaterThanOrEqual(before[1]!)
    expect(comparable(read.out).cells.some(({ reader }) => reader === 'openai-compatible:other')).toBe(true)
    const explained = await asked('explain', 'last', '--json', '-')
    const { overall, questions } = JSON.parse(explained.out) as { overall: { n: number }; questions: unknown[] }
    expect(overall.n).toBe(questions.length)
    expect(overall.n).toBeGreaterThan(10)
    expect((await asked('explain', 'last', '--json', '-')).calls).toBe(0)
  })

  it('has its answers drawn for people, blind and rare grades too, and is judged by what they say as it was', async () => {
    const { cells } = comparable(truth)
    const judge = ['--judge', `llm:${SPEC}`, '--json', '-']
    for (const [n, file] of [
      ['2', 'two.jsonl'],
      ['200', 'all.jsonl'],
    ] as const) {
      const out = join(calm.cwd, file)
      const drawn = await calm.play(['judge', 'sample', 'last', '--of', 'answers', '--n', n, '--out', out])
      expect(drawn.out).toMatch(/drawn alike from 2 kinds of verdict on answers/)
      const lines = readFileSync(out, 'utf8').trim().split('\n')
      expect(lines.join()).not.toMatch(/"label":"\w|"(reason|grade|votes)":/)
      const cases = lines.map((line) => JSON.parse(line) as AnswerGold)
      writeFileSync(out, cases.map((one) => JSON.stringify({ ...one, label: 'right' })).join('\n'))
      const { out: told } = await calm.play(['judge', 'eval', '--gold', out, ...judge])
      const found = JSON.parse(told) as AnswersEvaluation
      expect([found.n, found.unjudged]).toEqual([cases.length, 0])
      if (n === '2') expect(found.confusion.right).toEqual({ right: 1, wrong: 1 })
      else {
        // Letters are graded by rule, and not drawn.
        const judged = cells.filter(({ system, task }) => system === 'llm-notes' && task !== 'long-hop')
        const graded = judged.map(({ task, answer }) => [task, { n: answer!.n, accuracy: answer!.accuracy }])
        expect(found.byTask).toMatchObject(Object.fromEntries(graded))
        expect(Object.keys(found.byTask)).toHaveLength(judged.length)
      }
    }
  })
})
