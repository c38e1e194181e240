import { describe, it } from 'vitest'
import { systemChecks } from './conformance/checks.js'
import { type ConformanceSubject, checkNames, runCheck, skipReason } from './conformance/run.js'
import { NotApplicable } from './conformance/subject.js'

/** The contract of `MemorySystem` as a vitest suite, with which every system's own test begins; from `memscope/conformance` for others. */
export function runSystemConformance(subject: ConformanceSubject): void {
  describe(`${subject.name} as a memory system`, () => {
    for (const check of checkNames) {
      const skipped = skipReason(check, subject)
      if (skipped !== null) it.skip(`${systemChecks[check].title} (skipped: ${skipped})`)
      else
        it(systemChecks[check].title, async ({ skip }) => {
          await runCheck(check, subject).catch((error) => {
            if (error instanceof NotApplicable) skip(error.message)
            throw error
          })
        })
    }
  })
}
