import { field } from '../../base/fence.js'
import { sentences, words } from '../../base/text.js'
import type { AnswerCase, Fact, Question } from '../../model/index.js'
import { formOf, sayingsOf } from './target.js'

/** Sentences of a longer fact that are shown beside an answer. */
const MOST_SENTENCES = 3

/** An answer as a case to be graded: question, what was expected, the facts that matter, and the answer. */
export function describeCase({ question, answer, facts }: AnswerCase, number: number): string {
  const { gold } = question
  return [
    `[${number}] ${caseKindName(question)}`,
    field('question', question.text),
    ...(gold.kind === 'choice' ? [field('options', optionsOf(question))] : []),
    gold.kind === 'abstain' ? field('unknown', gold.about) : field('expected', expectedOf(question)),
    ...valueFields(question),
    ...factsFor(question, answer, facts),
    field('answer', answer),
  ].join('\n')
}

/** By what name the prompts speak of a case of this kind. */
export function caseKindName({ gold }: Question): string {
  if (gold.kind === 'date') return 'free'
  return gold.kind === 'current' && gold.lenient ? 'known' : gold.kind
}

/** The values that an answer must name, each by itself; none where there is nothing to count. */
export function valuesOf({ gold }: Question): readonly string[] {
  return gold.kind === 'list' || gold.kind === 'sequence' ? gold.items : []
}

function valueFields(question: Question): string[] {
  const { gold } = question
  switch (gold.kind) {
    case 'list':
    case 'sequence':
      return [field('values', gold.items.map((value, i) => `(${i + 1}) ${value}`).join(' '))]
    case 'current':
      return gold.old.length > 0 ? [field('outdated', gold.old.join('; '))] : []
    case 'unsure':
      return [field('outdated', gold.old)]
    case 'withheld':
      return [field('secret', gold.value)]
    default:
      return []
  }
}

/** A fact in one line. */
function gist(fact: Fact): string {
  if (fact.cues.kind !== 'rule' || fact.unsupported !== undefined) return sayingsOf(fact).join(' ')
  const parts = [
    formOf(fact, 'who'),
    formOf(fact, 'what'),
    fact.cues.exclusive ? 'only' : undefined,
    formOf(fact, 'condition'),
  ]
  return fact.evidence ? fact.evidence.join(' ') : parts.filter((part) => part !== undefined).join(' ')
}

function optionsOf({ choices = [] }: Question): string {
  return choices.map(({ letter, text }) => `${letter}. ${text}`).join('; ')
}

function expectedOf({ gold }: Question): string {
  if (gold.kind === 'list' || gold.kind === 'sequence') return gold.items.join(', ')
  if (gold.kind === 'current') return gold.value
  return gold.kind === 'choice' ? `${gold.letter}. ${gold.text}` : gold.text
}

/**
 * The facts beside a case. Lists and choices say all there is to say by themselves. Of long facts only the sentences that matter: for an
 * answer that should have been none, those it may have used.
 */
function factsFor({ gold, text, outdated }: Question, answer: string, facts: readonly Fact[]): string[] {
  const about = gold.kind === 'abstain' ? `${text} ${answer}` : `${text} ${gold.text}`
  if (SELF_CONTAINED.has(gold.kind)) return []
  const parts: [string, readonly Fact[]][] = [
    ['facts', facts.filter(({ id }) => !outdated.includes(id))],
    ['outdated', facts.filter(({ id }) => outdated.includes(id))],
  ]
  return parts.flatMap(([name, some]) => (some.length > 0 ? [field(name, excerpt(some.map(gist), about))] : []))
}

/** Golds that say all there is to say by themselves. */
const SELF_CONTAINED: ReadonlySet<string> = new Set(['list', 'choice', 'sequence', 'current', 'unsure', 'withheld'])

/** The sentences that share most words with a text, in their own order. */
function excerpt(texts: readonly string[], about: string): string {
  const all = texts.flatMap(sentences)
  if (all.length <= MOST_SENTENCES) return all.join(' ')
  const wanted = new Set(words(about))
  const rank = all.map((sentence, i) => {
    const own = new Set(words(sentence))
    return { i, shared: [...own].filter((word) => word.length > 3 && wanted.has(word)).length }
  })
  const best = rank.sort((a, b) => b.shared - a.shared || a.i - b.i).slice(0, MOST_SENTENCES)
  return best
    .sort((a, b) => a.i - b.i)
    .map(({ i }) => all[i])
    .join(' ')
}
