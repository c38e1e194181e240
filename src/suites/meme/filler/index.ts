/**
 * Conversations between the sessions of an episode that have no bearing on it.
 *
 * @module
 */
export { conflicts } from './conflicts.js'
export { fillSessions } from './fill.js'
export { type FolderPool, readFillerFolder } from './folder.js'
export { type FillerPool, fillerPool } from './pool.js'
export { type FillerSession, LEAST, MOST } from './session.js'
