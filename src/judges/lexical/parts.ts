import { type Coverage, coverage } from '../../language/match.js'
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
