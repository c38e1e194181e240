/**
 * Is a MEME corpus what it should be?
 *
 * @module
 */

export { lintOwn } from './own.js'
export { lintPublished, lintRelease } from './published.js'
