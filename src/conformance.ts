/**
 * Suites that every implementation of a contract passes, for authors elsewhere. They need vitest.
 *
 * @example
 * import { runSystemConformance } from 'memscope/conformance'
 * runSystemConformance({ name: 'my-memory', definition: myMemory })
 *
 * @module
 */
export { runJudgeConformance } from './judges/conformance.js'
export { checkJudge } from './judges/judge-checks.js'
export { runReaderConformance } from './readers/conformance.js'
export { checkReader } from './readers/reader-checks.js'
export { runStoreConformance } from './store/conformance.js'
export { runCoordinationConformance } from './store/coordination-conformance.js'
export { runSuiteConformance } from './suites/conformance.js'
export { checkSystem } from './systems/conformance/run.js'
export { runSystemConformance } from './systems/conformance.js'
