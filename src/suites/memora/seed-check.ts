import { groupBy } from '../../base/group-by.js'
import {
  archetypeOf,
  DOCUMENT_KINDS,
  type EventKind,
  itemsOf,
  OFFSETS,
  PERSONAS,
  type PersonaId,
  recordOf,
  type Seed,
  type SeedDocument,
} from './seed.js'
import { comparableText } from './talk/inventory.js'
import { TRACKED } from './talk/reading.js'
import { TASTES } from './trace.js'

/** Something in the seed data that would make a generated history ambiguous or too small. */
export interface SeedFinding {
  rule: 'size' | 'collision' | 'reference' | 'range' | 'trackable'
  where: string
  message: string
}

/** Fewest different entries over all personas: every row of the paper's Table 7 that has a number, and topics of small talk. */
const LEAST = {
  movies: 440,
  books: 360,
  music: 370,
  travel: 330,
  todos: 260,
  events: 140,
  proposals: 100,
  emails: 100,
  notes: 100,
  posts: 100,
  topics: 200,
} as const

const ARCHETYPES = 5
const ARCHETYPE_ITEMS = [75, 100] as const
const STEPS = [4000, 15000] as const

/**
 * What the schemas cannot see: sizes, entries that are equal to or part of one another, archetypes nobody wrote, offsets out of range,
 * small talk that names something trackable. An empty list means the seed is sound.
 *
 * @example checkSeed(readSeed()) // []
 */
export function checkSeed(seed: Seed): SeedFinding[] {
  return [...sizes(seed), ...allCollisions(seed), ...references(seed), ...ranges(seed), ...smallTalk(seed)]
}

/** How many different entries there are of each kind, over all archetypes and personas. */
export function seedSizes(seed: Seed): Record<keyof typeof LEAST, number> {
  const unique = (texts: string[]) => new Set(texts.map(comparableText)).size
  const titles = recordOf(DOCUMENT_KINDS, (kind) =>
    unique(PERSONAS.flatMap((id) => seed.documents[id][kind].map(({ title }) => title))),
  )
  return {
    ...recordOf(TASTES, (domain) => unique(seed.preferences[domain].flatMap(itemsOf))),
    todos: unique(Object.values(seed.todos).flatMap(({ work, personal }) => [...work, ...personal])),
    events: unique(PERSONAS.flatMap((id) => eventsOf(seed, id).map(({ name }) => name))),
    topics: unique(seed.activities.topics.map(({ topic }) => topic)),
    ...titles,
  }
}

function* sizes(seed: Seed): Generator<SeedFinding> {
  const finding = (where: string, message: string): SeedFinding => ({ rule: 'size', where, message })
  for (const [kind, count] of Object.entries(seedSizes(seed))) {
    const least = LEAST[kind as keyof typeof LEAST]
    if (count < least) yield finding(kind, `Expected at least ${least} different entries, got ${count}`)
  }
  for (const domain of TASTES) {
    const all = seed.preferences[domain]
    if (all.length !== ARCHETYPES) yield finding(domain, `Expected ${ARCHETYPES} archetypes, got ${all.length}`)
    for (const archetype of all) {
      const { length } = itemsOf(archetype)
      if (outside(length, ARCHETYPE_ITEMS))
        yield finding(`${domain}/${archetype.id}`, `Expected 75 to 100 items, got ${length}`)
    }
  }
  const missing = PERSONAS.filter((id) => !seed.personas.some((persona) => persona.id === id))
  if (missing.length > 0 || seed.personas.length !== PERSONAS.length) {
    const names = missing.join(', ') || 'none'
    yield finding('personas', `Expected each of ${PERSONAS.length} personas once, missing: ${names}`)
  }
}

interface Entry {
  text: string
  group: string
}

const entriesOf = (group: string, texts: string[]): Entry[] => texts.map((text) => ({ text, group }))

/** Within archetypes; over everything one persona may speak of, so that naming one thing never names another; within documents. */
function allCollisions(seed: Seed): SeedFinding[] {
  const within = (where: string, texts: string[]) => collisions(where, entriesOf(where, texts), () => true)
  return [
    ...TASTES.flatMap((domain) =>
      seed.preferences[domain].flatMap((archetype) => within(`${domain}/${archetype.id}`, itemsOf(archetype))),
    ),
    ...seed.personas.flatMap(({ id }) => {
      const { work, personal } = seed.todos[id]
      const events = eventsOf(seed, id).map(({ name }) => name)
      const documents = DOCUMENT_KINDS.flatMap((kind) => seed.documents[id][kind])
      const entries = [
        ...TASTES.flatMap((domain) => {
          const archetype = archetypeOf(seed, id, domain)
          return archetype ? entriesOf(domain, itemsOf(archetype)) : []
        }),
        ...entriesOf('life', [...work, ...personal, ...events]),
        ...entriesOf(
          'documents',
          documents.flatMap((one) => [one.title, ...valuesOf(one)]),
        ),
      ]
      return collisions(id, entries, (one, other) => one.group !== other.group || one.group === 'life')
    }),
    ...PERSONAS.flatMap((id) =>
      DOCUMENT_KINDS.flatMap((kind) => {
        const documents = seed.documents[id][kind]
        const texts = [documents.map(({ title }) => title), documents.flatMap(valuesOf)]
        return texts.flatMap((list) => within(`${id}/${kind}`, list))
      }),
    ),
  ]
}

