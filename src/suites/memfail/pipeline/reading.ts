import { z } from 'zod'
import { fold } from '../../../base/text.js'
import type { Cues, Fact, ModelMaking, Question, Violation } from '../../../model/index.js'
import { guessedQuestions } from '../../generation/guess.js'
import { type CallStep, type Maker, type Refusal, rowStep } from '../../generation/maker.js'
import { WHOLE } from '../../lint-report.js'
import { fromOwn } from '../lint/corpus.js'
import { checkAll } from '../lint/index.js'
import { nearDuplicates } from '../lint/near-duplicates.js'
import type { MemfailTask } from '../material.js'
import type { OwnKind, OwnRows } from '../own.js'
import { rowsOf } from '../own-material.js'

/** How rows of a kind are read over, whoever wrote them. */
export interface RowReading<R extends { id: string }> {
  kind: OwnKind
  tasks: readonly MemfailTask[]
  /** Rules of the paper among those of lint; `sound` has them all. */
  paperRules: readonly string[]
  /** Rules that rows cannot keep yet. */
  notYet?: readonly string[]
  /** Texts of which no two rows may have one nearly in common, and from which share of words on, as in the paper. */
  dedup: { threshold: number; texts(row: R): string[] }
  asOwn(rows: R[]): OwnRows
  /** What must follow from which text, in sentences: every part of the gold. */
  claims(row: R): { text: string; claims: string[] }[]
  /** Tasks whose texts the judge without a model can read for it: what is spread over an essay it cannot, but for its pieces. */
  judged: readonly MemfailTask[]
  /** The same as facts for that judge: a fact in a sentence of its own. */
  claimOf(row: R, fact: number): string
  /** Pieces of what is spread, each with the sentence that it must follow from. */
  pieces?(row: R): GoldPart[]
}

/** A part of the gold, in a sentence of its own, and the text that it must follow from. */
export interface GoldPart {
  text: string
  claim: string
  cues: Cues
}

/** What is wrong with one row by itself. */
export function refusals<R extends { id: string }>(
  reading: RowReading<R>,
  row: R,
  rules: ModelMaking['rules'],
  tasks = reading.tasks,
): Refusal[] {
  return broken(reading, [row], rules, tasks).map(({ rule, message }) => ({ rule, message: `${rule}: ${message}` }))
}

function broken<R extends { id: string }>(
  reading: RowReading<R>,
  rows: R[],
  rules: ModelMaking['rules'],
  tasks = reading.tasks,
): Violation[] {
  return tasks
    .flatMap((task) => checkAll(fromOwn(task, reading.asOwn(rows))))
    .filter(({ name }) => !reading.notYet?.includes(name) && (rules === 'sound' || reading.paperRules.includes(name)))
    .flatMap(({ name, found }) => found.map((one) => ({ rule: name, ...one })))
    .filter(({ row }) => row !== WHOLE)
}

/** Rows that go with those kept and with each other: the paper's near-duplicates by MinHash, then all that lint finds between rows. */
export function compatible<R extends { id: string }>(
  maker: Maker,
  reading: RowReading<R>,
  made: R[],
  kept: readonly R[],
): R[] {
  const { threshold, texts } = reading.dedup
  const all = [...kept, ...made].flatMap((row) => texts(row).map((text) => ({ row, text })))
  const pairs = nearDuplicates(
    all.map(({ text }) => text),
    threshold,
    'minhash',
  )
  const near = new Map<R, string>()
  for (const { a, b } of pairs) {
    const [first, second] = [all[a]!.row, all[b]!.row]
    if (first !== second && !near.has(first) && !kept.includes(second)) near.set(second, 'near-duplicate')
  }
  const rest = maker.funnel.drop('different', made, near)
  const { rules } = maker.making
  const base = broken(reading, [...kept], rules).length
  const wrong = new Map<R, string>()
  if (broken(reading, [...kept, ...rest], rules).length > base) {
    const taken: R[] = []
    for (const row of rest) {
      const found = broken(reading, [...kept, ...taken, row], rules)
      if (found.length === base) taken.push(row)
      else wrong.set(row, found.at(-1)!.rule)
    }
  }
  return maker.funnel.drop('compatible', rest, wrong)
}

/** Reads rows over: does every part of the gold follow from its text, and from nothing else? */
const audit = rowStep(
  'audit',
  z.object({ row: z.number().int(), holds: z.array(z.boolean()), why: z.string() }),
  ({ row, claims }: { row: number; text: string; claims: string[] }) => {
    return { row, holds: claims.map(() => true), why: '' }
  },
  'auditor',
)

/** Rows that follow from their facts, pass the auditor and cannot be guessed; all rows under the paper's rules. */
export async function filterRows<R extends { id: string }>(
  maker: Maker,
  reading: RowReading<R>,
  rows: R[],
): Promise<R[]> {
  if (maker.making.rules === 'paper') return rows
  return unguessed(maker, reading, await audited(maker, reading, await followed(maker, reading, rows)))
}

