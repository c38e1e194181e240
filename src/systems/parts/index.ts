/**
 * What systems with a model inside are made of.
 *
 * @module
 */
export * from './asker.js'
export * from './clock.js'
export * from './data.js'
export * from './embed.js'
export * from './fuse.js'
export * from './ids.js'
export * from './journal.js'
export * from './kept.js'
export * from './lexical-table.js'
export * from './prompts.js'
export * from './rehearse.js'
export * from './tool-loop.js'
export * from './vector-table.js'
