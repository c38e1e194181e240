import { Circumstances, CoexistingGrammar } from '../../../corpora/memfail/grammar/schema.js'
import type { CoexistingRow } from '../../../corpora/memfail/schema.js'
import { finish } from './english.js'
import type { Lexicon, Scope } from './expand.js'
import { lexiconOf, once, readGrammar } from './grammar.js'
import { keyOf, permute, placeInBlock } from './permutation.js'
import { numbered, Source, sample, serial } from './source.js'

const SIZES = [2, 3, 4, 5]
const MOST = 5

const grammar = once(() => readGrammar('coexisting', CoexistingGrammar))

/** Pairs of an occasion and a detail that do not contradict each other. */
const circumstances = once(() => {
  const { occasions, details } = readGrammar('circumstances', Circumstances)
  return occasions.flatMap((occasion) =>
    details.filter(({ kind }) => !occasion.without.includes(kind)).map((detail) => [occasion, detail] as const),
  )
})

/** The word lists, with the heads of each category as `head`. */
const lexicons = once(() =>
  grammar().categories.map(({ heads }): Lexicon => ({ ...lexiconOf('coexisting'), head: heads })),
)

/** How many rows have a category and a circumstance of their own. */
export const coexistingCapacity = once(() => grammar().categories.length * circumstances().length)

/**
 * One row: a category, a circumstance of its own, and two to five preferences. Rows take the categories in turn; the round is what tells
 * rows of a category apart, for circumstances and names are numbered by it.
 */
export function coexistingRow(index: number, seed: number): CoexistingRow {
  const { categories, groups, shapes, facts, questions } = grammar()
  const place = placeInBlock(index, categories.length, keyOf('category', seed))
  const round = Math.floor(index / categories.length)
  const category = categories[place]!
  const source = new Source('coexisting', seed, index, lexiconOf('coexisting'))
  const [occasion, detail] = circumstances()[permute(round, circumstances().length, keyOf(category.name, seed))]!
  const group = groups[category.group]!
  const scope: Scope = {
    C: `${occasion.say} ${detail.say}`,
    askA: occasion.ask,
    askB: detail.ask,
    noun: category.noun,
    do: group.do,
    vague: group.vague,
  }
  const size = SIZES[placeInBlock(index, SIZES.length, keyOf('size', seed))]!
  const preferences = sample(facts, size, source.random).map((fact, turn) => {
    const names: Scope = {}
    const shape = shapes[category.shape]!
    const key = keyOf(`preference ${category.name}`, seed)
    const name = numbered(shape.name, lexicons()[place]!, names, round * MOST + turn, key, source.random)
    const forms = [name, ...shape.forms.map((form) => source.text(form, names))]
    return preferenceOf(source, fact, name, forms, scope)
  })
  const question = source.text(source.random.pick(questions).replace('{opener}', '<opener>'), {
    ...scope,
    opener: source.random.pick(group.openers),
  })
  return {
    id: `gen-coex-${serial(index)}`,
    category: category.name,
    question: finish(question),
    preferences,
    provenance: source.provenance({ category: category.name, circumstance: scope.C!, N: size }),
  }
}

function preferenceOf(
  source: Source,
  fact: string,
  name: string,
  forms: string[],
  scope: Scope,
): CoexistingRow['preferences'][number] {
  const said: Scope = { ...scope, p: name }
  const { vague, denied, other } = grammar().damaged
  return {
    name: name.replace(/^the /, ''),
    fact: finish(source.text(fact, said)),
    forms: forms.map((form) => form.replace(/^the /, '')),
    damaged: [vague, denied, other].map((ways) => source.sentence(ways, said)),
  }
}
