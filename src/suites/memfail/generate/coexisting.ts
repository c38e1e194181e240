import { Circumstances, CoexistingGrammar } from '../../../corpora/memfail/grammar/schema.js'
import type { CoexistingRow } from '../../../corpora/memfail/schema.js'
import { finish } from './english.js'
import type { Lexicon, Scope } from './expand.js'
import { lexiconOf, once, readGrammar } from './grammar.js'
import { keyOf, permute, placeInBlock } from './permutation.js'
import { formatRowNumber, RowSource, sample, textAtIndex } from './source.js'

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

/** As many circumstances as have no divisor in common with the number of categories. */
const rounds = once(() => {
  let count = circumstances().length
  while (divisor(count, grammar().categories.length) > 1) count--
  return count
})

/**
 * One row: a category, a circumstance of its own, and two to five preferences. Rows take the categories in turn and the circumstances in
 * turn; as the two numbers have no common divisor, every pair comes once. Names of a category are numbered by the round.
 */
export function coexistingRow(index: number, seed: number): CoexistingRow {
  const { categories, groups, shapes, facts, questions, tails } = grammar()
  const place = placeInBlock(index, categories.length, keyOf('category', seed))
  const round = Math.floor(index / categories.length)
  const category = categories[place]!
  const source = new RowSource('coexisting', seed, index, lexiconOf('coexisting'))
  const turnOf = (round * categories.length + place) % rounds()
  const [occasion, detail] = circumstances()[permute(turnOf, rounds(), keyOf('circumstance', seed))]!
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
  // Facts of a row share their circumstance; nothing else in them comes twice.
  const whys = sample(source.lexicon.why!, size, source.random)
  const preferences = sample(facts, size, source.random).map((fact, turn) => {
    const names: Scope = {}
    const shape = shapes[category.shape]!
    const key = keyOf(`preference ${category.name}`, seed)
    const name = textAtIndex(shape.name, lexicons()[place]!, names, round * MOST + turn, key, source.random)
    const forms = [name, ...shape.forms.map((form) => source.text(form, names))]
    return preferenceOf(source, fact, name, forms, { ...scope, why: source.text(whys[turn]!, scope) })
  })
  const question = source.text(source.random.pick(questions), {
    ...scope,
    opener: source.random.pick(group.openers),
  })
  return {
    id: `gen-coex-${formatRowNumber(index)}`,
    category: category.name,
    question: `${finish(question)} ${tails[round % tails.length]}`,
    preferences,
    provenance: source.provenance({ category: category.name, circumstance: scope.C!, N: size }),
  }
}

function preferenceOf(
  source: RowSource,
  fact: string,
  name: string,
  forms: string[],
  scope: Scope,
): CoexistingRow['preferences'][number] {
  const said: Scope = { ...scope, p: name }
  const { vague, denied, other } = grammar().damaged
  const text = finish(source.text(fact, said))
  return {
    name: name.replace(/^the /, ''),
    fact: text,
    forms: forms.map((form) => form.replace(/^the /, '')),
    damaged: [source.sentence(vague, said), source.sentence(denied, said), ofSomebodyElse(source, other, said, text)],
  }
}

/** Told of a relative whom the fact itself does not mention. */
function ofSomebodyElse(source: RowSource, ways: readonly string[], said: Scope, fact: string): string {
  let told: string
  do told = source.sentence(ways, said)
  while (said.r!.split('-').some((word) => word.length > 3 && fact.includes(word)))
  return told
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
