import { UserError } from '../base/errors.js'
import { removeTemporary, temporaryFolder } from '../base/temporary.js'
import type { PlannedSubject } from '../engine/plan.js'
import { CallWatch, type Llm, type MemorySystem, type SystemContext } from '../model/index.js'
import { hashEmbedder } from '../systems/hash-embedder.js'

/**
 * Makes every system that was given options once, and puts it away, for only a system itself knows which values it takes: a wrong one must
 * be told before there is a run. Nothing is asked of a model. What else may go wrong is left to the run, which records it.
 */
export async function tryOptions(subjects: readonly PlannedSubject[], timeoutMs: number): Promise<void> {
  for (const subject of subjects) {
    if (subject.system === subject.definition.name) continue
    const workdir = temporaryFolder('options')
    const stop = new AbortController()
    let made: MemorySystem | null = null
    try {
      const watch = new CallWatch(timeoutMs, stop.signal)
      const context = contextIn(workdir, subject, watch.signal)
      made = watch.system(await watch.call('create', async () => subject.definition.create(context, subject.options)))
    } catch (error) {
      if (error instanceof UserError) throw new UserError(`${subject.system}: ${error.message}`, error.hint)
    } finally {
      await made?.close?.().catch(() => {})
      stop.abort()
      removeTemporary(workdir)
    }
  }
}

function contextIn(workdir: string, { definition, model }: PlannedSubject, signal: AbortSignal): SystemContext {
  const refuse = async (): Promise<never> => {
    throw new Error('nothing is asked while options are tried')
  }
  const llm: Llm = { model: model ?? '', generate: refuse }
  return {
    embed: hashEmbedder(64),
    ...(model !== null && { llm }),
    ...(model !== null && definition.needs?.endpoint && { endpoint: refuse }),
    workdir,
    namespace: 'options',
    now: () => '2026-01-01T00:00:00.000Z',
    signal,
    log: () => {},
    ...(definition.needs?.gold && { gold: { needed: () => [], all: () => [] } }),
  }
}
