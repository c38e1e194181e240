import { fold, sentences, words } from '../../../base/text.js'
import type { PersonaLintRow } from './corpus.js'
import { balanced, dissimilar, eachRow, type LintRule, unshared } from './rule.js'

/** Rules of essays about people, and of people nobody spoke of. */
export const personaRules: LintRule<PersonaLintRow>[] = [
  eachRow('sentence-count', 'the essay has 10 to 15 sentences', ({ essay }) => {
    const count = sentences(essay).length
    return (count < 10 || count > 15) && `${count} sentences`
  }),
  unshared(
    'unique-name',
    'no two essays are about somebody of the same name',
    ({ entity }) => [fold(entity)],
    (_, { count, list }, { entity }) => `${count} essays are about a ${entity}: rows ${list}`,
  ),
  {
    name: 'distractor-absent',
    about: 'people asked about in vain stand in no essay',
    check: (rows) => {
      const essays = rows.map(({ row, essay }) => ({ row, text: asWords(essay) }))
      return rows.flatMap(({ questions }) =>
        questions.flatMap(({ row, distractor }) => {
          if (distractor === null) return []
          const known = essays.filter(({ text }) => text.includes(asWords(distractor)))
          return known.length === 0
            ? []
            : [{ row, message: `${distractor} has an essay: row ${known.map((essay) => essay.row).join(', ')}` }]
        }),
      )
    },
  },
  questionRule('question-names-entity', 'a direct question names its person', ({ entity, misleading, text }) => {
    return !misleading && !fold(text).includes(fold(entity)) && `"${entity}" is not in the question`
  }),
  questionRule('distractor-named', 'a misleading question names its stranger', ({ misleading, text, distractor }) => {
    return misleading && (distractor === null || !fold(text).includes(fold(distractor))) && 'nobody is asked about'
  }),
  questionRule(
    'misleading-names-entity',
    'a misleading question does not name the essay’s own person',
    ({ entity, misleading, text, distractor }) => {
      if (!misleading) return false
      const own: string[] = fold(text.replaceAll(distractor ?? '\0', '')).match(/[\p{L}\p{N}]+/gu) ?? []
      const named = fold(entity)
        .split(' ')
        .find((part) => own.includes(part))
      return named !== undefined && `the question names "${named}"`
    },
  ),
  eachRow('entailment', 'every detail is a sentence of the essay and says all its parts', ({ essay, details }) => {
    const all = new Set(sentences(essay))
    return details.flatMap(({ id, sentence, parts }) => {
      if (!all.has(sentence)) return [`detail "${id}" is not a sentence of the essay`]
      const silent = parts.filter((forms) => !forms.some((form) => fold(sentence).includes(fold(form))))
      return silent.map((forms) => `detail "${id}" does not say "${forms[0]}"`)
    })
  }),
  eachRow('distractor-repeated', 'nobody is asked about in vain twice in one row', ({ questions }) => {
    const names = questions.flatMap(({ distractor }) => distractor ?? [])
    return new Set(names).size < names.length && 'the same stranger is asked about twice'
  }),
  dissimilar('no two essays share 70 % of their words', 0.7, ({ essay }) => [essay]),
  balanced('questions are misleading', ({ questions }) => questions.map(({ misleading }) => misleading)),
]

/** A question with the person that its essay is about. */
type AskedOf = PersonaLintRow['questions'][number] & Pick<PersonaLintRow, 'entity'>

function questionRule(
  name: string,
  about: string,
  problem: (asked: AskedOf) => string | false,
): LintRule<PersonaLintRow> {
  const { check } = eachRow(name, about, problem)
  const asked = ({ entity, questions }: PersonaLintRow) => questions.map((question) => ({ ...question, entity }))
  return { name, about, check: (rows) => check(rows.flatMap(asked)) }
}

function asWords(text: string): string {
  return ` ${words(text).join(' ')} `
}
