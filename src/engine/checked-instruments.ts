import { z } from 'zod'
import { messageOf } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
import type { Fact } from '../model/fact.js'
import type { Reader, Reading } from '../model/instrument.js'
import { type Judge, UnjudgedError } from '../model/judge.js'
import type { Memory } from '../model/system.js'
import type { AnswerVerdict, FactVerdict } from '../model/verdict.js'
import { answerVerdictSchema, factVerdictSchema, questionVerdictSchema, storeSideSchema } from '../model/verdict.js'
import { billedTo, newBill } from './bill.js'
import { MOST_CHARACTERS } from './checked.js'
import { isFatal } from './fatal.js'
import { judgeOrFail } from './judge-life.js'

/**
 * A judge whose words are looked at before they count, for judges from a user's file. What is no verdict, or was thrown, is an error of that
 * fact or answer, which says whose and what was expected. What ends a run still does.
 */
export function checkedJudge(judge: Judge): Judge {
  const { name } = judge
  const judgeAnswer: Judge['judgeAnswer'] = async (question, given, signal) => {
    const said = await caught(() => judge.judgeAnswer(question, given, signal), signal)
    return answerFrom(read(answerVerdictSchema, said), `${name}: judgeAnswer`)
  }
  return {
    name,
    key: judge.key,
    judgeFacts: (facts, store, signal) => factsFrom(judge, facts, store, signal),
    judgeAnswer,
    ...(judge.judgeAnswers && {
      judgeAnswers: async (items, signal) => {
        const said = await caught(() => judge.judgeAnswers!(items, signal), signal)
        const verdicts = listOf(said, items.length, answerVerdictSchema)
        return verdicts.map((verdict) => answerFrom(verdict, `${name}: judgeAnswers`))
      },
    }),
    ...(judge.judgeStore && {
      judgeStore: async (item, signal) => {
        const said = await caught(() => judge.judgeStore!(item, signal), signal)
        const side = read(storeSideSchema, said)
        return 'value' in side ? side.value : {}
      },
    }),
    ...(judge.judgeQuestions && {
      judgeQuestions: async (store, items, signal) => {
        const said = await caught(() => judge.judgeQuestions!(store, items, signal), signal)
        return listOf(said, items.length, questionVerdictSchema).map((verdict) =>
          'value' in verdict ? verdict.value : { stages: [], answer: answerFrom(verdict, `${name}: judgeQuestions`) },
        )
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
  const judged = await caught(() => judgeOrFail(judge, facts, store, signal), signal)
  const said: Said<unknown> = 'error' in judged ? judged : { value: judged.value.verdicts }
  const failures = 'error' in judged ? [] : [...judged.value.failures]
  const list = 'value' in said && Array.isArray(said.value) ? said.value : null
  const given = new Map(list?.map((verdict: FactVerdict) => [verdict?.fact, verdict]))
  const verdictOn = (fact: string): Said<FactVerdict> => {
    if ('error' in said) return said
    if (!list) return { error: `returned ${nameOf(said.value)}, expected a list of verdicts` }
    return given.has(fact)
      ? read(factVerdictSchema, { value: given.get(fact) })
      : { error: 'returned no verdict on it' }
  }
  const held = new Set(store.map(({ id }) => id))
  const verdicts = facts.flatMap(({ id }): FactVerdict[] => {
    if (failures.some(({ fact }) => fact === id)) return []
    const verdict = verdictOn(id)
    const stray = 'value' in verdict ? strayIn(verdict.value, held) : undefined
    if ('value' in verdict && stray === undefined) return [verdict.value]
    const why = 'error' in verdict ? verdict.error : `points at the memory "${stray}", which the store does not hold`
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
  if ('error' in said) return Array.from({ length }, () => said)
  const list = Array.isArray(said.value) ? said.value : null
  if (list?.length === length) return list.map((value) => read(schema, { value }))
  const came = list ? `${list.length} verdicts` : nameOf(said.value)
  return Array.from({ length }, () => ({ error: `returned ${came}, expected ${length} verdicts` }))
}

async function caught<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<Said<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (signal?.aborted || isFatal(error)) throw error
    return { error: `threw: ${messageOf(error)}` }
  }
}

function read<T>(schema: z.ZodType<T>, said: Said<unknown>): Said<T> {
  if ('error' in said) return said
  const parsed = schema.safeParse(said.value)
  return parsed.success ? { value: parsed.data } : { error: `returned no verdict: ${faultsOf(parsed.error)}` }
}

function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ')
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}

const amount = z.number().min(0)

const reading = z.object({
  answer: z.string().max(MOST_CHARACTERS),
  prompt: z.string(),
  tokens: z.object({ input: amount, output: amount }),
  cost: amount.nullable(),
  repairs: z.object({ tokens: amount, cost: amount.nullable() }).optional(),
  kept: z.boolean().optional(),
})

/**
 * A reader whose answers are looked at before they count, for readers from a user's file. What is no answer, or was thrown, is an error of
 * that question, which says whose and what was expected. What ends a run does so, too, when the reader swallowed it.
 */
export function checkedReader({ name, key, ...reader }: Reader): Reader {
  return {
    name,
    key,
    async read(question, memories, about) {
      // Ids of suites name tasks and rows, which would be answers to some questions.
      const asked = { ...question, id: fingerprint({ question: question.id }).slice(0, 16) }
      const shown = memories.map((memory, at) => asShown(memory, at))
      const said: unknown = await billedTo(newBill(), async () => reader.read(asked, shown, about)).catch(
        (error: unknown) => {
          if (about.signal?.aborted || isFatal(error)) throw error
          throw new Error(`${name}: read threw: ${messageOf(error)}`, { cause: error })
        },
      )
      const parsed = reading.safeParse(said)
      if (parsed.success) return parsed.data satisfies Reading
      throw new Error(`${name}: read returned no answer: ${faultsOf(parsed.error)}`)
    },
  }
}

/** A memory with what is counted of it alone: names and sources are written by memories, and could carry anything. */
function asShown({ text, time, status }: Memory, at: number): Memory {
  return { id: String(at + 1), text, ...(time !== undefined && { time }), ...(status !== undefined && { status }) }
}
