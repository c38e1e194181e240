import { UserError } from '../base/errors.js'
import type { RunRequest } from '../engine/plan.js'
import { oneForBoth, type RunRecord, type RunStore } from '../model/index.js'
import type { Command } from './args.js'
import { homeAt, openStore } from './compose.js'

/** What is kept of a request, with the parts of its setting so that a difference can be named. */
export interface KeptRequest {
  request: RunRequest
  settingParts: Record<string, string>
}

/** `memscope runs`: what was run here. */
export const runs: Command = {
  name: 'runs',
  about: 'list the runs kept here, newest first',
  usage: 'runs',
  flags: {},
  words: 0,
  examples: [],
  async run({ text }) {
    const store = openStore(homeAt(text.home))
    try {
      const all = await store.listRuns()
      if (all.length === 0) process.stdout.write('No runs yet. Start with: memscope run\n')
      for (const { id, status, created, request } of all) {
        const { suites, systems } = keptRequest(request).request
        const names = suites.map(({ name, tasks }) => (tasks ? tasks.map((task) => `${name}/${task}`).join(',') : name))
        process.stdout.write(
          `${id}  ${status.padEnd(7)}  ${created.slice(0, 16).replace('T', ' ')}  ${names.join(',')}  ${systems.join(',')}\n`,
        )
      }
    } finally {
      await store.close()
    }
    return 0
  },
}

/** A run by its id, by the beginning of its id, or by the word `last`. */
export async function findRun(store: RunStore, name: string): Promise<RunRecord> {
  const all = await store.listRuns()
  const newest = all[0]
  if (!newest) throw new UserError('There are no runs here yet.', 'Start one with: memscope run')
  if (name === 'last') return newest
  const matching = all.filter(({ id }) => id.startsWith(name))
  if (matching.length === 1) return matching[0]!
  const exact = all.find(({ id }) => id === name)
  if (exact) return exact
  throw new UserError(
    matching.length === 0 ? `There is no run "${name}".` : `"${name}" fits ${matching.length} runs.`,
    `Known: ${all
      .slice(0, 8)
      .map(({ id }) => id)
      .join(', ')}${all.length > 8 ? ', …' : ''}. "last" is the newest.`,
  )
}

/**
 * The request as it was kept; the run store does not look into it. Runs that were made when one judge judged facts and answers alike are
 * read as runs of two judges that are the same.
 */
export function keptRequest(kept: unknown): KeptRequest {
  const { request, settingParts } = kept as KeptRequest | OneJudgeRequest
  if (typeof request.judge !== 'string') return { request: { ...request, judge: request.judge }, settingParts }
  const { judge: key, ...parts } = settingParts
  return {
    request: { ...request, judge: oneForBoth(request.judge) },
    settingParts: { ...parts, 'fact judge': key!, 'answer judge': key! },
  }
}

/** As it was kept with one judge for both. */
interface OneJudgeRequest {
  request: Omit<RunRequest, 'judge'> & { judge: string }
  settingParts: Record<string, string>
}
