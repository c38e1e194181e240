import { z } from 'zod'
import { splitIntoBatches } from '../../base/batches.js'
import { giveWay } from '../../base/give-way.js'
import { LlmError, type LlmReply, type MakerRole, type ModelMaking, type Violation } from '../../model/index.js'
import type { Funnel } from './funnel.js'
import type { PromptFolder } from './prompts.js'

/** How often a refused reply is asked for again, with why it was refused. */
export const MOST_RETRIES = 3
/** Rows that are asked for in one call. */
export const BATCH = 5

/** How providers say that their filter refused a request: others of the same work may pass. */
const FILTERED = /content[ _-]?(?:management|filter|policy)|usage polic|safety system/i

/** Why a reply, or a row of one, cannot be taken: the rule, for the funnel, and what is wrong, for the model. */
export type Refusal = Pick<Violation, 'rule' | 'message'>

/** One kind of call: what is told (the prompt of its name), who is asked, what must come back, and what a rehearsal says. */
export interface CallStep<I extends object, O> {
  name: string
  role: MakerRole
  reply: z.ZodType<O>
  rehearse(input: I): O
}

/** A step that is asked for rows, some a call: of the generator, unless told. */
export function rowStep<S extends { row: number }, R extends { row: number }>(
  name: string,
  row: z.ZodType<R>,
  rehearse: (spec: S) => R,
  role: MakerRole = 'generator',
): CallStep<{ rows: S[] }, { rows: R[] }> {
  return {
    name,
    role,
    reply: z.object({ rows: z.array(row) }),
    rehearse: ({ rows }) => ({ rows: rows.map(rehearse) }),
  }
}

/** What came of asking: a reply that was accepted, or why the last one was not. */
export type Made<O> = { value: O } | { refused: Refusal[] }

/** The money is spent: what is made so far is what there is. */
export class OutOfBudget extends Error {}

/**
 * Asks the models of one dataset. Replies are checked; what is wrong with them goes back, up to three times. Everything that decides a reply
 * stands in its request or is the number of the try, so that work begun again finds each reply among those that were kept, whatever was asked at the same time.
 */
export class Maker {
  constructor(
    readonly making: ModelMaking,
    private readonly prompts: PromptFolder,
    readonly funnel: Funnel,
    /** Stands in every request, so that another seed gets other replies. */
    private readonly seed: number,
  ) {}

  /** Asks until a reply has nothing wrong with it. `which` is the number of a judge. */
  async ask<I extends object, O>(
    step: CallStep<I, O>,
    input: I,
    check: (value: O) => Refusal[] | Promise<Refusal[]> = () => [],
    which = 0,
  ): Promise<Made<O>> {
    let refused: Refusal[] = []
    for (let attempt = 0; attempt <= MOST_RETRIES; attempt++) {
      const said = await this.#once(step, input, refused, which, attempt)
      refused = 'refused' in said ? said.refused : await check(said.value)
      if (refused.length === 0) return said
      this.#count(step.name, refused, attempt)
    }
    return { refused }
  }

  /**
   * Asks for a row for each of some specs, all in one call; only those that are missing or wrong are asked for again. What nobody asked for is
   * left out.
   */
  async rows<S extends { row: number }, R extends { row: number }>(
    step: CallStep<{ rows: S[] }, { rows: R[] }>,
    specs: readonly S[],
    check: (row: R, spec: S) => Refusal[],
    about: object = {},
  ): Promise<Map<number, Made<R>>> {
    const made = new Map<number, Made<R>>()
    let open = [...specs]
    let reasons: Refusal[] = []
    for (let attempt = 0; attempt <= MOST_RETRIES && open.length > 0; attempt++) {
      const said = await this.#once(step, { ...about, rows: open }, reasons, 0, attempt)
      reasons = 'refused' in said ? said.refused : []
      const rows = 'value' in said ? said.value.rows : []
      open = open.filter((spec) => {
        const found = rows.filter(({ row }) => row === spec.row)
        const wrong =
          found.length === 1
            ? check(found[0]!, spec)
            : 'refused' in said
              ? said.refused
              : [{ rule: 'count', message: `There are ${found.length} rows of this number, there must be one.` }]
        made.set(spec.row, wrong.length === 0 ? { value: found[0]! } : { refused: wrong })
        reasons.push(...wrong.map(({ rule, message }) => ({ rule, message: `Row ${spec.row}: ${message}` })))
        return wrong.length > 0
      })
      if (open.length > 0) this.#count(step.name, reasons, attempt)
    }
    return made
  }

