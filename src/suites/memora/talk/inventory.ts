import { PERSONAS, type PersonaId, readSeed, type Seed } from '../seed.js'
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
  readonly #byFirst = new Map<string, string[][]>()
  readonly #known = new Map<string, boolean>()

  constructor(names: Iterable<string>) {
    for (const name of new Set([...names].map(comparableText))) {
      if (name === '') continue
      const words = name.split(' ')
      const known = this.#byFirst.get(words[0]!)
      if (known) known.push(words)
      else this.#byFirst.set(words[0]!, [words])
    }
    for (const known of this.#byFirst.values()) known.sort((a, b) => b.length - a.length)
  }

  /** Whether a text names anything. Answers are kept, so this is for phrases that come again and again. */
  names(text: string): boolean {
    let named = this.#known.get(text)
    if (named === undefined) {
      named = this.namedIn(comparableText(text)).length > 0
      this.#known.set(text, named)
    }
    return named
  }

  /** Names that stand in a text, which must be `plain`; of several at one place, the longest. */
  namedIn(text: string): string[] {
    const words = text.split(' ')
    const found: string[] = []
    for (let at = 0; at < words.length; at++) {
      const named = this.#byFirst.get(words[at]!)?.find((name) => name.every((word, i) => words[at + i] === word))
      if (named) found.push(named.join(' '))
    }
    return found
  }
}

const inventories = new WeakMap<LifeTrace, Inventory>()

/** What the persona of a trace may speak of by the seed data, and everything that the trace itself names. */
export function inventoryOf(trace: LifeTrace): Inventory {
  let inventory = inventories.get(trace)
  if (!inventory) {
    const named = trace.sessions.flatMap(({ operation }) => namesOf(operation))
    inventory = new Inventory([...seedNames(trace.persona), ...named])
    inventories.set(trace, inventory)
  }
  return inventory
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

const known = new Map<string, string[]>()
let seed: Seed | undefined

function seedNames(persona: string): string[] {
  if (!isPersona(persona)) return []
  let names = known.get(persona)
  if (!names) {
    seed ??= readSeed()
    names = [...tasteNames(seed, persona), ...lifeNames(seed, persona), ...documentNames(seed, persona)]
    known.set(persona, names)
  }
  return names
}

function tasteNames({ personas, preferences }: Seed, persona: PersonaId): string[] {
  const { archetypes } = personas.find(({ id }) => id === persona)!
  return TASTES.flatMap((domain) => {
    const { subcategories } = preferences[domain].find(({ id }) => id === archetypes[domain])!
    return Object.values(subcategories).flat()
  })
}

function lifeNames({ todos, calendar }: Seed, persona: PersonaId): string[] {
  const events = Object.values(calendar[persona]).flat()
  return [...todos[persona].work, ...todos[persona].personal, ...events.map(({ name }) => name)]
}

function documentNames({ documents }: Seed, persona: PersonaId): string[] {
  return Object.values(documents[persona]).flatMap((kind) =>
    kind.flatMap(({ title, fields }) => [
      title,
      ...Object.values(fields)
        .flat()
        .filter((value): value is string => typeof value === 'string'),
    ]),
  )
}

const isPersona = (id: string): id is PersonaId => (PERSONAS as readonly string[]).includes(id)
