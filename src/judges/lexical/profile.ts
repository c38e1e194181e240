import { coverage } from '../../language/match.js'
import type { Fact } from '../../model/index.js'
import { formsOf } from './parts.js'
import { namesPerson } from './people.js'
import type { StoreIndex } from './store/store-index.js'

/** What a store holds of the many particulars of one person. */
export interface Particulars {
  /** Mean share of every particular that is kept, under any name or none. */
  kept: number
  /** Whether the person is named in what holds them. */
  named: boolean
  /** The memories that hold them. */
  memories: { memory: string; text: string }[]
}

const MEMORIES = 80
/** A memory belongs to a profile when this much of what it says is said there; under the person's name, less will do. */
const OWN = { named: 0.42, nameless: 0.7 }
const OPENING_PRONOUN = /^(?:he|she|his|her|they|their)\b/i

/** Looks for the particulars of a profile, which no single memory holds. */
export function particularsOf(fact: Fact, index: StoreIndex): Particulars {
  const who = formsOf(fact.cues, 'who')
  const nameless = (text: string) =>
    who.flatMap((name) => [name, ...name.split(/\s+/)]).reduce((held, part) => held.replaceAll(part, ' '), text)
  const own = index
    .candidates([fact.text], MEMORIES)
    .map(({ view }) => ({ memory: view.id, text: view.statements.join(' ') }))
    .map((one) => ({ ...one, named: namesPerson(one.text, who) }))
    .filter(({ text, named }) => {
      const share = coverage(nameless(text), fact.text).exact
      return named ? share >= OWN.named : share >= OWN.nameless && !OPENING_PRONOUN.test(text)
    })
  const all = own.map(({ text }) => text).join(' ')
  const details = fact.cues.parts.filter(({ role }) => role === 'detail')
  const kept = details.reduce((sum, { forms }) => sum + coverage(nameless(forms[0]!), all).score, 0)
  const named = own.filter((one) => one.named)
  return {
    kept: own.length === 0 ? 0 : kept / Math.max(1, details.length),
    named: named.length > 0,
    memories: (named.length > 0 ? named : own).map(({ memory, text }) => ({ memory, text })),
  }
}
