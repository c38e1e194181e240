import { z } from 'zod'
import { UserError } from '../base/errors.js'
import { stableStringify } from '../base/hash.js'
import { type Prices, type Providers, priceTable } from '../gateway/index.js'
import { SYSTEM_TIMEOUT_MS } from '../model/index.js'
import { joinParts } from './join.js'
import type { ModelAccess } from './model-access.js'
import { holdsSecret } from './secrets.js'

const isObject = (value: unknown) => typeof value === 'object' && value !== null
const limit = z.number().positive()
const count = z.int().positive()

/**
 * What workers of a run go by. Whoever may write to the store may write it, so that a worker takes nothing else of a row: numbers, prices, and
 * providers that it must have itself.
 */
const schema = z.object({
  access: z.object({
    batch: z.boolean().optional(),
    budgetUsd: z.number().nonnegative().optional(),
    concurrency: count.optional(),
    deadlines: z.object({ attemptMs: limit, deadlineMs: limit }).partial().optional(),
    // Looked at again as a user's own are.
    prices: z.array(z.record(z.string(), z.custom<Prices[string]>(isObject))).optional(),
    rates: z
      .record(
        z.string(),
        z.object({
          requestsPerMinute: limit.optional(),
          tokensPerMinute: limit.optional(),
          concurrency: limit.optional(),
        }),
      )
      .optional(),
    /** As they were defined, without any value of the environment. */
    providers: z.record(z.string(), z.custom<Providers[string]>(isObject)).optional(),
  }),
  systemMs: limit,
  lives: count,
  joins: z.record(z.string(), z.string()),
})

/** How the workers of a run reach models, and what has to be the same in all of them. */
export type SharedSettings = z.infer<typeof schema>

/** What workers elsewhere go by. The prices are those of this machine. */
export function sharedSettings(access: ModelAccess, systemMs: number | undefined, lives: number): SharedSettings {
  const { batch, budgetUsd, concurrency, deadlines, rates, prices = [], providers } = access
  if (providers) refuseLiterals(providers)
  return {
    access: {
      ...(budgetUsd !== undefined && { budgetUsd }),
      ...(concurrency !== undefined && { concurrency }),
      ...(deadlines && { deadlines }),
      ...(rates && { rates }),
      ...(prices.length > 0 && { prices: [priceTable(prices).models] }),
      ...(providers && { providers: providers }),
      ...(batch && { batch }),
    },
    systemMs: systemMs ?? SYSTEM_TIMEOUT_MS,
    lives,
    joins: joinParts(),
  }
}

/**
 * Refuses values of headers and queries that are not those of a variable: what a shared store holds is read by all who may read it.
 *
 * @throws UserError
 */
function refuseLiterals(providers: Providers): void {
  for (const [provider, { headers = {}, query = {} }] of Object.entries(providers))
    for (const [what, pairs] of Object.entries({ headers, query }))
      for (const [name, value] of Object.entries(pairs))
        if (!/\$\w/.test(value))
          throw new UserError(
            `The provider "${provider}" has a value in its ${what} ("${name}"), which a shared store would keep.`,
            `Put it into a variable of every machine and write "${name}": "$NAME_OF_THE_VARIABLE".`,
          )
}

/** Refuses to keep in a shared store what is a secret of this environment, or looks like one. @throws UserError */
export function requireNoSecrets(kept: object): void {
  if (!holdsSecret(JSON.stringify(kept))) return
  throw new UserError(
    'What this run is asked for holds a key or password, which a shared store would keep.',
    'Name variables of the environment in its place, such as cmd[env=MY_KEY]:… or header.authorization=MY_KEY.',
  )
}

/**
 * How a worker reaches models for a run: by the limits of the run, and by its own environment alone.
 *
 * @param own providers that the worker was given
 * @throws UserError when the run has others
 */
export function workerAccess(run: string, given: unknown, own: Providers | undefined): SharedSettings {
  const read = schema.safeParse(given)
  if (!read.success)
    throw new UserError(`The run ${run} cannot be read by workers: ${z.prettifyError(read.error)}`, 'Start it again.')
  const { providers: theirs = {}, ...access } = read.data.access
  const differing = Object.keys(theirs).filter(
    (name) => stableStringify(theirs[name]) !== stableStringify(own?.[name] ?? null),
  )
  if (differing.length > 0)
    throw new UserError(
      `The run ${run} reaches ${differing.join(', ')} by a definition that this worker was not given.`,
      'Give the worker the same file, if you know it: --providers <file>. A run cannot say where keys of a worker go.',
    )
  return { ...read.data, access: { ...access, ...(own && { providers: own }) } }
}
