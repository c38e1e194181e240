import { rmSync } from 'node:fs'
import type { MemorySystem, OpenEndpoint, SystemContext, SystemDefinition, SystemOptions } from '../../model/index.js'
import { CallWatch, MemoryGoneError, SYSTEM_TIMEOUT_MS } from '../../model/index.js'
import { hashEmbedder } from '../hash-embedder.js'
import { checkInstance } from '../outside/import-file.js'
import { rehearse } from '../parts/rehearse.js'
import { type SystemCheckName, systemChecks } from './checks.js'
import { testContext, testGold } from './fixtures.js'
import type { SystemCheck } from './subject.js'

/** A system to be checked. A skip carries its reason. */
export interface ConformanceSubject {
  name: string
  definition: SystemDefinition
  options?: SystemOptions
  skip?: Partial<Record<SystemCheckName, string>>
  /** Parts of the context to use in place of the test's own, such as an embedder. A model comes from the definition's rehearsal otherwise. */
  context?: Partial<SystemContext>
  /** Makes servers for systems that declare `needs.endpoint`. */
  endpoint?: OpenEndpoint
  /** Milliseconds that a call may take. */
  timeoutMs?: number
}

export interface CheckResult {
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
  const made: { system: MemorySystem; context: SystemContext }[] = []
  const { needs = {}, rehearsal } = subject.definition
  const llm = subject.context?.llm ?? (needs.llm && rehearsal ? rehearse(rehearsal) : null)
  const create = async (own: Partial<SystemContext> = {}): Promise<MemorySystem> => {
    const gold = needs.gold ? { gold: testGold() } : {}
    const plain: SystemContext = { ...testContext(), ...gold, ...(llm && { llm }), ...subject.context, ...own }
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
      context.endpoint ??= (asked) => open({ ...asked, name: subject.definition.name, llm: model, embed, signal })
    }
    const create = async () => subject.definition.create(context, subject.options ?? {})
    const instance = checkInstance(await watch.call('create', create), subject.name)
    const system = watch.system(instance)
    made.push({ system, context })
    return system
  }
  try {
    const embed = subject.context?.embed ?? hashEmbedder()
    await systemChecks[name].run({ definition: subject.definition, create, llm, embed })
  } finally {
    for (const { system, context } of made) {
      await system.close?.().catch((error: unknown) => {
        // What took too long was told already.
        if (!(error instanceof MemoryGoneError) || error.timedOut) throw error
      })
      if (!subject.context?.workdir) rmSync(context.workdir, { recursive: true, force: true })
    }
  }
}

/** Why a check is left out for a subject: its own reason, or that the check has no bearing on it. */
export function skipReason(name: SystemCheckName, { skip, definition }: ConformanceSubject): string | null {
  const check: SystemCheck = systemChecks[name]
  return skip?.[name] ?? check.unless?.(definition) ?? null
}

/** Runs all checks without a test runner, as `memscope check` does. After a call that never came back nothing more is tried. */
export async function checkSystem(subject: ConformanceSubject): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  let stuck: string | null = null
  for (const check of checkNames) {
    const title = systemChecks[check].title
    const skipped = skipReason(check, subject) ?? stuck
    if (skipped !== null) {
      results.push({ check, title, status: 'skipped', reason: skipped })
      continue
    }
    try {
      await runCheck(check, subject)
      results.push({ check, title, status: 'passed' })
    } catch (error) {
      if (error instanceof MemoryGoneError && error.timedOut) stuck = `Not tried: ${error.message}.`
      results.push({ check, title, status: 'failed', reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return results
}
