import { entryOf, groupBy } from '../../../base/group-by.js'
import { archetypeOf, itemsOf, PERSONAS, type PersonaId, readSeed } from '../seed.js'
import { type LifeTrace, type Operation, TASTES } from '../trace.js'

/** Words of a text without case, accents and marks, parted by single blanks. Two texts that read alike are equal in it. */
export function comparableText(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['\u2018\u2019]/g, '')
    .toLowerCase()
  return (letters.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}

/** Everything that a life may have to remember by name, and where a text names some of it. */
export class Inventory {
  readonly #byFirst: Map<string, string[][]>
  readonly #known = new Map<string, boolean>()

  constructor(texts: Iterable<string>) {
    const names = [...new Set([...texts].map(comparableText))].filter((name) => name !== '')
    const longestFirst = names.map((name) => name.split(' ')).sort((a, b) => b.length - a.length)
    this.#byFirst = groupBy(longestFirst, ([first]) => first!)
  }

  /** Whether a text names anything. Answers are kept, so this is for phrases that come again and again. */
  names(text: string): boolean {
    return entryOf(this.#known, text, () => this.namedIn(text).length > 0)
  }

  /** Names that stand in a text; of several at one place, the longest. */
  namedIn(text: string): string[] {
    const words = comparableText(text).split(' ')
    return words.flatMap((first, at) => {
      const named = this.#byFirst.get(first)?.find((name) => name.every((word, i) => words[at + i] === word))
      return named?.join(' ') ?? []
    })
  }
}

const inventories = new WeakMap<LifeTrace, Inventory>()

/** What the persona of a trace may speak of by the seed data, and everything that the trace itself names. */
export function inventoryOf(trace: LifeTrace): Inventory {
  return entryOf(inventories, trace, () => {
    const named = trace.sessions.flatMap(({ operation }) => namesOf(operation))
    const persona = PERSONAS.find((id) => id === trace.persona)
    return new Inventory([...(persona ? seedNames(persona) : []), ...named])
  })
}

/** Names, tasks, events and document values of an operation; not its numbers. */
export function namesOf(operation: Operation | null): string[] {
  switch (operation?.of) {
    case 'taste':
      return operation.act === 'replace' ? [operation.item, operation.old] : [operation.item]
    case 'todo':
      return [operation.task]
    case 'calendar':
      return [operation.event]
    case 'document': {
      const values =
        operation.act === 'add'
          ? Object.values(operation.fields).flat()
          : operation.revisions.flatMap((one) => ('value' in one ? one.value : [one.from, one.to]))
      return [operation.title, ...values.filter((value) => typeof value === 'string')]
    }
    default:
      return []
  }
}

function seedNames(persona: PersonaId): string[] {
  const seed = readSeed()
  const documents = Object.values(seed.documents[persona]).flat()
  return [
    ...TASTES.flatMap((domain) => itemsOf(archetypeOf(seed, persona, domain)!)),
    ...Object.values(seed.todos[persona]).flat(),
    ...Object.values(seed.calendar[persona]).flatMap((events) => events.map(({ name }) => name)),
    ...documents.flatMap(({ title, fields }) => [title, ...Object.values(fields).flat()]),
  ].filter((name) => typeof name === 'string')
}
