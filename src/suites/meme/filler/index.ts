/**
 * Conversations between the sessions of an episode that have no bearing on it.
 *
 * @module
 */
export { type FillerSession, LEAST, MOST } from './compose.js'
export { conflicts } from './conflicts.js'
export { type FillRequest, fillSessions } from './fill.js'
export { type FolderPool, readFillerFolder } from './folder.js'
export { type FillerPool, fillerPool, POOL_SIZE } from './pool.js'
