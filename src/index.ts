/**
 * Memscope as a library: the words, and what one needs to write a memory system, a judge or a suite.
 *
 * @module
 */
export { UserError } from './base/errors.js'
export { count, dollars, NONE, percent, signedPercent, wholePercent } from './base/figures.js'
export { fingerprint } from './base/hash.js'
export * from './model/index.js'
export type { WrittenCell, WrittenSummary } from './report/summary-json.js'
