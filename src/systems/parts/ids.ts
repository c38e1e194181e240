import type { Journal } from './journal.js'

/**
 * Ids in the order of asking: `m1`, `m2`, … They depend on nothing but that order, so that a life that is lived again with kept replies
 * gives its memories the same ids. One counter per instance of a system; with a journal, ids of what is taken back are given again.
 *
 * @example
 * const nextId = idCounter('m')
 * nextId() // 'm1'
 */
export function idCounter(prefix = 'm', journal?: Journal): () => string {
  let count = 0
  return () => {
    journal?.note(() => count--)
    return `${prefix}${++count}`
  }
}
