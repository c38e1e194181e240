/**
 * Memscope as a library: everything the command line does as calls, the words, and what one needs to write a memory system, a judge or a
 * suite.
 *
 * @module
 */
export { UserError } from './base/errors.js'
export { count, dollars, NONE, percent, signedPercent, wholePercent } from './base/figures.js'
export { fingerprint } from './base/hash.js'
export * from './library.js'
export * from './model/index.js'
export type { WrittenCell, WrittenSummary } from './report/summary-json.js'
