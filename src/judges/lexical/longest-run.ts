/**
 * Length of the longest text that stands in both, in time linear in their lengths: the states of an automaton of all parts of the first
 * are followed through the second.
 */
export function longestRun(a: string, b: string): number {
  const next: Map<number, number>[] = [new Map()]
  const link = [-1]
  const length = [0]
  let last = 0
  for (let i = 0; i < a.length; i++) {
    const sign = a.charCodeAt(i)
    const state = next.length
    next.push(new Map())
    length.push(length[last]! + 1)
    link.push(0)
    let at = last
    while (at >= 0 && !next[at]!.has(sign)) {
      next[at]!.set(sign, state)
      at = link[at]!
    }
    if (at >= 0) link[state] = splitAt(next, link, length, at, sign)
    last = state
  }
  return follow(next, link, length, b)
}

/** The state that a longer part falls back to; one that stands for parts of several lengths is taken apart first. */
function splitAt(next: Map<number, number>[], link: number[], length: number[], at: number, sign: number): number {
  const target = next[at]!.get(sign)!
  if (length[target] === length[at]! + 1) return target
  const copy = next.length
  next.push(new Map(next[target]))
  length.push(length[at]! + 1)
  link.push(link[target]!)
  link[target] = copy
  for (let from = at; from >= 0 && next[from]!.get(sign) === target; from = link[from]!) next[from]!.set(sign, copy)
  return copy
}

function follow(next: readonly Map<number, number>[], link: readonly number[], length: readonly number[], b: string) {
  let [state, run, best] = [0, 0, 0]
  for (let i = 0; i < b.length; i++) {
    const sign = b.charCodeAt(i)
    while (state > 0 && !next[state]!.has(sign)) {
      state = link[state]!
      run = length[state]!
    }
    const to = next[state]!.get(sign)
    if (to === undefined) continue
    state = to
    run++
    best = Math.max(best, run)
  }
  return best
}
