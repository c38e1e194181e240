import { removeTemporary } from '../../base/temporary.js'
import type { MemorySystem, OpenEndpoint, OwnSystem, SystemContext, SystemOptions } from '../../model/index.js'
import { CallWatch, MemoryGoneError, SYSTEM_TIMEOUT_MS } from '../../model/index.js'
import { hashEmbedder } from '../hash-embedder.js'
import { checkInstance } from '../outside/import-file.js'
import { rehearse } from '../parts/rehearse.js'
import { type SystemCheckName, systemChecks } from './checks.js'
import { systemTestContext, testGold } from './fixtures.js'
import { NotApplicable, type SystemCheck } from './subject.js'

/** A system to be checked. A skip carries its reason. */
export interface ConformanceSubject {
  name: string
  definition: OwnSystem
  options?: SystemOptions
  skip?: Partial<Record<SystemCheckName, string>>
  /** Parts of the context to use in place of the test's own, such as an embedder. A model comes from the definition's rehearsal otherwise. */
  context?: Partial<SystemContext>
  /** Makes servers for systems that declare `needs.endpoint`. */
  endpoint?: OpenEndpoint
  /** Milliseconds that a call may take. */
  timeoutMs?: number
}

export interface SystemCheckResult {
  check: SystemCheckName
  title: string
  status: 'passed' | 'failed' | 'skipped'
  /** What was expected and what came, or why it was skipped. */
  reason?: string
}

/** Names of all checks, in the order in which they run. */
export const checkNames = Object.keys(systemChecks) as SystemCheckName[]

/** Runs one check on fresh instances, which are closed afterwards. Throws when the system does not conform. */
export async function runCheck(name: SystemCheckName, subject: ConformanceSubject): Promise<void> {
  const made: MemorySystem[] = []
  const folders: string[] = []
  const { needs = {}, rehearsal } = subject.definition
  const llm = subject.context?.llm ?? (needs.llm && rehearsal ? rehearse(rehearsal) : null)
  const create = async (own: Partial<SystemContext> = {}): Promise<MemorySystem> => {
    const gold = needs.gold ? { gold: testGold() } : {}
    const fresh = systemTestContext()
    folders.push(fresh.workdir)
    const plain: SystemContext = { ...fresh, ...gold, ...(llm && { llm }), ...subject.context, ...own }
    const watch = new CallWatch(subject.timeoutMs ?? SYSTEM_TIMEOUT_MS, plain.signal)
    const model = plain.llm && watch.model(plain.llm)
    const context: SystemContext = {
      ...plain,
      embed: watch.embedder(plain.embed),
      ...(model && { llm: model }),
      signal: watch.signal,
    }
    const { embed, signal } = context
    if (needs.endpoint && subject.endpoint && model) {
      const open = subject.endpoint
      context.endpoint ??= (asked) => open({ ...asked, name: subject.name, llm: model, embed, signal })
    }
    const create = async () => subject.definition.create(context, subject.options ?? {})
    const instance = checkInstance(await watch.call('create', create), subject.name)
    const system = watch.system(instance)
    made.push(system)
    return system
  }
  try {
    const embed = subject.context?.embed ?? hashEmbedder()
    await systemChecks[name].run({ definition: subject.definition, create, llm, embed })
  } finally {
    // That it can be closed is a check of its own, and not to be told by all.
    for (const system of made) await Promise.allSettled([(async () => system.close?.())()])
    for (const folder of folders) removeTemporary(folder)
  }
}

/** Why a check is left out for a subject: its own reason, or that the check has no bearing on it. */
export function skipReason(name: SystemCheckName, { skip, definition }: ConformanceSubject): string | null {
  const check: SystemCheck = systemChecks[name]
  return skip?.[name] ?? check.unless?.(definition) ?? null
}

/** Runs all checks without a test runner. After a system that cannot be made, or a call that never came back, no more is tried. */
export async function checkSystem(subject: ConformanceSubject): Promise<SystemCheckResult[]> {
  // A machine on which no folder can be made is no fault of the system.
  removeTemporary(systemTestContext().workdir)
  const results: SystemCheckResult[] = []
  let stuck: string | null = null
  for (const check of checkNames) {
    if (stuck !== null) {
      results.push({ check, title: systemChecks[check].title, status: 'skipped', reason: stuck })
      continue
    }
    const { result, error } = await resultOf(check, subject)
    results.push(result)
    if (error instanceof MemoryGoneError && error.timedOut) stuck = `Not tried: ${error.message}.`
    else if (check === 'created' && result.status === 'failed') break
  }
  return results
}

async function resultOf(
  check: SystemCheckName,
  subject: ConformanceSubject,
): Promise<{ result: SystemCheckResult; error?: unknown }> {
  const title = systemChecks[check].title
  const skipped = skipReason(check, subject)
  if (skipped !== null) return { result: { check, title, status: 'skipped', reason: skipped } }
  try {
    await runCheck(check, subject)
    return { result: { check, title, status: 'passed' } }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { result: { check, title, status: error instanceof NotApplicable ? 'skipped' : 'failed', reason }, error }
  }
}
