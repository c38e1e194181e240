/**
 * Is a MEME corpus what it should be?
 *
 * @module
 */
export { lintOwn, type OwnLint } from './own.js'
export { lintPublished, lintRelease } from './published.js'
export type { LintReport, Violation } from './report.js'
