import { kin } from './relations.js'
import { contentTokens, expressionTokens, type Token } from './tokens.js'

/** Ties at least this strong say the same. */
const STRONG = 0.8

const forms = new Map<string, readonly string[]>()
const sets = new Map<string, ReadonlySet<string>>()
const MOST = 20_000

/**
 * Share of the content of `part` that `text` holds in the same words, derivations or synonyms. Coarser than `coverage` and linear in
 * both, for comparing whole essays.
 */
export function strongShare(part: string, text: string): number {
  const there = strongSet(text)
  let total = 0
  let held = 0
  for (const token of contentTokens(part)) {
    total += token.weight
    if (token.lemmas.some(({ lemma }) => there.has(lemma))) held += token.weight
  }
  return total === 0 ? 0 : held / total
}

/** Every base form that says the same as some word of a text. */
function strongSet(text: string): ReadonlySet<string> {
  let found = sets.get(text)
  if (!found) {
    const set = new Set<string>()
    for (const token of [...contentTokens(text), ...expressionTokens(text)])
      for (const form of strongForms(token)) set.add(form)
    found = set
    if (sets.size >= MOST) sets.clear()
    sets.set(text, found)
  }
  return found
}

function strongForms(token: Token): readonly string[] {
  let found = forms.get(token.text)
  if (!found) {
    found = token.lemmas.flatMap(({ lemma, pos }) =>
      [...kin(lemma, pos)].filter(([, { strength }]) => strength >= STRONG).map(([form]) => form),
    )
    forms.set(token.text, found)
  }
  return found
}
