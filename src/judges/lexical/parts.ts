import { type Coverage, coverage } from '../../language/match.js'
import { leadsTo } from '../../language/order.js'
import { tokenize } from '../../language/tokens.js'
import type { CueRole, Cues, Fact } from '../../model/index.js'

/** The forms of the first part with a role; none when there is no such part. */
export function formsOf(cues: Cues, role: CueRole): string[] {
  return cues.parts.find((part) => part.role === role)?.forms ?? []
}

/** How far a text holds the part of a fact of which it holds least: 0 to 1. Who it is about is looked for elsewhere. */
export function weakestPart(fact: Fact, text: string): number {
  const parts = fact.cues.parts.filter(({ role }) => role !== 'who' && role !== 'relation')
  if (parts.length === 0) return coverage(fact.text, text).core
  return Math.min(...parts.map(({ forms }) => bestForm(fact, forms, text).core))
}

/** Whether a text has both sides of a link, but the causing one as what is caused, or the two merely side by side. */
export function isTurnedRound(fact: Fact, text: string): boolean {
  const [what, value] = [formsOf(fact.cues, 'what'), formsOf(fact.cues, 'value')]
  if (fact.cues.kind !== 'link' || what.length === 0 || value.length === 0) return false
  const [from, to] = [what, value].map((forms) => placesOf(bestForm(fact, forms, text), text))
  return !leadsTo(text, from!, to!, leadIn(fact))
}

const PREPOSITION = new Set('to with in over under on at amid without inside'.split(' '))

/** Prepositions that stand before the cause in the source: "To write limericks", "With burning soles". */
function leadIn(fact: Fact): ReadonlySet<string> {
  const [first = 0] = placesOf(bestForm(fact, formsOf(fact.cues, 'what'), fact.text), fact.text)
  const before = tokenize(fact.text).slice(Math.max(0, first - 3), first)
  return new Set(before.map(({ text }) => text).filter((word) => PREPOSITION.has(word)))
}

/** Derived forms after the first are whole sentences of the source, which say more than the part. */
function bestForm({ cues }: Fact, forms: readonly string[], text: string): Coverage {
  const who = formsOf(cues, 'who')
  return (cues.explicit ? forms : forms.slice(0, 1))
    .map((form) =>
      coverage(
        who.reduce((held, name) => held.replaceAll(name, ' '), form),
        text,
      ),
    )
    .reduce((best, one) => (one.core > best.core ? one : best))
}

/** A word of a part is there when it is tied this closely. */
const THERE = 0.5

function placesOf({ matches }: Coverage, text: string): number[] {
  const words = tokenize(text)
  const found = new Set(
    matches
      .filter(({ strength, token }) => strength >= THERE && token.weight >= THERE)
      .map(({ at }) => words[at]?.text),
  )
  return words.filter(({ text: word, weight }) => weight > 0 && found.has(word)).map(({ at }) => at)
}
