/**
 * Ids in the order of asking: `m1`, `m2`, … They depend on nothing but that order, so that a life that is lived again with kept replies
 * gives its memories the same ids. One counter per instance of a system.
 *
 * @example
 * const nextId = idCounter('m')
 * nextId() // 'm1'
 */
export function idCounter(prefix = 'm'): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}
