import { fold, sentences } from '../../../base/text.js'
import { indexStem } from '../../../language/stems.js'
import { categoriesFor, conditionTypes } from '../generate/conditional-parts.js'
import type { RuleRow } from './corpus.js'
import { meetsBound, saysNumbersOf } from './entailment.js'
import { balanced, dissimilar, eachRow, type LintRule, unshared } from './rule.js'

/** The paper's own connectives. Without a marked sentence no others count: "only with close friends" need not be about the rule. */
const CONNECTIVE = /\b(?:only when|unless|except when|whenever|only after|only if|if)\b/

/** In a sentence that is marked as the rule, any phrase that makes the condition exclusive. */
const CONNECTIVE_OR_LIKE =
  /\b(?:only (?:when|if|after|before|while|once|during|between|in|on|at|with|from|for|until|within|near|inside|under|where|as long as|by|over|above|below|beside|to)|unless|except|whenever|no more than|not (?:until|before)|never (?:before|until|without|outside|except)|only then|exclusively|solely|at no other time|not otherwise|if)\b/

/** An explicit conditional; "as if" is a comparison, not a condition. */
export const FORBIDDEN =
  /\b(?:only when|unless|except when|but only if|whenever|only after|only if|(?<!\bas )(?<!\beven )if)\b/

/** What excludes other conditions, wherever it stands. */
const EXCLUSIVE =
  /\b(?:only|never|exclusively|solely|sole|alone|nothing but|unless|except|not until|reserve[sd]?|otherwise|nowhere else|at no other|no other (?:time|day|hour|moment|place|weather|condition|occasion|mood)s?)\b/

/** Rules of both tellings. */
export function conditionalRules(telling: 'easy' | 'hard'): LintRule<RuleRow>[] {
  const [least, most] = telling === 'easy' ? [5, 10] : [8, 12]
  return [
    eachRow('sentence-count', `the essay has ${least} to ${most} sentences`, ({ essay }) => {
      const count = sentences(essay).length
      return (count < least || count > most) && `${count} sentences`
    }),
    telling === 'easy'
      ? eachRow(
          'explicit-connective',
          'the rule is joined to its condition by an explicit connective',
          ({ essay, marked }) => {
            const joined =
              marked?.whole === undefined ? CONNECTIVE.test(fold(essay)) : CONNECTIVE_OR_LIKE.test(fold(marked.whole))
            return !joined && 'no "only when", "unless" or the like'
          },
        )
      : eachRow('forbidden-connective', 'no explicit conditional connective stands in the essay', ({ essay }) => {
          const found = FORBIDDEN.exec(fold(essay))
          return found && `"${found[0]}"`
        }),
    eachRow(
      'marked-sentences',
      'the sentences marked as stating the rule stand in the essay, apart from each other',
      markedSentences,
    ),
    eachRow(
      'entailment',
      'the essay states every number of the condition, and a form of every written part',
      entailment,
    ),
    eachRow(
      'exclusivity',
      'an essay whose condition is not met says that nothing else will do',
      ({ conditionMet, essay, marked }) => {
        // A marked link sentence has been written to exclude the rest in its own soft words.
        return (
          !conditionMet && !marked && !EXCLUSIVE.test(fold(essay)) && 'nothing in the essay excludes other conditions'
        )
      },
    ),
    eachRow(
      'situation',
      'the numbers of the question and of the condition agree with the label',
      ({ condition, question, conditionMet }) => {
        const met = meetsBound(condition, question)
        return (
          met !== null &&
          met !== conditionMet &&
          `by its numbers the condition is ${met ? '' : 'not '}met, labelled ${conditionMet ? 'met' : 'not met'}`
        )
      },
    ),
    eachRow('label', 'yes is the answer just when the condition is met', ({ answer, conditionMet }) => {
      return (answer === 'yes') !== conditionMet && `condition met: ${conditionMet ? 'yes' : 'no'}, answer: ${answer}`
    }),
    eachRow('question-names-entity', 'the question names the entity', ({ question, entity }) => {
      const named = entity.split(/\s+/).some((part) => part.length > 2 && fold(question).includes(fold(part)))
      return !named && `"${entity}" is not in the question`
    }),
    eachRow('condition-type', 'the type is one of 32, and observable for pets', ({ conditionType, category }) => {
      // The types of the paper's Table 3; no pet is asked for its inner state.
      if (!conditionTypes().includes(conditionType)) return `unknown type "${conditionType}"`
      return (
        category === 'pet' &&
        !categoriesFor(conditionType).includes('pet') &&
        `${conditionType} cannot be seen from outside, but ${category}s have no other`
      )
    }),
    unshared(
      'unique-name',
      'no two rows are about somebody of the same name',
      ({ entity }) => [fold(entity)],
      (_, { count, list }, { entity }) => `${count} rows are about a ${entity}: ${list}`,
    ),
    dissimilar('no two essays share 80 % of their words', 0.8, ({ essay }) => [essay]),
    balanced('answers are yes', ({ answer }) => [answer === 'yes']),
  ]
}

function markedSentences({ essay, marked }: RuleRow): string[] {
  if (!marked) return []
  const all = sentences(essay)
  const places = Object.entries(marked).map(([part, sentence]) => ({ part, at: all.indexOf(sentence) }))
  const missing = places
    .filter(({ at }) => at < 0)
    .map(({ part }) => `the ${part} sentence is not a sentence of the essay`)
  const present = places.map(({ at }) => at).sort((a, b) => a - b)
  const adjacent = present.some((at, i) => i > 0 && at - present[i - 1]! < 2)
  return [...missing, ...(adjacent ? ['two of the rule sentences stand side by side'] : [])]
}

function entailment({ essay, condition, parts, threshold, marked }: RuleRow): string[] {
  const unsaid = (parts ?? []).flatMap(({ role, forms }) => {
    return forms.some((form) => sharesWords(form, essay)) ? [] : [`no form of the ${role} stands in the essay`]
  })
  const missing = saysNumbersOf(condition, essay)
  const inMarked = threshold && marked ? saysNumbersOf(condition, marked.condition ?? marked.whole ?? essay) : []
  return [...unsaid, ...[...new Set([...missing, ...inMarked])].map((number) => `the essay never says "${number}"`)]
}

/** Most of the longer words of a form stand in the text, in some inflection. */
function sharesWords(form: string, text: string): boolean {
  const said = new Set(
    fold(text)
      .match(/[\p{L}\p{N}]+/gu)
      ?.map(indexStem),
  )
  const content = fold(form).match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return content.length === 0 || content.filter((word) => said.has(indexStem(word))).length >= content.length / 2
}
