import { FUNCTION_WORDS } from '../../../language/function-words.js'
import { indexStem } from '../../../language/stems.js'
import { plainWords } from '../../../language/tokens.js'
import type { Unit } from '../store/units.js'
import { findAll, findPhrase } from './phrase.js'
import { clauseOf, masked } from './speech.js'

/** How a value is tied to its thing: named in the same breath, by a word of its name only, or not at all. */
export type Bond = 'named' | 'loose' | 'none'

/** Too general to single a thing out, though names are made of them. */
const GENERAL = new Set(
  `type time place team code test project method current system tool command url config path format file plan goal event regular session
  work home live take keep play into started start daily build deploy data schema service services new user primary main location name
  number level set target rule policy channel image model server access status school way move pay drive next go going member seeing buy
  match friends circle position role title run runs written stored connect ship ships merge branch check based title office`
    .trim()
    .split(/\s+/),
)
const PRONOUN = /^(?:it|he|she|they|that|this|these|those|which|now|and it|currently|update)\b/
const LABEL_BEFORE =
  /(?:^|\b(?:the|our|my|your|their|user's|users?|project's|team's|and|as|of) )((?:[a-z][a-z'-]* ?){1,4}?)\s*(?:is|are|was|were|=|:|->|will be|becomes?|goes to|remains|stays)\s*(?:now |currently |a |an |the |at |in |on |by |with |called |still |")*\u00a7/
const LABEL_AFTER =
  /\u00a7"?\s*(?:,\s*)?(?:is|as|was|becomes?|=)\s*(?:now |currently |still )?(?:the |our |my |their |user's )((?:[a-z][a-z'-]* ?){1,4})/
const BARE_LABEL =
  /^\s*(?:and |the |our |my |with )*((?!(?:user|i|we|they|he|she|it|you)\b)(?:[a-z][a-z'-]* ){1,3})(?<!\b(?:the|a|an|my|our|their|to|at|in|on|by|with|for|from|of|as|is|are|takes|uses|called) )\u00a7\s*$/

/** How a unit ties a value to one of the names of its thing. Headings and bullets above count; so does the sentence before a pronoun. */
export function bondOf(names: readonly string[], values: readonly string[], unit: Unit): Bond {
  const sentence = masked(unit.plain, findAll(values, unit.plain, false))
  const { clause } = clauseOf(sentence)
  if (containsName(names, clause)) return 'named'
  if (hasOtherLabel(clause, names)) return 'none'
  if (containsName(names, sentence) || containsName(names, unit.heading)) return 'named'
  const takenUp = PRONOUN.test(unit.plain) || unit.plain.split(' ').length <= 4
  if (takenUp && containsName(names, unit.before)) return 'named'
  const loose = looseWords(names)
  const there = plainWords(`${unit.heading} ${sentence}`).map(indexStem)
  return there.some((word) => loose.has(word)) ? 'loose' : 'none'
}

/** Whether any of the names stands in a text made plain. */
export function containsName(names: readonly string[], plain: string): boolean {
  return plain !== '' && names.some((name) => findPhrase(name, plain, true) !== undefined)
}

/** Whether a text has a telling word of one of the names. */
export function isHinted(names: readonly string[], plain: string): boolean {
  const loose = looseWords(names)
  return plainWords(plain).some((word) => loose.has(indexStem(word)))
}

const known = new WeakMap<readonly string[], ReadonlySet<string>>()

function looseWords(names: readonly string[]): ReadonlySet<string> {
  let words = known.get(names)
  if (!words) {
    const telling = names
      .flatMap(plainWords)
      .filter((word) => word.length > 3 && !FUNCTION_WORDS.has(word) && !GENERAL.has(word))
    words = new Set(telling.map(indexStem))
    known.set(names, words)
  }
  return words
}

/** The clause itself says of what it is the value, and that is something else. */
function hasOtherLabel(clause: string, names: readonly string[]): boolean {
  const found = LABEL_BEFORE.exec(clause) ?? LABEL_AFTER.exec(clause) ?? BARE_LABEL.exec(clause)
  const label = found?.[1]?.trim() ?? ''
  const telling = plainWords(label).filter((word) => !FUNCTION_WORDS.has(word) && !NO_LABEL.has(word))
  return telling.length > 0 && !isHinted(names, label)
}

const NO_LABEL = new Set(
  'choice pick value current answer new name latest one entry address update there here person'.split(' '),
)
