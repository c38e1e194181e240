import { z } from 'zod'
import { Random } from '../../../base/random.js'
import { CoexistingGrammar } from '../../../corpora/memfail/grammar/schema.js'
import type { CoexistingRow } from '../../../corpora/memfail/schema.js'
import { fill } from '../../generation/fill.js'
import { type Maker, rowStep } from '../../generation/maker.js'
import { coexistingRow } from '../generate/coexisting.js'
import { once, readGrammar } from '../generate/grammar.js'
import { proposedRows, type RowReading } from './reading.js'

interface PreferencesSpec {
  row: number
  category: string
  count: number
}

const Preferences = z.object({
  row: z.number().int(),
  preferences: z.array(z.object({ name: z.string().min(1), fact: z.string().min(1) })),
  question: z.string().min(1),
})
type Preferences = z.infer<typeof Preferences>

export const preferences = rowStep<PreferencesSpec, Preferences>(
  'coexisting',
  Preferences,
  ({ row, category, count }) => {
    for (let index = row * APART; ; index++) {
      const own = coexistingRow(index, 42)
      if (own.category !== category || own.preferences.length !== count) continue
      return { row, question: own.question, preferences: own.preferences.map(({ name, fact }) => ({ name, fact })) }
    }
  },
)

/** How far rows that a rehearsal takes lie apart: all categories with all counts stand between. */
const APART = 1600

/** The kinds of things that people prefer, one row each before any comes again. */
const categories = once(() => readGrammar('coexisting', CoexistingGrammar).categories.map(({ name }) => name))

export const coexistingReading: RowReading<CoexistingRow> = {
  kind: 'coexisting',
  tasks: ['coexisting'],
  judged: ['coexisting'],
  paperRules: ['count', 'sibling-named', 'answer'],
  dedup: { threshold: 0.7, texts: ({ question }) => [question] },
  asOwn: (rows) => ({ kind: 'coexisting', rows, hash: '' }),
  claims: ({ preferences }) =>
    preferences.map(({ name, fact }) => ({ text: fact, claims: [`The speaker likes ${name}.`] })),
  claimOf: ({ preferences }, at) => `I like ${preferences[at]!.name}.`,
}

/** Preferences of one kind that hold side by side, each told by itself. */
export async function makeCoexisting(maker: Maker, target: number, seed: number): Promise<CoexistingRow[]> {
  const all = new Random(`coexisting categories ${seed}`).shuffle([...categories()])
  return fill<PreferencesSpec, CoexistingRow>(maker, {
    strata: Array.from({ length: target }, (_, at) => all[at % all.length]!),
    stratumOf: ({ category }) => category,
    spec: (place, category) => ({
      row: place + 1,
      category,
      count: 2 + new Random(`coexisting spec ${seed} ${place}`).below(4),
    }),
    make(specs, kept) {
      const miscounted = ({ preferences: { length } }: Preferences, { count }: PreferencesSpec) =>
        length === count ? [] : [{ rule: 'count', message: `There must be ${count} preferences, not ${length}.` }]
      return proposedRows(maker, coexistingReading, preferences, specs, kept, miscounted, (made, spec) =>
        coexistingFrom(made, spec, seed),
      )
    },
  })
}

function coexistingFrom(made: Preferences, { row, category, count }: PreferencesSpec, seed: number): CoexistingRow {
  return {
    id: `mod-coex-${String(row).padStart(6, '0')}`,
    category,
    question: made.question,
    preferences: made.preferences.map(({ name, fact }) => ({
      name,
      fact,
      forms: [name],
      damaged: [`I do not care for ${name} at all.`, `My neighbour is fond of ${name}.`],
    })),
    provenance: {
      generator: 'memfail/coexisting with a model',
      version: '1',
      seed,
      index: row - 1,
      spec: { category, N: count },
    },
  }
}
