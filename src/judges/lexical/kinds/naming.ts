import { type Coverage, coverage } from '../words/match.js'
import { lemmas } from '../words/morphology.js'

/** How surely a text names something, given the names it goes by: 1 outright, 0 not at all. */
export function naming(names: readonly string[], text: string): number {
  return Math.max(0, ...names.map((form) => (hasInitials(form, text) ? 1 : nameScore(coverage(form, text)))))
}

/** "AI" names artificial intelligence. */
function hasInitials(name: string, text: string): boolean {
  const words = name.split(/[\s-]+/)
  return words.length > 1 && text.split(/[^\p{L}]+/u).includes(words.map((word) => word[0]!.toUpperCase()).join(''))
}

/**
 * Another thing of the same sort is not the thing: wider words count nothing, narrower ones half. In a name of several words the last
 * only says the sort ("dark humor", "rock garden"), and so does a verb before its object ("visiting museums").
 */
function nameScore({ matches }: Coverage): number {
  let value = 0
  let total = 0
  matches.forEach(({ strength: held, relation, token }, i) => {
    const worth = relation === 'general' || relation === 'related' ? 0 : relation === 'specific' ? 0.5 * held : held
    const sort = i === matches.length - 1 ? !isGerund(matches[0]!.token.text) : i === 0 && isGerund(token.text)
    const weight = Math.max(token.weight, 0.5) * (matches.length > 1 && sort ? 0.5 : 1)
    value += weight * worth
    total += weight
  })
  return total === 0 ? 0 : value / total
}

function isGerund(word: string): boolean {
  return word.endsWith('ing') && lemmas(word).some(({ lemma, pos }) => lemma !== word && pos === 'v')
}
