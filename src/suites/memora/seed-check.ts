import type { Archetype, Documents, EventKind, PersonaId, Seed, SeedDocumentKind, TasteDomain } from './seed.js'
import { DOCUMENT_KINDS, DOMAINS, OFFSETS, PERSONAS } from './seed.js'

/** Something in the seed data that would make a generated history ambiguous or too small. */
export interface SeedFinding {
  rule: 'size' | 'collision' | 'reference' | 'range' | 'trackable'
  where: string
  message: string
}

/** Fewest different entries over all personas: every row of the paper's Table 7 that has a number, and topics of small talk. */
export const LEAST = {
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

/** Digits, money and the words of things that sessions with a memory are about; small talk may not use them. */
const TRACKED =
  /\d|[$€£]|\b(?:steps?|dollars?|euros?|budgets?|films?|movies?|books?|novels?|albums?|songs?|tunes?|music|trips?|hotels?|breakfast|lunch|dinner|coffee|grocer\w*|tasks?|to-?dos?|deadlines?|meetings?|birthdays?|appointments?|e-?mails?|proposals?)\b/i

interface Entry {
  text: string
  group: string
}

/**
 * What the schemas cannot see: sizes, entries that are equal to or part of one another, archetypes nobody wrote, offsets out of range,
 * small talk that names something trackable. An empty list means the seed is sound.
 *
 * @example checkSeed(readSeed()) // []
 */
export function checkSeed(seed: Seed): SeedFinding[] {
  return [
    ...sizes(seed),
    ...archetypeCollisions(seed),
    ...personaCollisions(seed),
    ...documentCollisions(seed),
    ...references(seed),
    ...ranges(seed),
    ...smallTalk(seed),
  ]
}

/** How many different entries there are of each kind, over all archetypes and personas. */
export function seedSizes(seed: Seed): Record<keyof typeof LEAST, number> {
  const preference = (domain: TasteDomain) => unique(seed.preferences[domain].flatMap(itemsOf))
  const titles = (kind: SeedDocumentKind) =>
    unique(PERSONAS.flatMap((id) => seed.documents[id][kind].map((one) => one.title)))
  return {
    movies: preference('movies'),
    books: preference('books'),
    music: preference('music'),
    travel: preference('travel'),
    todos: unique(Object.values(seed.todos).flatMap(({ work, personal }) => [...work, ...personal])),
    events: unique(PERSONAS.flatMap((id) => eventsOf(seed, id).map(({ name }) => name))),
    topics: unique(seed.activities.topics.map(({ topic }) => topic)),
    proposals: titles('proposals'),
    emails: titles('emails'),
    notes: titles('notes'),
    posts: titles('posts'),
  }
}

function sizes(seed: Seed): SeedFinding[] {
  const found: SeedFinding[] = []
  const report = (where: string, message: string) => found.push({ rule: 'size', where, message })
  const counts = seedSizes(seed)
  for (const [kind, least] of Object.entries(LEAST)) {
    const count = counts[kind as keyof typeof LEAST]
    if (count < least) report(kind, `Expected at least ${least} different entries, got ${count}`)
  }
  for (const domain of DOMAINS) {
    const all = seed.preferences[domain]
    if (all.length !== ARCHETYPES) report(domain, `Expected ${ARCHETYPES} archetypes, got ${all.length}`)
    for (const archetype of all) {
      const count = itemsOf(archetype).length
      if (outside(count, ARCHETYPE_ITEMS)) report(`${domain}/${archetype.id}`, `Expected 75 to 100 items, got ${count}`)
    }
  }
  const missing = PERSONAS.filter((id) => !seed.personas.some((persona) => persona.id === id))
  if (missing.length > 0 || seed.personas.length !== PERSONAS.length) {
    report('personas', `Expected each of ${PERSONAS.length} personas once, missing: ${missing.join(', ') || 'none'}`)
  }
  return found
}

function archetypeCollisions(seed: Seed): SeedFinding[] {
  return DOMAINS.flatMap((domain) =>
    seed.preferences[domain].flatMap((archetype) => {
      const where = `${domain}/${archetype.id}`
      return collisions(where, entriesOf(where, itemsOf(archetype)), () => true)
    }),
  )
}

/** Over everything one persona may speak of, so that naming one thing never names another by accident. */
function personaCollisions(seed: Seed): SeedFinding[] {
  return seed.personas.flatMap(({ id, archetypes }) => {
    const entries = DOMAINS.flatMap((domain) => {
      const archetype = seed.preferences[domain].find((one) => one.id === archetypes[domain])
      return archetype ? entriesOf(domain, itemsOf(archetype)) : []
    })
    const { work, personal } = seed.todos[id]
    const events = eventsOf(seed, id).map(({ name }) => name)
    const spoken = DOCUMENT_KINDS.flatMap((kind) =>
      seed.documents[id][kind].flatMap((one) => [one.title, ...valuesOf(one)]),
    )
    entries.push(...entriesOf('life', [...work, ...personal, ...events]), ...entriesOf('documents', spoken))
    return collisions(id, entries, (one, other) => one.group !== other.group || one.group === 'life')
  })
}

function documentCollisions(seed: Seed): SeedFinding[] {
  return PERSONAS.flatMap((id) =>
    DOCUMENT_KINDS.flatMap((kind) => {
      const where = `${id}/${kind}`
      const documents = seed.documents[id][kind]
      const titles = documents.map(({ title }) => title)
      return [titles, documents.flatMap(valuesOf)].flatMap((texts) =>
        collisions(where, entriesOf(where, texts), () => true),
      )
    }),
  )
}

function references(seed: Seed): SeedFinding[] {
  return seed.personas.flatMap(({ id, archetypes }) =>
    DOMAINS.filter((domain) => !seed.preferences[domain].some((one) => one.id === archetypes[domain])).map(
      (domain) => ({
        rule: 'reference' as const,
        where: id,
        message: `No archetype ${archetypes[domain]} in ${domain}`,
      }),
    ),
  )
}

function ranges(seed: Seed): SeedFinding[] {
  const found: SeedFinding[] = []
  const report = (where: string, message: string) => found.push({ rule: 'range', where, message })
  for (const id of PERSONAS) {
    for (const { kind, name, offsets } of eventsOf(seed, id)) {
      const wrong = offsets.filter((days) => outside(days, OFFSETS[kind]))
      if (wrong.length > 0) report(`${id}/${kind}`, `${name}: ${wrong} not in ${OFFSETS[kind].join('..')} days`)
    }
  }
  const { steps, goals } = seed.activities
  for (const { activity, min, max } of [...steps, { activity: 'goal', ...goals.steps }]) {
    if (min >= max || outside(min, STEPS) || outside(max, STEPS)) report(`steps/${activity}`, `${min}..${max}`)
  }
  for (const [meal, { min, max, round }] of Object.entries(goals.food)) {
    if (min >= max || min % round !== 0 || max % round !== 0) report(`goals/${meal}`, `${min}..${max} by ${round}`)
  }
  return found
}

function smallTalk(seed: Seed): SeedFinding[] {
  const items = new Set(DOMAINS.flatMap((domain) => seed.preferences[domain].flatMap(itemsOf)).map(key))
  const longest = Math.max(...[...items].map((item) => item.split(' ').length))
  return seed.activities.topics.flatMap((topic) => {
    const texts = [topic.topic, topic.ask, topic.reply, ...topic.followUps.flatMap(({ ask, reply }) => [ask, reply])]
    return texts.flatMap((text) => {
      const named = [
        TRACKED.exec(text)?.[0] ?? [],
        [...runs(key(text), longest)].filter((run) => items.has(run)),
      ].flat()
      return named.map((name) => ({ rule: 'trackable' as const, where: topic.topic, message: `${name} in: ${text}` }))
    })
  })
}

/** Pairs of entries of which one is the other or stands in it as whole words; `counts` says which pairs matter. */
function collisions(where: string, entries: Entry[], counts: (one: Entry, other: Entry) => boolean): SeedFinding[] {
  const byKey = new Map<string, Entry[]>()
  for (const entry of entries) byKey.set(key(entry.text), [...(byKey.get(key(entry.text)) ?? []), entry])
  const longest = Math.max(0, ...[...byKey.keys()].map((words) => words.split(' ').length))
  const found: SeedFinding[] = []
  for (const [index, entry] of entries.entries()) {
    const whole = key(entry.text)
    for (const run of runs(whole, longest)) {
      for (const other of byKey.get(run) ?? []) {
        if (other === entry || !counts(entry, other) || (run === whole && entries.indexOf(other) < index)) continue
        found.push({ rule: 'collision', where, message: `${other.text} is in ${entry.text}` })
      }
    }
  }
  return found
}

/** Words of a text without case, accents and marks, parted by single blanks. */
function key(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/['’]/g, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
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
  const kinds: EventKind[] = ['work', 'personal', 'birthdays']
  return kinds.flatMap((kind) => seed.calendar[id][kind].map((event) => ({ kind, ...event })))
}

/** What a document says in words; many posts share a platform. */
function valuesOf({ fields }: Documents[SeedDocumentKind][number]): string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    field === 'platform' ? [] : [value].flat().filter((one) => typeof one === 'string'),
  )
}

const itemsOf = (archetype: Archetype): string[] => Object.values(archetype.subcategories).flat()
const entriesOf = (group: string, texts: string[]): Entry[] => texts.map((text) => ({ text, group }))
const unique = (texts: string[]): number => new Set(texts.map(key)).size
const outside = (value: number, [least, most]: readonly [number, number]): boolean => value < least || value > most
