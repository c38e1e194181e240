import type { Scenario, Suite } from '../../src/model/index.js'

/** A suite of one scenario and one task, as plain as it can be, for tests of the engine. */
export function tinySuite(scenario: Scenario, k: number): Suite {
  return {
    name: 'tiny',
    version: '1',
    about: '',
    paper: '',
    tasks: [{ name: 'all', about: '', paperK: [1], breakdowns: [] }],
    defaultK: [k],
    extras: {},
    guessers: [],
    load: async () => ({ scenarios: [scenario], datasetHash: 'h', audit: [] }),
    references: () => [],
    grade: () => null,
  }
}