  /** Asks for any number of rows, some a call, all calls at the same time. */
  async batches<S extends { row: number }, R extends { row: number }>(
    step: CallStep<{ rows: S[] }, { rows: R[] }>,
    specs: readonly S[],
    check: (row: R, spec: S) => Refusal[] = () => [],
  ): Promise<Map<number, Made<R>>> {
    const batches = await Promise.all(splitIntoBatches(specs, BATCH).map((batch) => this.rows(step, batch, check)))
    return new Map(batches.flatMap((batch) => [...batch]))
  }

  /** Asks every judge; all must answer. */
  async judges<I extends object, O>(
    step: CallStep<I, O>,
    input: I,
    check?: (value: O) => Refusal[],
  ): Promise<Made<O>[]> {
    const judges = this.making.models(step.role, step.name)
    return Promise.all(judges.map((_, which) => this.ask(step, input, check, which)))
  }

  async #once<I extends object, O>(
    step: CallStep<I, O>,
    input: I,
    refused: Refusal[],
    which: number,
    attempt: number,
  ): Promise<Made<O>> {
    const { making, funnel } = this
    const told = {
      seed: this.seed,
      ...input,
      ...(refused.length > 0 && { refused: refused.map(({ message }) => message) }),
    }
    const models = making.models(step.role, step.name)
    const llm = making.llm(models[which]!, () => step.rehearse(input))
    const count = funnel.step(step.name, models)
    count.calls++
    // Rehearsals answer at once: without a pause nothing could stop them.
    await giveWay()
    making.signal.throwIfAborted()
    try {
      const reply: LlmReply<O> = await llm.generate(
        {
          messages: [
            { role: 'system', content: this.prompts.text(step.name) },
            { role: 'user', content: JSON.stringify(told, null, 1) },
          ],
          schema: step.reply,
          ...(step.role !== 'generator' && { temperature: 0 }),
        },
        {
          role: 'generate',
          label: `${funnel.dataset}/${step.name}`,
          // A fault that comes again is told in the same words: without its number the next try would get the reply that was kept.
          trial: which * (MOST_RETRIES + 1) + attempt,
          signal: making.signal,
        },
      )
      count.input += reply.usage.input
      count.output += reply.usage.output
      return { value: reply.object }
    } catch (error) {
      if (!(error instanceof LlmError)) throw error
      if (error.code === 'budget') throw new OutOfBudget(error.message)
      if (error.status === 400 && FILTERED.test(error.message))
        return {
          refused: [{ rule: 'filtered', message: 'The provider refused this. Choose another, harmless matter.' }],
        }
      if (error.code !== 'unparsable') throw error
      return { refused: [{ rule: 'unusable', message: whyOf(error) }] }
    }
  }

  #count(step: string, refused: readonly Refusal[], attempt: number): void {
    const count = this.funnel.step(step)
    for (const rule of new Set(refused.map((one) => one.rule))) count.why[rule] = (count.why[rule] ?? 0) + 1
    if (attempt < MOST_RETRIES) count.retries++
    else count.refused++
  }
}

/** What is wrong with a reply, without what names the call. */
function whyOf({ message }: LlmError): string {
  return `The reply cannot be used: ${message.replace(/^.*?cannot be used(?:, after \d+ calls)?: /s, '')}`
}
