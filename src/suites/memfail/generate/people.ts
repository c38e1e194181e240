import { capital } from './english.js'
import type { Scope } from './expand.js'
import { inventedName, nameCount } from './names.js'
import { keyOf, permute, placeInBlock } from './permutation.js'

/** Somebody with a name and pronouns. */
export interface Person {
  woman: boolean
  given: string
  family: string
}

/** The person with a number: no two numbers share a given name or a family name. */
export function personOf(index: number, seed: number): Person {
  const woman = placeInBlock(index, 2, keyOf('woman', seed)) === 0
  const given = uniqueName(woman ? 'woman' : 'man', Math.floor(index / 2), seed)
  return { woman, given, family: uniqueName('family', index, seed) }
}

/** Somebody nobody spoke of; near ones share a name with a person. */
export function strangerOf(number: number, seed: number, near?: { person: Person; part: 'given' | 'family' }): Person {
  const woman = near?.part === 'given' ? near.person.woman : placeInBlock(number, 2, keyOf('stranger', seed)) === 0
  return {
    woman,
    given:
      near?.part === 'given' ? near.person.given : uniqueName(woman ? 'strangerwoman' : 'strangerman', number, seed),
    family: near?.part === 'family' ? near.person.family : uniqueName('strangerfamily', number, seed),
  }
}

/** The name of a kind with a number, in an order set by the seed. */
export function uniqueName(kind: string, number: number, seed: number): string {
  return inventedName(kind, permute(number, nameCount(kind), keyOf(`name ${kind}`, seed)))
}

/** The variables that sentence templates use for a person: `n` short name, `N` full name, and pronouns. */
export function templateVariablesFor({ woman, given, family }: Omit<Person, 'family'> & { family?: string }): Scope {
  const [he, him, his, hers] = woman ? ['she', 'her', 'her', 'hers'] : ['he', 'him', 'his', 'his']
  return {
    n: given,
    N: family === undefined ? given : `${given} ${family}`,
    he: he!,
    him: him!,
    his: his!,
    hers: hers!,
    himself: `${him}self`,
    He: capital(he!),
    His: capital(his!),
  }
}

/** A subject for a sentence: the short name or the pronoun. */
export function withSubject(scope: Scope, named: boolean): Scope {
  return { ...scope, S: named ? scope.n! : scope.He!, Ss: named ? `${scope.n}'s` : scope.His! }
}
