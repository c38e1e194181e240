import { resolve } from 'node:path'
import { unknownName } from '../base/errors.js'
import { PAPER_PROTOCOL, suites } from '../builtins.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { addSent, type JudgeBill, judgeBill, PROTOCOLS, type Protocol } from '../judges/llm/bill.js'
import { verbatimCase } from '../judges/llm/verbatim.js'
import type { Suite } from '../model/index.js'
import { count } from '../report/format.js'
import { resolveSuite } from '../suites/registry.js'
import { type Typed, wholeNumber } from './args.js'
import { homeAt, openEmbedder } from './compose.js'
import { sizeFrom } from './request.js'

/** `memscope judge bill`: what judging a verbatim memory would send to a model. The judges themselves run; no call is made. */
export async function showBill({ text }: Typed): Promise<number> {
  const k = wholeNumber('k', text.k ?? '5', 1)
  const suite = await resolveSuite(text.suite ?? suites[0]!.name, process.cwd())
  const protocols = text.judge === undefined ? protocolsFor(suite) : [protocolOf(text.judge)]
  const embed = await openEmbedder('minilm', homeAt(text.home))
  const lexical = createLexicalJudge({ embed })
  const rows: { protocol: Protocol; task: string; bill: JudgeBill }[] = []
  try {
    const { scenarios } = await suite.load({
      ...(text.data !== undefined && { data: resolve(text.data) }),
      view: text.data === undefined ? 'audited' : 'released',
      seed: 42,
      size: sizeFrom(text.size ?? 'paper'),
      extra: {},
    })
    for (const protocol of protocols) {
      for (const scenario of scenarios) {
        rows.push({
          protocol,
          task: scenario.id,
          bill: await judgeBill(verbatimCase(scenario, suite, k), { protocol, lexical }),
        })
      }
    }
  } finally {
    await embed.close()
  }
  const totals = protocols.map((protocol) => {
    const bills = rows.filter((row) => row.protocol === protocol).map(({ bill }) => bill)
    const sum = (part: keyof JudgeBill) => bills.map((bill) => bill[part]).reduce(addSent)
    return { protocol, task: 'all', bill: { stages: sum('stages'), answers: sum('answers'), total: sum('total') } }
  })
  if (text.json === '-') process.stdout.write(`${JSON.stringify({ k, rows: [...rows, ...totals] }, null, 2)}\n`)
  else process.stdout.write(tableOf([...rows, ...totals], k))
  return 0
}

/** The paper's protocol is that of one suite; others have the others. */
function protocolsFor({ name }: Suite): Protocol[] {
  return PROTOCOLS.filter((protocol) => protocol !== 'paper' || name === PAPER_PROTOCOL)
}

function protocolOf(name: string): Protocol {
  const protocol = PROTOCOLS.find((candidate) => candidate === name)
  if (!protocol) throw unknownName('protocol', name, PROTOCOLS)
  return protocol
}

function tableOf(rows: readonly { protocol: string; task: string; bill: JudgeBill }[], k: number): string {
  const number = (value: number) => count(value).padStart(13)
  return [
    `Judging one memory that keeps everything as said, at k = ${k}, all stages passing; prompt tokens (o200k, 11 more a call, answers of 150).\n\n`,
    `${'judge'.padEnd(8)}${'task'.padEnd(27)}${'calls'.padStart(7)}${'tokens'.padStart(13)}${'of it stages'.padStart(13)}${'answers'.padStart(13)}\n`,
    ...rows.map(
      ({ protocol, task, bill }) =>
        `${protocol.padEnd(8)}${task.padEnd(27)}${count(bill.total.calls).padStart(7)}${number(bill.total.promptTokens)}${number(bill.stages.promptTokens)}${number(bill.answers.promptTokens)}\n`,
    ),
    '\nStages are paid once for each store by llm and hybrid, and again for every k by paper. A further k costs only the answers.\n',
  ].join('')
}
