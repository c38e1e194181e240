import { type Coverage, coverage, type WordMatch } from '../../language/match.js'
import { lemmas } from '../../language/morphology.js'
import { relatedWords } from '../../language/relations.js'
import { expressionTokens, plainWords, tokenize } from '../../language/tokens.js'
import { isWord, senseCount } from '../../language/wordnet.js'

/** How surely a text names something, given the names it goes by: 1 outright, 0 not at all. */
export function namingConfidence(names: readonly string[], text: string): number {
  return Math.max(
    0,
    ...names.map((form) =>
      hasInitials(form, text) ? 1 : Math.max(nameScore(coverage(form, text)), otherName(form, text)),
    ),
  )
}

/** Another name that the dictionary has for a fixed expression: "realty" for "real estate". */
function otherName(name: string, text: string): number {
  const expression = plainWords(name).join(' ')
  if (!expression.includes(' ') || !isWord(expression)) return 0
  const there = new Set(
    [...tokenize(text), ...expressionTokens(text)].flatMap(({ lemmas: forms }) => forms.map(({ lemma }) => lemma)),
  )
  const said = [...relatedWords(expression)].some(
    ([word, { relation }]) => (relation === 'same' || relation === 'synonym') && there.has(word),
  )
  return said ? 0.9 : 0
}

/** "AI" names artificial intelligence. */
function hasInitials(name: string, text: string): boolean {
  const words = name.split(/[\s-]+/)
  return words.length > 1 && text.split(/[^\p{L}]+/u).includes(words.map((word) => word[0]!.toUpperCase()).join(''))
}

/**
 * Another thing of the same sort is not the thing: wider words count nothing, narrower ones half. In a name of several words the last
 * often only says the sort ("rock garden"), and so does a verb before its object ("visiting museums"). Words of a name stand together.
 */
function nameScore({ matches }: Coverage): number {
  let value = 0
  let total = 0
  matches.forEach(({ strength, relation, token }, i) => {
    const worth =
      relation === 'general' || relation === 'related' ? 0 : relation === 'specific' ? 0.5 * strength : strength
    const weight = Math.max(token.weight, 0.5) * (saysSort(matches, i) ? 0.5 : 1)
    value += weight * worth
    total += weight
  })
  return total === 0 ? 0 : (value / total) * (isScattered(matches) ? 0.7 : 1)
}

function saysSort(matches: readonly WordMatch[], i: number): boolean {
  const [first] = matches
  if (matches.length < 2) return false
  const verbFirst = isGerund(first!.token.text) && matches.at(-1)!.token.weight === 1
  if (i === 0) return verbFirst
  return i === matches.length - 1 && !verbFirst && !isAdjective(first!.token.text)
}

const REACH = 6

function isScattered(matches: readonly WordMatch[]): boolean {
  const at = matches.filter(({ strength }) => strength >= 0.5).map((match) => match.at)
  return at.length > 1 && Math.max(...at) - Math.min(...at) > REACH
}

/** Mostly a quality ("fresh", "slow"), which many things have. */
function isAdjective(word: string): boolean {
  return senseCount(word, 'a') > senseCount(word, 'n')
}

function isGerund(word: string): boolean {
  return word.endsWith('ing') && lemmas(word).some(({ lemma, pos }) => lemma !== word && pos === 'v')
}
