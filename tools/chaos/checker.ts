/** A line of the log of a shared run: a claim, something written under one, or its end. */
export interface LogLine {
  seq: number
  /** Milliseconds since 1970, by the database's clock. */
  at: number
  unit: number
  fence: number
  worker: string | null
  what: string
}

/** A unit that was taken from a worker that did not end it. */
export interface Takeover {
  unit: number
  from: string
  at: number
}

/**
 * Looks through the log of a run, unit by unit, in the order in which it was written: claims have ever larger fences, and everything that was
 * written was written under the claim before it, which had not ended. So there was one valid holder at any time.
 *
 * @throws Error with the first line that breaks it
 */
export function checkLog(lines: readonly LogLine[]): { claims: number; effects: number; takeovers: Takeover[] } {
  const held = new Map<number, { fence: number; worker: string | null; open: boolean }>()
  const takeovers: Takeover[] = []
  let [claims, effects] = [0, 0]
  const broken = (line: LogLine, why: string): never => {
    throw new Error(`line ${line.seq} (${line.what} of unit ${line.unit}, fence ${line.fence}): ${why}`)
  }
  for (const line of [...lines].sort((a, b) => a.seq - b.seq)) {
    const holder = held.get(line.unit)
    if (line.what === 'claim') {
      claims++
      if (holder && line.fence <= holder.fence) broken(line, `the fence before was ${holder.fence}`)
      if (holder?.open && holder.worker !== null) takeovers.push({ unit: line.unit, from: holder.worker, at: line.at })
      held.set(line.unit, { fence: line.fence, worker: line.worker, open: true })
      continue
    }
    effects++
    if (!holder) throw broken(line, 'nobody had claimed it')
    if (line.fence !== holder.fence) broken(line, `the holder has ${holder.fence}`)
    // Ending a lease may be said twice when a connection broke.
    const isEnd = line.what === 'done' || line.what === 'given-back'
    if (!holder.open && !isEnd) broken(line, 'its lease had ended')
    if (isEnd) holder.open = false
  }
  return { claims, effects, takeovers }
}
