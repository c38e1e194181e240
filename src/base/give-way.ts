/** Longest that work goes on without letting anything else in. */
const TURN_MS = 50

let since = performance.now()
let turn: Promise<void> | undefined

/**
 * Lets signals, timers and replies in, if it is a while since they last could: long work calls it between its steps, so that Ctrl-C is heard
 * at once and no time limit runs out only because nobody listened. All that gives way waits for the same turn, so that much work at a time does
 * not make turns longer. Costs nothing most of the time.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() - since < TURN_MS) return
  turn ??= new Promise((resume) =>
    setImmediate(() => {
      turn = undefined
      since = performance.now()
      resume()
    }),
  )
  await turn
}

/** Makes a list, item by item, giving way in between. */
export async function mapGivingWay<T, R>(items: Iterable<T>, make: (item: T) => R): Promise<R[]> {
  const made: R[] = []
  for (const item of items) {
    await giveWay()
    made.push(make(item))
  }
  return made
}
