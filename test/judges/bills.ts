import { createLexicalJudge } from '../../src/judges/lexical/index.js'
import { addSent, type JudgeBill, judgeBill, type Protocol } from '../../src/judges/llm/bill.js'
import { verbatimCase } from '../../src/judges/llm/verbatim.js'
import { memfail } from '../../src/suites/memfail/index.js'

/** The bill of every task of MemFail: of a release, or of a few rows of ours. */
export async function billsOf(protocol: Protocol, data: string | undefined, k = 5): Promise<Record<string, JudgeBill>> {
  const options = { view: 'released' as const, seed: 42, size: data ? ('paper' as const) : 5, extra: {} }
  const { scenarios } = await memfail.load({ ...options, ...(data && { data }) })
  const lexical = createLexicalJudge()
  const bills: Record<string, JudgeBill> = {}
  for (const scenario of scenarios) {
    const bill = await judgeBill(verbatimCase(scenario, memfail, k), { protocol, lexical })
    bills[scenario.id.replace('memfail/', '')] = bill
  }
  return bills
}

/** What a part of all bills comes to. */
export const totalOf = (bills: Record<string, JudgeBill>, part: keyof JudgeBill) =>
  Object.values(bills).reduce((sum, bill) => addSent(sum, bill[part]), { calls: 0, promptTokens: 0, schemaTokens: 0 })
