import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { UserError } from '../../base/errors.js'
import { isFolder } from '../../base/folders.js'
import { entryOf } from '../../base/group-by.js'
import type { LlmUsage } from '../../model/index.js'
import { EFFORT } from '../providers/catalog.js'

const Rate = z.number().nonnegative()

/** What a model charges, in USD per million tokens. null = not known, which is not the same as nothing. */
const Price = z.object({
  input: Rate.nullable(),
  /** For input that the provider had cached; as `input` when left out. */
  cachedInput: Rate.nullable().optional(),
  /** For input that the provider puts into its cache; as `input` when left out. */
  cacheWrite: Rate.nullable().optional(),
  output: Rate.nullable(),
  /** Most tokens the model can write in one reply. */
  maxOutput: z.number().int().nonnegative().nullable().optional(),
  /** Length of vectors, for embedding models. */
  dimensions: z.number().int().positive().optional(),
  /** What prompts longer than `above` cost. */
  long: z.object({ above: z.number(), input: Rate, cachedInput: Rate.optional(), output: Rate }).optional(),
  /** Whose list it stands on, and when. */
  source: z.string().optional(),
})
export type Price = z.infer<typeof Price>

const Prices = z.record(z.string(), Price)
export type Prices = z.infer<typeof Prices>

const PriceFile = z.object({
  unit: z.literal('USD per million tokens'),
  updated: z.string(),
  note: z.string(),
  models: Prices,
})

/** Prices by `provider:model` or model, a user's own before those shipped. Dates, vendor prefixes and `4-5` for `4.5` make no difference. */
export interface PriceTable {
  find(spec: string): Price | null
  /** Cost in USD, or null when it cannot be known. */
  cost(spec: string, usage: LlmUsage): number | null
  /** When its prices were looked up, also those of one's own over them. */
  readonly updated: string
  /** All that have a price, by the names they are listed under; a user's own take the place of shipped ones. */
  readonly models: Prices
}

/** A user's own prices, or a file that holds them: `{ "my-model": { "input": 1, "output": 2 } }`, or a whole table with its date. */
export type OwnPrices = Prices | string

/** @param overrides the user's own prices, each over those before */
export function priceTable(overrides: OwnPrices | readonly OwnPrices[] = []): PriceTable {
  const shipped = readData(new URL('../prices.json', import.meta.url), PriceFile)
  const given = Array.isArray(overrides) ? (overrides as readonly OwnPrices[]) : [overrides as OwnPrices]
  const own = given.map((one) =>
    typeof one === 'string' ? readPrices(one) : { models: checkPrices(one, 'The given prices') },
  )
  const byName = new Map<string, Price>()
  for (const { models } of [shipped, ...own]) {
    for (const [name, price] of Object.entries(models)) {
      byName.set(name, price)
      byName.set(plainName(name), price)
    }
  }
  const found = new Map<string, Price | null>()
  const find = (spec: string) =>
    entryOf(found, spec, () => {
      const plain = spec.replace(EFFORT, '')
      const model = plain.slice(plain.indexOf(':') + 1)
      return byName.get(plain) ?? byName.get(model) ?? byName.get(plainName(model)) ?? null
    })
  return {
    find,
    updated: datesOf(
      shipped.updated,
      own.filter(({ models }) => Object.keys(models).length > 0),
    ),
    models: Object.assign({}, shipped.models, ...own.map(({ models }) => models)) as Prices,
    cost: (spec, usage) => {
      const price = find(spec)
      return price ? costOf(price, usage) : null
    },
  }
}

/** Cost in USD of some usage at a price; null when a rate that matters is not known. */
export function costOf(price: Price, usage: LlmUsage): number | null {
  const rates = price.long && usage.input > price.long.above ? price.long : price
  const { input, output } = rates
  if (input === null || output === null) return null
  const cached = rates.cachedInput ?? input
  const { cachedInput, cacheWrite = 0 } = usage
  const written = cacheWrite * (('cacheWrite' in rates ? rates.cacheWrite : null) ?? input)
  const plain = (usage.input - cachedInput - cacheWrite) * input
  return (plain + cachedInput * cached + written + usage.output * output) / 1e6
}

function plainName(name: string): string {
  return name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/:free$/, '')
    .replace(/[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')
    .replace(/(?<=-\d)-(?=\d(?:$|-))/, '.')
}

interface DatedPrices {
  models: Prices
  updated?: string
}

function datesOf(shipped: string, own: readonly DatedPrices[]): string {
  return [
    shipped,
    ...own.map(({ updated }) => `own prices ${updated === undefined ? 'without a date' : `of ${updated}`}`),
  ].join(', ')
}

/** Prices that a file holds, alone or as a table with its date. */
export function readPrices(file: string): DatedPrices {
  if (!existsSync(file)) throw new UserError(`There is no file of prices ${file}.`, 'Check its path.')
  if (isFolder(file)) throw new UserError(`The file of prices ${file} is a folder.`, 'Name a file in it.')
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${error instanceof Error ? error.message : error}.`, EXAMPLE)
  }
  const table = PriceFile.partial({ note: true, unit: true }).safeParse(json)
  if (table.success) return table.data
  return { models: checkPrices(json, file) }
}

const EXAMPLE =
  'Write prices in USD per million tokens: { "my-model": { "input": 1, "output": 2, "maxOutput": 8192 } }.'

function checkPrices(value: unknown, where: string): Prices {
  const checked = Prices.safeParse(value)
  if (checked.success) return checked.data
  throw new UserError(`${where}: ${z.prettifyError(checked.error).replaceAll('\n', ' ')}`, EXAMPLE)
}
