import { words } from '../../base/text.js'
import type { History, LifeFact } from './questions/index.js'

/**
 * Whether sentences that say a fact name nothing else of its kind that was ever told: another element of its document, another item of its
 * domain, another task or event. What else they name may come to an end before the fact does, and would then stand beside it as if it
 * held. What they withdraw in the same breath they correct, and an item and the one whose place it takes are told by one sentence.
 */
export function toldAlone(fact: LifeFact, sentences: readonly string[], history: History): boolean {
  const kind = kindOf(fact)
  if (kind === null) return true
  // A document is named with each of its elements.
  const own = fact.cues.parts.flatMap(({ forms }) => forms.map(plain))
  const said = own.reduce((text, name) => text.replaceAll(name, ' | '), plain(sentences.join(' ')))
  const told = history.at(fact.session).filter(({ holds, thing }) => !holds || thing.startsWith('taste:'))
  const together = new Set(told.map(({ thing }) => thing))
  const named = (thing: string) => history.of(thing).some((other) => namesOf(other).some((name) => said.includes(name)))
  return !history.things(kind).some((thing) => thing !== fact.thing && !together.has(thing) && named(thing))
}

/** What the keys of all things begin with that are of the kind of a fact; null where one cannot be mistaken for another. */
function kindOf({ thing }: LifeFact): string | null {
  const [of, within] = thing.split(':')
  if (of === 'doc' || of === 'taste') return `${of}:${within}:`
  return of === 'todo' || of === 'event' ? `${of}:` : null
}

const known = new WeakMap<LifeFact, string[]>()

/** What is told of, in all its forms. */
function namesOf(fact: LifeFact): string[] {
  const found = known.get(fact)
  if (found) return found
  const { parts, core } = fact.cues
  const forms = parts.find(({ role }) => role === core)?.forms ?? []
  const names = forms.map(plain)
  known.set(fact, names)
  return names
}

/** Words with spaces around, so that a name is found whole. */
const plain = (text: string): string => ` ${words(text).join(' ')} `
