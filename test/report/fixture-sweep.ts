import { fixture } from '../../bench/report/fixture.js'
import type { CostRow } from '../../src/analysis/costs.js'
import { agreementOf } from '../../src/judges/panel/agreement.js'
import {
  type Cell,
  type Interval,
  isGuess,
  type PanelReport,
  readerKey,
  readReader,
  systemName,
} from '../../src/model/index.js'
import type { ReportData } from '../../src/report/report-data.js'

const MODELS = ['openai:gpt-4.1-mini', 'openai:gpt-5', 'anthropic:claude-opus-4.7']
const READERS = ['openai:gpt-4.1-mini', 'google:gemini-3-flash']

/** Which made-up systems have a model inside. */
const WITH_MODEL = new Set(['extract', 'notes'])

/** A made-up run over several models and readers, with what they cost. Only for tests and measurements. */
export function sweepFixture(options: { models?: string[]; readers?: string[]; questions?: number } = {}): ReportData {
  const { models = MODELS, readers = READERS, questions = 100 } = options
  const data = fixture({ questions, reader: true })
  const cells = data.summary.cells.flatMap((cell): Cell[] => {
    if (isGuess(cell.subject)) return [cell]
    const inside = WITH_MODEL.has(cell.subject.system) ? models : [null]
    return inside.flatMap((model, m) => readers.map((reader, r) => varied(cell, model, m, reader, r)))
  })
  return {
    ...data,
    summary: { ...data.summary, cells, panel: PANEL },
    costs: cells.flatMap((cell) => (cell.task === 'coexisting' ? costOf(cell) : [])),
    questions: [],
  }
}

const JUDGES = ['llm:anthropic:claude-opus-4.7', 'llm:google:gemini-3-flash', 'llm:openai:gpt-5']

const PANEL: PanelReport = {
  facts: agreementOf(
    Array.from({ length: 400 }, (_, i) => {
      const label = (['correct', 'correct', 'not_stored', 'summary_error'] as const)[i % 4]!
      return JUDGES.map((judge, j) => ({ judge, label: i % (17 + 6 * j) === 0 ? 'summary_error' : label }))
    }),
  ),
  answers: agreementOf(
    Array.from({ length: 200 }, (_, i) =>
      JUDGES.map((judge, j) => ({ judge, label: (i + (i % 19 === j ? 1 : 0)) % 2 ? 'right' : 'wrong' })),
    ),
  ),
}

/** Stronger models write more and help little; the second reader is the weaker one. */
function varied(cell: Cell, model: string | null, m: number, reader: string, r: number): Cell {
  const evidence = cell.evidence!
  const complete = Math.max(0, Math.min(evidence.n, evidence.complete - m))
  const correct = Math.max(0, Math.round((cell.answer?.correct ?? 0) * (1 - 0.15 * r) - m))
  const interval = (rate: number): Interval => [Math.max(0, rate - 0.12), Math.min(1, rate + 0.12)]
  const rate = complete / evidence.n
  const accuracy = correct / evidence.n
  const memory = cell.memory!
  const wordy = 1 + m * 0.8
  return {
    ...cell,
    subject: { system: systemName(cell.subject), model },
    reader: readReader(reader),
    evidence: { n: evidence.n, complete, rate, ci95: interval(rate), bounds: [rate, rate] },
    answer: { n: evidence.n, correct, accuracy, ci95: interval(accuracy), bounds: [accuracy, accuracy] },
    tokens: {
      context: (cell.tokens.context ?? 0) * wordy,
      ...(model !== null && { ingest: 41_000 * wordy }),
      answer: (cell.tokens.context ?? 0) * wordy + cell.n * (90 + 40 * r),
    },
    memory: { ...memory, tokensPerEntry: memory.tokensPerEntry * wordy, tokens: memory.tokens * wordy },
  }
}

function costOf({ suite, subject, reader, depth, n, tokens }: Cell): CostRow[] {
  if (isGuess(subject)) return []
  const priced = (spent: number, usd: number | null) => ({ tokens: spent, cost: usd === null ? null : spent * usd })
  return [
    {
      suite,
      subject,
      reader,
      depth,
      lives: 1,
      questions: n,
      stages: {
        ingest: priced(tokens.ingest ?? 0, subject.model?.includes('opus') ? 15e-6 : 0.4e-6),
        retrieve: { tokens: 0, cost: 0 },
        answer: priced(tokens.answer ?? 0, readerKey(reader).startsWith('google') ? null : 0.4e-6),
        judge: priced(n * 130, 0.4e-6),
      },
    },
  ]
}
