import { rmSync } from 'node:fs'
import type { MemorySystem, OpenEndpoint, SystemContext, SystemDefinition, SystemOptions } from '../../model/index.js'
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
    const context: SystemContext = { ...testContext(), ...gold, ...(llm && { llm }), ...subject.context, ...own }
    const { embed, llm: model, signal } = context
    if (needs.endpoint && subject.endpoint && model) {
      const open = subject.endpoint
      context.endpoint ??= (asked) => open({ ...asked, name: subject.definition.name, llm: model, embed, signal })
    }
    const instance = await subject.definition.create(context, subject.options ?? {})
    const system = checkInstance(instance, subject.name)
    made.push({ system, context })
    return system
  }
  try {
    const embed = subject.context?.embed ?? hashEmbedder()
    await systemChecks[name].run({ definition: subject.definition, create, llm, embed })
  } finally {
    for (const { system, context } of made) {
      await system.close?.()
      if (!subject.context?.workdir) rmSync(context.workdir, { recursive: true, force: true })
    }
  }
}

/** Why a check is left out for a subject: its own reason, or that the check has no bearing on it. */
export function skipReason(name: SystemCheckName, { skip, definition }: ConformanceSubject): string | null {
  const check: SystemCheck = systemChecks[name]
  return skip?.[name] ?? check.unless?.(definition) ?? null
}

/** Runs all checks without a test runner, as `memscope check` does. */
export async function checkSystem(subject: ConformanceSubject): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checkNames) {
    const title = systemChecks[check].title
    const skipped = skipReason(check, subject)
    if (skipped !== null) {
      results.push({ check, title, status: 'skipped', reason: skipped })
      continue
    }
    try {
      await runCheck(check, subject)
      results.push({ check, title, status: 'passed' })
    } catch (error) {
      results.push({ check, title, status: 'failed', reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return results
}
