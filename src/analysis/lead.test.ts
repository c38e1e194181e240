import { expect, it } from 'vitest'
import { Random } from '../base/random.js'
import type { ComparableRun } from './comparable.js'
import { findLead } from './lead.js'

/** A run in which systems pass the questions of two tasks as told. */
function runOf(systems: Record<string, (task: string, question: number) => boolean>, n: number): ComparableRun {
  const names = Object.keys(systems)
  const tasks = ['first', 'second']
  const questions = tasks.flatMap((task) =>
    Array.from({ length: n }, (_, at) => {
      const id = `${task}-${at}`
      return { suite: 'x', task, scenario: 'x/1', id, text: id, cluster: id, print: id }
    }),
  )
  return {
    run: 'r',
    status: 'valid',
    setting: {},
    spending: [],
    questions,
    suites: [{ name: 'x', cluster: 'row', defaultK: [5], tasks, own: null }],
    contestants: names.map((system) => ({ system, model: null, reader: 'none' })),
    results: names.flatMap((name, contestant) =>
      questions.map(({ task }, question) => {
        const evidence = Number(systems[name]!(task, question % n))
        return { question, contestant, depth: '5', outcome: 'answerable' as const, evidence, answer: null, own: null }
      }),
    ),
  }
}

it('names who leads, who is behind by test, and where another is better', () => {
  const run = runOf(
    {
      weak: (_, at) => at < 10,
      near: (task, at) => (task === 'first' ? at < 30 : at < 20),
      best: (task, at) => (task === 'first' ? at < 16 : at < 40),
    },
    40,
  )
  const lead = findLead(run, () => true)!
  expect(lead.leader.system).toBe('best')
  expect(lead.others.map(({ contestant, isBehind }) => [contestant.system, isBehind])).toEqual([
    ['near', false],
    ['weak', true],
  ])
  expect(lead.beaten.map(({ task, contestant }) => [task, contestant.system])).toEqual([['first', 'near']])
  expect(findLead(run, ({ system }) => system === 'best')).toBeNull()
})

it('calls somebody of four equal systems ahead in at most 6 of 100 runs, although the best of them is tested', () => {
  const random = new Random(7)
  const equal = () => random.random() < 0.5
  const runs = Array.from({ length: 300 }, () => runOf({ a: equal, b: equal, c: equal, d: equal }, 30))
  const alarms = runs.filter((run) => findLead(run, () => true)!.others.some(({ isBehind }) => isBehind)).length
  expect(alarms / runs.length).toBeLessThanOrEqual(0.06)
})
