import { fold } from '../../base/text.js'
import { hasExclusivity, isNegated } from '../../language/markers.js'
import { coverage } from '../../language/match.js'
import { numbersInDigits } from '../../language/numbers.js'
import { indexStem } from '../../language/stems.js'
import { contentTokens } from '../../language/tokens.js'
import type { Fact } from '../../model/index.js'
import { keepsAmounts } from './amounts.js'
import type { Chunk, NearChunk } from './nearest.js'
import { formsOf, weakestPart } from './parts.js'
import { bringsStranger, namesPerson } from './people.js'
import type { Particulars } from './profile.js'

/** All that the decision on one fact rests on. */
export interface Clues {
  fact: Fact
  /** The fact as one sentence. */
  statement: string
  /** What comes nearest to it in the store, best first. */
  near: readonly NearChunk[]
  /** What comes nearest whether it adds to it or not. */
  beside: readonly Chunk[]
  /** What the entailment model makes of the nearest memory, and of all of them together; absent without the model. */
  logits?: { nearest: ArrayLike<number>; together: ArrayLike<number> }
  /** Only of a profile, which no one memory holds. */
  particulars?: Particulars
}

const KINDS = ['link', 'preference', 'rule', 'profile', 'statement'] as const
/** The last three of the logits. */
const HEADS = ['correct', 'damaged', 'absent'] as const

/**
 * Every number that is weighed, by name; what is left out counts as 0. Where the forms of the parts were written with the fact, each number
 * counts once more by a name of its own: such forms can be asked for more strictly.
 */
export function featuresOf(clues: Clues): Record<string, number> {
  const plain = features(clues)
  const found = { ...plain, ...(clues.logits && byKind(clues.fact.cues.kind, plain)) }
  if (!clues.fact.cues.explicit) return found
  const written = Object.entries({ forms: 1, ...found }).map(([name, value]) => [`written: ${name}`, value] as const)
  return { ...found, ...Object.fromEntries(written) }
}

function features(clues: Clues): Record<string, number> {
  const { fact, statement, near } = clues
  const nearest = near[0]?.text ?? ''
  const together = near.map(({ text }) => text).join(' ')
  const who = formsOf(fact.cues, 'who')
  const said = numbersIn(statement)
  const names = properNames(statement)
  const words = stemsIn(statement)
  const shared = {
    ...Object.fromEntries(KINDS.map((kind) => [`kind ${kind}`, Number(fact.cues.kind === kind)])),
    nearness: near[0]?.near ?? 0,
    'numbers lost': lostShare(said, numbersIn(together)),
    'names lost': shareOf(names, (name) => !fold(together).includes(name)),
    'person not named': Number(who.length > 0 && !namesPerson(together, who)),
    'words kept together': 1 - lostShare(words, stemsIn(together)),
    'content kept together': coverage(statement, together).core,
  }
  if (clues.particulars) return { ...shared, ...ofProfile(clues.particulars) }
  const only = fact.cues.exclusive ?? hasExclusivity(statement)
  const amounts = keepsAmounts(fact, statement, nearest)
  return {
    ...shared,
    ...ofModel(clues),
    'other numbers': Number(lacks(numbersIn(together), said) && lacks(said, numbersIn(nearest))),
    'amounts kept': Number(amounts === true),
    'amounts changed': Number(amounts === false),
    'person not named in the nearest': Number(who.length > 0 && !namesPerson(nearest, who)),
    stranger: Number(bringsStranger(`${fact.text} ${statement}`, nearest)),
    'words kept': 1 - lostShare(words, stemsIn(nearest)),
    'content of its own': 1 - coverage(nearest, statement).core,
    'weakest part': weakestPart(fact, nearest),
    '"only" lost': Number(only && !hasExclusivity(nearest)),
    '"only" added': Number(!only && hasExclusivity(nearest)),
    'negation differs': Number((fact.cues.negated ?? isNegated(statement)) !== isNegated(nearest)),
  }
}

/** What counts differently for each kind of fact. */
const OWN_WEIGHT = ['nearest chance of correct', 'together chance of correct', 'weakest part', 'nearness'] as const

function byKind(kind: string, found: Record<string, number>): Record<string, number> {
  const own = OWN_WEIGHT.filter((name) => found[name] !== undefined)
  return Object.fromEntries(own.map((name) => [`${kind}: ${name}`, found[name]!]))
}

/** Logits of both readings, and the chances that they come to. */
function ofModel({ logits }: Clues): Record<string, number> {
  if (!logits) return {}
  const named = (where: 'nearest' | 'together') => {
    const own = HEADS.map((_, i) => logits[where][3 + i]!)
    const powers = own.map((logit) => Math.exp(logit - Math.max(...own)))
    const sum = powers.reduce((a, b) => a + b)
    return HEADS.flatMap((name, i): [string, number][] => [
      [`${where} ${name}`, own[i]!],
      [`${where} chance of ${name}`, powers[i]! / sum],
    ])
  }
  return Object.fromEntries([...named('nearest'), ...named('together')])
}

function ofProfile({ kept, named }: Particulars): Record<string, number> {
  return { 'particulars kept': kept, 'particulars kept under the name': named ? kept : 0 }
}

function numbersIn(text: string): Set<string> {
  return new Set(numbersInDigits(fold(text.replace(/_/g, ' '))).match(/\d+(?:[.:]\d+)?/g) ?? [])
}

/** Capitalised words that do not begin a sentence. */
function properNames(text: string): Set<string> {
  const found = text.matchAll(/(?<![.!?]\s|^)\b\p{Lu}\p{Ll}+/gu)
  return new Set([...found].map(([name]) => fold(name)))
}

function stemsIn(text: string): Set<string> {
  return new Set(contentTokens(text).map((token) => indexStem(token.text)))
}

function lacks<T>(set: ReadonlySet<T>, wanted: ReadonlySet<T>): boolean {
  return [...wanted].some((one) => !set.has(one))
}

function lostShare<T>(wanted: ReadonlySet<T>, kept: ReadonlySet<T>): number {
  return shareOf(wanted, (one) => !kept.has(one))
}

function shareOf<T>(set: ReadonlySet<T>, test: (one: T) => boolean): number {
  return set.size === 0 ? 0 : [...set].filter(test).length / set.size
}