/** Rows of which no part of the gold is certainly missing in its text, by the judge without a model. What it is not sure of is left to the auditor. */
async function followed<R extends { id: string }>(maker: Maker, reading: RowReading<R>, rows: R[]): Promise<R[]> {
  const wrong = new Map<R, string>()
  for (const row of rows)
    for (const { text, claim, cues } of goldParts(reading, row)) {
      const { damaged: _, ...read } = cues
      const fact: Fact = { id: row.id, text: claim, sources: [], cues: read }
      const isLost = async (told: string) => {
        const [verdict] = await maker.making.judgeFacts([fact], [{ id: 'text', text: told }])
        return verdict!.label !== 'correct' && !verdict!.uncertain
      }
      // What is said beside it, of others say, may mislead the judge: the words around it decide.
      if ((await isLost(text)) && (await isLost(clausesWith(cues, text))))
        wrong.set(row, 'not entailed, by the judge without a model')
    }
  return maker.funnel.drop('entailed', rows, wrong)
}

function goldParts<R extends { id: string }>(reading: RowReading<R>, row: R): GoldPart[] {
  const told = reading.judged.flatMap((task) =>
    rowsOf(task, reading.asOwn([row])).flatMap(({ facts, units }) =>
      facts.map(({ cues, unit }, at) => ({ text: units[unit]!.text, claim: reading.claimOf(row, at), cues })),
    ),
  )
  return [...told, ...(reading.pieces?.(row) ?? [])]
}

/** The clauses of a text that name something of a fact; all of it where none does. */
function clausesWith({ parts }: Cues, text: string): string {
  const forms = parts.flatMap(({ role, forms: own }) => (role === 'who' ? [] : own.map(fold)))
  const named = text.split(/(?<=[,;:.!?]) /).filter((clause) => forms.some((form) => fold(clause).includes(form)))
  return named.join(' ') || text
}

async function audited<R extends { id: string }>(maker: Maker, reading: RowReading<R>, rows: R[]): Promise<R[]> {
  const parts = rows.flatMap((row) => reading.claims(row).map((claimed) => ({ row, claimed })))
  const specs = parts.map(({ claimed }, at) => ({ row: at + 1, ...claimed }))
  const verdicts = await maker.batches(audit, specs, ({ holds }, { claims }) =>
    holds.length === claims.length
      ? []
      : [{ rule: 'count', message: `${claims.length} claims need as many verdicts.` }],
  )
  const wrong = new Map<R, string>()
  for (const [at, made] of verdicts) {
    const { row } = parts[at - 1]!
    if ('refused' in made) wrong.set(row, 'no verdict')
    else if (!made.value.holds.every(Boolean)) wrong.set(row, 'not entailed, by the auditor')
  }
  return maker.funnel.drop('audited', rows, wrong)
}

async function unguessed<R extends { id: string }>(maker: Maker, reading: RowReading<R>, rows: R[]): Promise<R[]> {
  const [task] = reading.tasks
  const asked = rows.flatMap((row) =>
    rowsOf(task!, reading.asOwn([row])).flatMap(({ questions }) =>
      questions.map(({ text, gold, tags }, at): { row: R; question: Question } => ({
        row,
        question: {
          id: `${row.id}/${at}`,
          task: task!,
          text,
          tags,
          needs: [],
          outdated: [],
          // Options come once all rows are there.
          gold: gold.kind === 'choice' ? { kind: 'free', text: gold.text } : gold,
        },
      })),
    ),
  )
  const guessed = await guessedQuestions(
    maker,
    asked.map(({ question }) => question),
  )
  const wrong = asked.flatMap(({ row, question: { id } }): [R, string][] =>
    guessed.has(id) ? [[row, guessed.get(id)!]] : [],
  )
  return maker.funnel.drop('not guessed', rows, new Map(wrong))
}

/** Rows as a model proposes them, each checked by itself, then with the others, and sifted. */
export async function proposedRows<S extends { row: number }, O extends { row: number }, R extends { id: string }>(
  maker: Maker,
  reading: RowReading<R>,
  step: CallStep<{ rows: S[] }, { rows: O[] }>,
  specs: readonly S[],
  kept: readonly R[],
  problems: (made: O, spec: S) => Refusal[],
  rowFrom: (made: O, spec: S) => R,
): Promise<R[]> {
  const found = await proposed(maker, 'proposed', step, specs, (made, spec) => {
    const wrong = problems(made, spec)
    return wrong.length > 0 ? wrong : refusals(reading, rowFrom(made, spec), maker.making.rules)
  })
  const rows = specs.flatMap((spec) => {
    const made = found.get(spec.row)
    return made ? rowFrom(made, spec) : []
  })
  return filterRows(maker, reading, compatible(maker, reading, rows, kept))
}

/** Asks for a row for every spec, and counts those that cannot be had. */
export async function proposed<S extends { row: number }, O extends { row: number }>(
  maker: Maker,
  stage: string,
  step: CallStep<{ rows: S[] }, { rows: O[] }>,
  specs: readonly S[],
  check: (row: O, spec: S) => Refusal[],
): Promise<Map<number, O>> {
  const made = [...(await maker.batches(step, specs, check))]
  const refused = made.flatMap(([, one]) => ('refused' in one ? one.refused[0]!.rule : []))
  maker.funnel.pass(stage, specs.length, refused)
  return new Map(made.flatMap(([row, one]): [number, O][] => ('value' in one ? [[row, one.value]] : [])))
}
