import { FUNCTION_WORDS } from '../../../language/function-words.js'
import { coverage, type WordMatch } from '../../../language/match.js'
import { tokenize } from '../../../language/tokens.js'

/** How surely a text has one of the written forms of a part, and where. */
export interface Presence {
  /** Share of the form's words that are there as such: the same, derived or synonymous. */
  share: number
  /** The same, without synonyms. */
  literal: number
  /** Positions of those words in the text. */
  at: number[]
  /** Whether those words stand close to each other. */
  together: boolean
}

/** Words that may stand between those of one name. */
const REACH = 3

const WORTH: Partial<Record<WordMatch['relation'], number>> = { same: 1, derived: 1, synonym: 1, similar: 0.7 }
/** Ties weaker than this are between senses too far apart. */
const SURE = 0.6
const LITERAL = 0.9

/**
 * How far a text has a part whose accepted forms are known. Stricter than `coverage`: a wider or narrower word is another thing, and a form
 * of function words alone ("no", "without") must be there as it is.
 */
export function presence(forms: readonly string[], text: string): Presence {
  let best: Presence = { share: 0, literal: 0, at: [], together: false }
  for (const form of forms) {
    const found = presenceOf(form, text)
    if (found.literal > best.literal || (found.literal === best.literal && found.share > best.share)) best = found
    if (best.literal === 1) break
  }
  return best
}

function presenceOf(form: string, text: string): Presence {
  const { matches } = coverage(form, text)
  if (matches.length === 0) return literally(form, text)
  let [held, literal, total] = [0, 0, 0]
  const at: number[] = []
  for (const { token, strength, relation, at: position } of matches) {
    const weight = Math.max(token.weight, 0.5)
    const worth = strength >= SURE ? (WORTH[relation] ?? 0) : 0
    total += weight
    held += weight * worth
    if (relation === 'same' || (relation === 'derived' && strength >= LITERAL)) literal += weight
    if (worth > 0) at.push(position)
  }
  const together = at.length > 0 && Math.max(...at) - Math.min(...at) < at.length + REACH
  return { share: held / total, literal: literal / total, at, together }
}

/** A form without content, word for word. */
function literally(form: string, text: string): Presence {
  const [wanted, there] = [tokenize(form).map((token) => token.text), tokenize(text)]
  const start = there.findIndex((_, i) => wanted.every((word, k) => there[i + k]?.text === word))
  return start < 0 || wanted.every((word) => !FUNCTION_WORDS.has(word))
    ? { share: 0, literal: 0, at: [], together: false }
    : { share: 1, literal: 1, at: wanted.map((_, k) => start + k), together: true }
}
