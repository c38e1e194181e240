import type { RunRequest } from '../../src/engine/plan.js'

/** A request for one tiny suite with everything else as plain as it can be, for tests of the engine. */
export function tinyRequest(change: Partial<RunRequest> = {}): RunRequest {
  return {
    suites: [{ name: 'tiny', tasks: null }],
    systems: [],
    ks: [1],
    data: null,
    view: 'audited',
    seed: 1,
    size: 'paper',
    trials: 1,
    limit: null,
    budgets: [],
    readers: ['none'],
    answerStyle: 'auto',
    reasoning: 'default',
    models: [],
    judge: { facts: 'exact', answers: 'exact' },
    judgeTrials: 1,
    embedder: 'none',
    extra: {},
    ...change,
  }
}
