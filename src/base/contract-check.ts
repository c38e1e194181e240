import { messageOf } from './errors.js'

/** One promise of a contract. */
export interface ContractCheck<S> {
  title: string
  /** Why it has no bearing on a subject; null when it has. */
  unless?(subject: S): string | null | Promise<string | null>
  /** Throws when the promise is not kept. */
  run(subject: S): Promise<void>
}

export interface ContractResult {
  check: string
  title: string
  status: 'passed' | 'failed' | 'skipped'
  /** What was expected and what came, or why it was skipped. */
  reason?: string
}

/** Checks all promises of a contract, one after another, without a test runner. */
export async function checkContract<S>(
  checks: Readonly<Record<string, ContractCheck<S>>>,
  subject: S,
): Promise<ContractResult[]> {
  const results: ContractResult[] = []
  for (const [check, { title, unless, run }] of Object.entries(checks)) {
    try {
      const reason = (await unless?.(subject)) ?? null
      if (reason === null) await run(subject)
      results.push({ check, title, ...(reason === null ? { status: 'passed' } : { status: 'skipped', reason }) })
    } catch (error) {
      results.push({ check, title, status: 'failed', reason: messageOf(error) })
    }
  }
  return results
}
