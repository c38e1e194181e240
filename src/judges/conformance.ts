import { describe, it } from 'vitest'
import type { ContractCheck } from '../base/contract-check.js'
import { type JudgeUnderTest, judgeChecks, newJudgeOf } from './judge-checks.js'

/**
 * The contract of `Judge` as a vitest suite. Authors elsewhere get it from `memscope/conformance`.
 *
 * @example runJudgeConformance({ name: 'lexical', newJudge: () => createLexicalJudge() })
 * @example runJudgeConformance({ name: 'my-judge', definition: myJudge })
 */
export function runJudgeConformance(judge: JudgeUnderTest): void {
  describe(`${judge.name} as a judge`, () => itKeeps(judgeChecks, newJudgeOf(judge)))
}

/** A test for every promise of a contract. */
export function itKeeps<S>(checks: Readonly<Record<string, ContractCheck<S>>>, subject: S): void {
  for (const { title, unless, run } of Object.values(checks)) {
    it(title, async ({ skip }) => {
      const reason = (await unless?.(subject)) ?? null
      if (reason !== null) skip(reason)
      await run(subject)
    })
  }
}
