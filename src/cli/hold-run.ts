import { hostname } from 'node:os'
import { UserError } from '../base/errors.js'
import type { RunStore } from '../model/index.js'

/**
 * Makes this process the only one that writes to a run, until what is returned is called or the process ends.
 *
 * @throws UserError that says who works on it
 */
export async function holdRun(store: RunStore, run: string): Promise<() => Promise<void>> {
  const hold = await store.holdRun(run, { pid: process.pid, host: hostname(), since: new Date().toISOString() })
  if (hold.held) return hold.release
  const who = hold.by ? `process ${hold.by.pid} on ${hold.by.host}, since ${hold.by.since}` : 'another process'
  throw new UserError(
    `The run ${run} is being worked on: by ${who}.`,
    'Wait until it is done, or stop it; what it did is kept, and --resume goes on from there.',
  )
}
