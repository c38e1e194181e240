import { fold, sentences, words } from '../../../base/text.js'
import type { PersonaLintRow } from './corpus.js'
import { nearDuplicates } from './near-duplicates.js'
import { collisions, eachRow, type LintRule, WHOLE } from './rule.js'

/** Rules of essays about people, and of people nobody spoke of. */
export const personaRules: LintRule<PersonaLintRow>[] = [
  eachRow('sentence-count', 'the essay has 10 to 15 sentences', ({ essay }) => {
    const count = sentences(essay).length
    return (count < 10 || count > 15) && `${count} sentences`
  }),
  {
    name: 'unique-name',
    about: 'no two essays are about somebody of the same name',
    check: (rows) =>
      [...collisions(rows, ({ entity }) => [fold(entity)])].flatMap(([, shared]) =>
        shared.map(({ row, entity }) => ({
          row,
          message: `${shared.length} essays are about a ${entity}: rows ${shared.map((other) => other.row).join(', ')}`,
        })),
      ),
  },
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
  questionRule('question-names-entity', 'a direct question names its person', ({ entity }, { misleading, text }) => {
    return !misleading && !fold(text).includes(fold(entity)) && `"${entity}" is not in the question`
  }),
  questionRule(
    'distractor-named',
    'a misleading question names its stranger',
    (_, { misleading, text, distractor }) => {
      return misleading && (distractor === null || !fold(text).includes(fold(distractor))) && 'nobody is asked about'
    },
  ),
  questionRule(
    'misleading-names-entity',
    'a misleading question does not name the essay’s own person',
    ({ entity }, { misleading, text, distractor }) => {
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
  {
    name: 'distractor-repeated',
    about: 'nobody is asked about in vain twice in one row',
    check: (rows) =>
      rows.flatMap(({ row, questions }) => {
        const names = questions.flatMap(({ distractor }) => (distractor === null ? [] : [distractor]))
        return new Set(names).size < names.length ? [{ row, message: 'the same stranger is asked about twice' }] : []
      }),
  },
  {
    name: 'near-duplicate',
    about: 'no two essays share 70 % of their words',
    check: (rows) =>
      nearDuplicates(
        rows.map(({ essay }) => essay),
        0.7,
      ).map(({ a, b, similarity }) => ({
        row: rows[b]!.row,
        message: `${Math.round(100 * similarity)} % like row ${rows[a]!.row}`,
      })),
  },
  {
    name: 'balance',
    about: 'between 45 and 55 % of the questions are misleading',
    check: (rows) => {
      const questions = rows.flatMap((row) => row.questions)
      const share = questions.filter(({ misleading }) => misleading).length / questions.length
      return share < 0.45 || share > 0.55
        ? [{ row: WHOLE, message: `${Math.round(100 * share)} % of the questions are misleading` }]
        : []
    },
  },
]

function questionRule(
  name: string,
  about: string,
  problem: (row: PersonaLintRow, question: PersonaLintRow['questions'][number]) => string | false,
): LintRule<PersonaLintRow> {
  return {
    name,
    about,
    check: (rows) =>
      rows.flatMap((row) =>
        row.questions.flatMap((question) => {
          const found = problem(row, question)
          return found ? [{ row: question.row, message: found }] : []
        }),
      ),
  }
}

function asWords(text: string): string {
  return ` ${words(text).join(' ')} `
}
