/**
 * Memscope as a library: the words, and what one needs to write a memory system, a judge or a suite.
 *
 * @module
 */
export * from './model/index.js'
