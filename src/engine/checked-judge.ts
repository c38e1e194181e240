import { z } from 'zod'
import { messageOf } from '../base/errors.js'
import {
  type AnswerVerdict,
  type Fact,
  type FactVerdict,
  type Judge,
  type Memory,
  type QuestionVerdict,
  UnjudgedError,
} from '../model/index.js'
import { isFatal } from './fatal.js'

const answer = z.enum(['yes', 'no', 'unclear']).nullable()
const storeSide = z.record(z.string(), z.string())
const grade = z.enum(['right', 'wrong', 'error'])

const factVerdict = z.object({
  fact: z.string(),
  label: z.enum(['not_stored', 'summary_error', 'correct']),
  uncertain: z.boolean(),
  support: z.array(z.array(z.string())),
  reason: z.string(),
  quotes: z.array(z.object({ memory: z.string(), text: z.string() })),
  votes: z.array(z.object({ judge: z.string(), label: z.enum(['not_stored', 'summary_error', 'correct']) })).optional(),
})

const criterionVerdict = z.object({
  id: z.string(),
  answer: z.enum(['yes', 'no']).nullable(),
  uncertain: z.boolean(),
  reason: z.string(),
  unclear: z.literal(true).optional(),
  votes: z.array(z.object({ judge: z.string(), answer })).optional(),
})

const detail = {
  reason: z.string(),
  votes: z.array(z.object({ judge: z.string(), grade })).optional(),
  criteria: z.array(criterionVerdict).optional(),
}

const answerVerdict = z.discriminatedUnion('grade', [
  z.object({
    grade: z.enum(['right', 'wrong']),
    uncertain: z.boolean(),
    stale: z.boolean().optional(),
    credit: z.record(z.string(), z.number().min(0).max(1)).optional(),
    ...detail,
  }),
  z.object({ grade: z.literal('error'), ...detail }),
])

const questionVerdict = z.object({
  stages: z.array(
    z.object({
      fact: z.string(),
      stored: z.boolean(),
      faithful: z.boolean().nullable(),
      retrieved: z.boolean().nullable(),
      reason: z.string(),
    }),
  ),
  answer: answerVerdict.nullable(),
})

/**
 * A judge whose words are looked at before they count, for judges from a user's file. What is no verdict, or was thrown, is an error of that
 * fact or answer, which says whose and what was expected. What ends a run still does.
 *
 * @example checkedJudge(await createJudge(asked, tools))
 */
export function checkedJudge(judge: Judge): Judge {
  const { name } = judge
  const judgeAnswer: Judge['judgeAnswer'] = async (question, given, signal) => {
    const said = await caught(() => judge.judgeAnswer(question, given, signal), signal)
    return answerFrom('error' in said ? said : read(answerVerdict, said.value), `${name}: judgeAnswer`)
  }
  return {
    name,
    key: judge.key,
    judgeFacts: (facts, store, signal) => factsFrom(judge, facts, store, signal),
    judgeAnswer,
    ...(judge.judgeAnswers && {
      judgeAnswers: async (items, signal) => {
        const said = await caught(() => judge.judgeAnswers!(items, signal), signal)
        const verdicts = listOf(said, items.length, answerVerdict)
        return verdicts.map((verdict) => answerFrom(verdict, `${name}: judgeAnswers`))
      },
    }),
    ...(judge.judgeStore && {
      judgeStore: async (item, signal) => {
        const said = await caught(() => judge.judgeStore!(item, signal), signal)
        const side = 'error' in said ? said : read(storeSide, said.value)
        return 'value' in side ? side.value : {}
      },
    }),
    ...(judge.judgeQuestions && {
      judgeQuestions: async (store, items, signal) => {
        const said = await caught(() => judge.judgeQuestions!(store, items, signal), signal)
        return listOf(said, items.length, questionVerdict).map((verdict): QuestionVerdict => {
          if ('value' in verdict) return verdict.value
          return { stages: [], answer: answerFrom(verdict, `${name}: judgeQuestions`) }
        })
      },
    }),
  }
}

type Said<T> = { value: T } | { error: string }

async function factsFrom(
  judge: Judge,
  facts: readonly Fact[],
  store: readonly Memory[],
  signal: AbortSignal | undefined,
): Promise<FactVerdict[]> {
  const failures: { fact: string; reason: string }[] = []
  let own: unknown = []
  let wrong: string | null = null
  try {
    own = await judge.judgeFacts(facts, store, signal)
    if (!Array.isArray(own)) wrong = `returned ${nameOf(own)}, expected a list of verdicts`
  } catch (error) {
    if (signal?.aborted || isFatal(error)) throw error
    if (error instanceof UnjudgedError) {
      own = error.verdicts
      failures.push(...error.failures)
    } else wrong = `threw: ${messageOf(error)}`
  }
  const held = new Set(store.map(({ id }) => id))
  const given = new Map(Array.isArray(own) ? own.map((verdict: FactVerdict) => [verdict?.fact, verdict]) : [])
  const verdicts = facts.flatMap(({ id }): FactVerdict[] => {
    if (failures.some(({ fact }) => fact === id)) return []
    const said: Said<FactVerdict> =
      wrong !== null
        ? { error: wrong }
        : given.has(id)
          ? read(factVerdict, given.get(id))
          : { error: 'returned no verdict on it' }
    const stray = 'value' in said ? strayIn(said.value, held) : undefined
    if ('value' in said && stray === undefined) return [said.value]
    const why = 'error' in said ? said.error : `points at the memory "${stray}", which the store does not hold`
    failures.push({ fact: id, reason: `${judge.name}: judgeFacts ${why}` })
    return []
  })
  if (failures.length > 0) throw new UnjudgedError(verdicts, failures)
  return verdicts
}

function strayIn({ support, quotes }: FactVerdict, held: ReadonlySet<string>): string | undefined {
  return [...support.flat(), ...quotes.map(({ memory }) => memory)].find((id) => !held.has(id))
}

function answerFrom(said: Said<AnswerVerdict>, who: string): AnswerVerdict {
  return 'value' in said ? said.value : { grade: 'error', reason: `${who} ${said.error}` }
}

function listOf<T>(said: Said<unknown>, length: number, schema: z.ZodType<T>): Said<T>[] {
  const list = 'value' in said && Array.isArray(said.value) ? said.value : null
  if (list?.length === length) return list.map((one) => read(schema, one))
  const came = 'error' in said ? said.error : `returned ${list ? `${list.length} verdicts` : nameOf(said.value)}`
  const error = 'error' in said ? came : `${came}, expected ${length} verdicts`
  return Array.from({ length }, () => ({ error }))
}

async function caught<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<Said<unknown>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (signal?.aborted || isFatal(error)) throw error
    return { error: `threw: ${messageOf(error)}` }
  }
}

function read<T>(schema: z.ZodType<T>, value: unknown): Said<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  const faults = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(': '))
  return { error: `returned no verdict: ${faults.join('; ')}` }
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}
