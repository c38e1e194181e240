import { LlmError } from '../../model/index.js'

/** What one call said about its items, in their order; null where nothing that can be used came. */
export interface Round<V> {
  verdicts: (V | null)[]
  /** What was wrong with the reply, in words of ours, for the next call. */
  complaint: string | null
}

export type Settled<V> = { verdict: V } | { failure: string }

export type AskRound<T, V> = (items: readonly T[], complaint: string | null) => Promise<Round<V>>

const ROUNDS = 3

/**
 * Gets a verdict for every item: those a reply leaves out or spoils are asked for again, and a reply that cannot be read at all is asked for
 * in halves. What still has no verdict then is a failure, never a verdict.
 */
export async function settle<T, V>(items: readonly T[], ask: AskRound<T, V>, rounds = ROUNDS): Promise<Settled<V>[]> {
  const settled: Settled<V>[] = items.map(() => ({ failure: 'The judge gave no verdict.' }))
  let open = items.map((_, i) => i)
  let complaint: string | null = null
  for (let round = 0; round < rounds && open.length > 0; round++) {
    const reply: Round<V> | LlmError = await attempt(() =>
      ask(
        open.map((i) => items[i]!),
        complaint,
      ),
    )
    if (reply instanceof LlmError) {
      if (reply.code === 'unparsable' && open.length > 1) {
        const middle = Math.ceil(open.length / 2)
        const halves = await Promise.all(
          [open.slice(0, middle), open.slice(middle)].map((half) =>
            settle(
              half.map((i) => items[i]!),
              ask,
              rounds - 1,
            ),
          ),
        )
        for (const [place, result] of halves.flat().entries()) settled[open[place]!] = result
      } else for (const i of open) settled[i] = { failure: reply.message }
      return settled
    }
    for (const [place, verdict] of reply.verdicts.entries()) {
      if (verdict !== null) settled[open[place]!] = { verdict }
      else if (reply.complaint !== null) settled[open[place]!] = { failure: `No usable verdict: ${reply.complaint}` }
    }
    open = open.filter((i) => 'failure' in settled[i]!)
    // The same words again would only bring back the same reply from the cache.
    complaint = round > 0 && reply.complaint !== null ? `${reply.complaint}, once more` : reply.complaint
  }
  return settled
}

/**
 * Judges batches and joins their results in order. The first batch runs alone, so that the shared prompt prefix is in the provider's cache;
 * the rest then run at the same time.
 */
export async function runBatches<T, V>(
  batches: readonly (readonly T[])[],
  work: (batch: readonly T[]) => Promise<Settled<V>[]>,
): Promise<Settled<V>[]> {
  const [first, ...rest] = batches
  if (!first) return []
  const head = await work(first)
  // Laying out a batch is work: replies that come meanwhile are seen to between two of them.
  let turn: Promise<unknown> = Promise.resolve()
  const tail = await Promise.all(
    rest.map((batch) => {
      turn = turn.then(() => new Promise((begin) => setImmediate(begin)))
      return turn.then(() => work(batch))
    }),
  )
  return [...head, ...tail.flat()]
}

/** Entries of a reply by the numbers 1 to `count`. A number that nobody asked for spoils all of it, one given twice spoils itself. */
export function byNumber<E extends { id: number }>(
  entries: readonly E[],
  count: number,
): { entries: (E | null)[]; complaint: string | null } {
  const found: (E | null)[] = Array.from({ length: count }, () => null)
  const strange = entries.find(({ id }) => !Number.isInteger(id) || id < 1 || id > count)
  if (strange) return { entries: found, complaint: `there is no id ${strange.id}; ids run from 1 to ${count}` }
  const twice = new Set<number>()
  for (const entry of entries) {
    if (found[entry.id - 1] !== null) twice.add(entry.id)
    found[entry.id - 1] = entry
  }
  for (const id of twice) found[id - 1] = null
  const missing = found.flatMap((entry, i) => (entry === null && !twice.has(i + 1) ? [i + 1] : []))
  const complaints = [
    ...(missing.length > 0 ? [`${missing.length} ids were missing`] : []),
    ...(twice.size > 0 ? [`${twice.size} ids came twice`] : []),
  ]
  return { entries: found, complaint: complaints.length > 0 ? complaints.join('; ') : null }
}

/** A failure of one call is its result; what ends the run, and mistakes of the program, are thrown. */
export async function attempt<R>(call: () => Promise<R>): Promise<R | LlmError> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof LlmError && !['budget', 'auth', 'not_recorded', 'aborted'].includes(error.code)) return error
    throw error
  }
}
