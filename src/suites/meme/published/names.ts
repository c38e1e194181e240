import { type Domain, readGraph } from '../graph.js'
import { entityWords } from '../solver.js'
import type { Released } from './released.js'

/** How the things and values of a published episode are called, for recognising them in other words. */
export interface Names {
  namesOf(entity: string): string[]
  formsOf(entity: string, value: string): string[]
}

/**
 * Names of an entity: the words of its id, what its published question calls it, the words around its value where it is said, and the
 * cues of our own graph, which has the same entities. A value has one form; the judge knows what a note in parentheses behind it is.
 */
export function namesFor({ facts, before, after }: Released, domain: Domain): Names {
  const own = new Map(readGraph(domain).data.entities.map((entity) => [entity.id, entity]))
  const called = new Map<string, Set<string>>()
  const call = (entity: string, name: string | undefined) => {
    if (name !== undefined) called.set(entity, (called.get(entity) ?? new Set()).add(name))
  }
  for (const { entity, question, task_type } of [...before, ...after]) {
    if (task_type !== 'Agg' && task_type !== 'Tr') call(entity[0]!, calledIn(question))
  }
  for (const { entity, value, seed, kind, exact } of facts)
    if (kind === 'fact' && !exact) call(entity, frameOf(seed, value))
  return {
    namesOf(entity) {
      const known = own.get(entity)
      return [
        ...new Set([
          entityWords(entity),
          ...(called.get(entity) ?? []),
          ...(known ? [known.label, ...known.cues] : []),
        ]),
      ]
    },
    formsOf: (_, value) => [value],
  }
}

const THING = /^(?:what|who|where|when)(?:'s|’s| is| are)? (?:(?:our|my|the|current) )*(?=.)/i
const DEED = /^(?:what|who|where|how(?: long| often)?) (?:do|am|are|is) (?:(?:i|we|my|our|the) )+(?=.)/i
const ASIDE = / (?:do|am|are) (?:i|we)\b/i

/** What a question calls the thing it asks for: "What's our build tool?" asks for a build tool, "Where do I live?" for where one lives. */
export function calledIn(question: string): string | undefined {
  if (!question.endsWith('?')) return undefined
  const asked = question.slice(0, -1)
  const behind = (beginning: RegExp) => {
    const rest = asked.slice(beginning.exec(asked)?.[0].length ?? asked.length)
    return rest === '' || /[\n\r\u2028\u2029]/.test(rest) ? undefined : rest
  }
  const thing = behind(THING)
  const aside = thing?.slice(1).search(ASIDE) ?? -1
  return behind(DEED) ?? (aside < 0 ? thing : thing?.slice(0, aside + 1))
}

const EMPTY = new Set(
  "a an the i i'm we we're my our is are was at in to of on have usually currently current use using".split(' '),
)

/** The words around a value in the sentence that says it: "I go to Lido Hall for workouts" is about going for workouts. */
export function frameOf(seed: string, value: string): string | undefined {
  const at = seed.indexOf(value)
  if (at < 0) return undefined
  const start = seed
    .slice(0, at)
    .split(/ — (?=\w+ )|: /)
    .at(-1)!
  const end = seed.slice(at + value.length).split(/ — |[;,.]/)[0]!
  const words = `${start} ${end}`.match(/[\p{L}\p{N}'-]+/gu) ?? []
  const telling = words.filter((word) => !EMPTY.has(word.toLowerCase()))
  return telling.some((word) => word.length >= 3) ? telling.join(' ') : undefined
}
