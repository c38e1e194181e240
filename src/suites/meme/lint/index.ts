/**
 * Is a MEME corpus what it should be?
 *
 * @module
 */

export type { LintReport } from '../../lint-report.js'
export { lintOwn, type OwnLint } from './own.js'
export { lintPublished, lintRelease } from './published.js'