function references(seed: Seed): SeedFinding[] {
  return seed.personas.flatMap(({ id, archetypes }) =>
    TASTES.flatMap((domain): SeedFinding[] => {
      const message = `No archetype ${archetypes[domain]} in ${domain}`
      return archetypeOf(seed, id, domain) ? [] : [{ rule: 'reference', where: id, message }]
    }),
  )
}

function* ranges(seed: Seed): Generator<SeedFinding> {
  const finding = (where: string, message: string): SeedFinding => ({ rule: 'range', where, message })
  for (const id of PERSONAS) {
    for (const { kind, name, offsets } of eventsOf(seed, id)) {
      const wrong = offsets.filter((days) => outside(days, OFFSETS[kind]))
      if (wrong.length > 0) yield finding(`${id}/${kind}`, `${name}: ${wrong} not in ${OFFSETS[kind].join('..')} days`)
    }
  }
  const { steps, goals } = seed.activities
  for (const { activity, min, max } of [...steps, { activity: 'goal', ...goals.steps }]) {
    if (min >= max || outside(min, STEPS) || outside(max, STEPS)) yield finding(`steps/${activity}`, `${min}..${max}`)
  }
  for (const [meal, { min, max, round }] of Object.entries(goals.food)) {
    if (min >= max || min % round !== 0 || max % round !== 0)
      yield finding(`goals/${meal}`, `${min}..${max} by ${round}`)
  }
}

/** Small talk may not use digits, money and the words of things that sessions with a memory are about. */
function smallTalk(seed: Seed): SeedFinding[] {
  const items = new Set(TASTES.flatMap((domain) => seed.preferences[domain].flatMap(itemsOf)).map(comparableText))
  const longest = Math.max(...[...items].map((item) => item.split(' ').length))
  return seed.activities.topics.flatMap((topic) =>
    [topic.topic, ...[topic, ...topic.followUps].flatMap(({ ask, reply }) => [ask, reply])].flatMap((text) => {
      const tracked = /\d|[$€£]/.exec(text) ?? TRACKED.exec(text)
      const named = [...runs(comparableText(text), longest)].filter((run) => items.has(run))
      return [tracked?.[0] ?? [], named]
        .flat()
        .map((name): SeedFinding => ({ rule: 'trackable', where: topic.topic, message: `${name} in: ${text}` }))
    }),
  )
}

/** Pairs of entries of which one is the other or stands in it as whole words; `counts` says which pairs matter. */
function collisions(where: string, entries: Entry[], counts: (one: Entry, other: Entry) => boolean): SeedFinding[] {
  const keys = entries.map(({ text }) => comparableText(text))
  const byKey = groupBy(entries.keys(), (at) => keys[at]!)
  const longest = Math.max(0, ...keys.map((words) => words.split(' ').length))
  return entries.flatMap((entry, at) =>
    [...runs(keys[at]!, longest)].flatMap((run) =>
      (byKey.get(run) ?? [])
        .filter((other) => other !== at && counts(entry, entries[other]!) && (run !== keys[at] || other > at))
        .map(
          (other): SeedFinding => ({
            rule: 'collision',
            where,
            message: `${entries[other]!.text} is in ${entry.text}`,
          }),
        ),
    ),
  )
}

/** Every run of up to `longest` words, once. */
function runs(words: string, longest: number): Set<string> {
  const list = words.split(' ')
  const found = new Set<string>()
  for (let start = 0; start < list.length; start++) {
    for (let end = start + 1; end <= Math.min(list.length, start + longest); end++) {
      found.add(list.slice(start, end).join(' '))
    }
  }
  return found
}

function eventsOf(seed: Seed, id: PersonaId) {
  return (Object.keys(OFFSETS) as EventKind[]).flatMap((kind) =>
    seed.calendar[id][kind].map((event) => ({ kind, ...event })),
  )
}

/** What a document says in words; many posts share a platform. */
function valuesOf({ fields }: SeedDocument): string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    field === 'platform' ? [] : [value].flat().filter((one) => typeof one === 'string'),
  )
}

const outside = (value: number, [least, most]: readonly [number, number]): boolean => value < least || value > most
