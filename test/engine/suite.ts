import { defineSuite, type Scenario, type Suite } from '../../src/model/index.js'

/** A suite of one scenario and one task, as plain as it can be, for tests of the engine. */
export function tinySuite(scenario: Scenario, k: number): Suite {
  return defineSuite({
    name: 'tiny',
    about: '',
    tasks: [{ name: 'all', about: '', paperK: [1] }],
    defaultK: [k],
    load: async () => ({ scenarios: [scenario], datasetHash: 'h', audit: [] }),
  })
}
