import { escapeRegExp, fold } from '../../../base/text.js'
import { FIRST_PERSON } from '../published-coexisting.js'
import type { PreferencesRow } from './corpus.js'
import { collisions, dissimilar, eachRow, type LintRule, unshared } from './rule.js'

/** Rules of preferences that hold side by side. */
export const preferenceRules: LintRule<PreferencesRow>[] = [
  eachRow(
    'count',
    'a row has two to five preferences',
    ({ preferences: { length } }) => (length < 2 || length > 5) && `${length} preferences`,
  ),
  eachRow('entailment', 'every fact names its preference', ({ preferences }) =>
    preferences
      .filter(({ forms, fact }) => !forms.some((form) => mentions(fact, form)))
      .map(({ name }) => `no fact says "${name}"`),
  ),
  eachRow('first-person', 'every fact is told as the user’s own', ({ preferences }) =>
    preferences
      .filter(({ fact }) => !FIRST_PERSON.test(fold(fact)))
      .map(({ name }) => `the fact about "${name}" is nobody’s`),
  ),
  eachRow('sibling-named', 'no fact names another preference of its row', ({ preferences }) =>
    preferences.flatMap(({ fact, name }) =>
      preferences
        .filter((other) => other.name !== name && mentions(fact, other.name))
        .map((other) => `the fact about "${name}" names "${other.name}"`),
    ),
  ),
  eachRow('question-names-preference', 'the question names no preference', ({ question, preferences }) =>
    preferences.filter(({ name }) => mentions(question, name)).map(({ name }) => `the question names "${name}"`),
  ),
  eachRow('answer', 'the answer lists the preferences', ({ answer, preferences }) => {
    const expected = preferences.map(({ name }) => name).join(', ')
    return answer !== undefined && answer !== expected && `the answer is "${answer}", the preferences are "${expected}"`
  }),
  unshared(
    'preference-collision',
    'no preference is stated by two rows',
    ({ preferences }) => preferences.map(({ name }) => fold(name)),
    (name, { list }) => `"${name}" is stated by rows ${list}`,
  ),
  {
    name: 'category-collision',
    about: 'no two rows ask for the same kind of thing in the same words',
    check: (rows) =>
      [...collisions(rows, ({ question }) => [fold(question)])].flatMap(([, shared]) =>
        shared.slice(1).map(({ row }) => ({ row, message: `asks what row ${shared[0]!.row} asks` })),
      ),
  },
  dissimilar(
    'no two questions share 70 % of their words',
    0.7,
    ({ question }) => [question],
    (like, other) => `${like} the question of row ${other}`,
  ),
]

/** A phrase stands in a text as words, its last word in any number. */
function mentions(text: string, phrase: string): boolean {
  const escaped = escapeRegExp(fold(phrase))
  const open = escaped.replace(/(?:ies|y)$/, '(?:y|ies)').replace(/(?<=\p{L})s$/u, 's?')
  return new RegExp(`(?<![\\p{L}\\p{N}])${open}(?:s|es)?(?![\\p{L}\\p{N}])`, 'u').test(fold(text))
}
