import { z } from 'zod'
import { readSeed, SUBCATEGORIES } from '../seed.js'
import { TASTES, type Taste } from '../trace.js'
import type { ReleasedLife } from './read.js'
import type { TasteDetails } from './schema.js'

/** A session about a taste: what it does, and what is said in it. */
export interface TasteSession {
  session: number
  details: TasteDetails
  text: string
}

const WORDS: Partial<Record<Taste, RegExp>> = {
  movies: /\b(?:movies?|films?|cinema|watch\w*|directors?|scenes?|plots?)\b/giu,
  music: /\b(?:music\w*|songs?|tunes?|listen\w*|bands?|albums?|melod\w+|sounds?|playlists?)\b/giu,
}

/**
 * The domains of a life's tastes, which the published files do not name. A subcategory that only one domain has settles it. For the others,
 * items that replace one another go together, and are placed by what the questions name, else by the words of their conversations.
 */
export function domainsOf(life: ReleasedLife, sessions: readonly TasteSession[]): (details: TasteDetails) => Taste {
  const asked = askedItems(life, sessions)
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    const parent = parents.get(key)
    return parent === undefined || parent === key ? key : rootOf(parent)
  }
  for (const { details } of sessions) {
    const { subcategory, item, old_item = item } = details
    parents.set(rootOf(keyOf(subcategory, item)), rootOf(keyOf(subcategory, old_item)))
  }
  const votes = new Map<string, number>()
  const placeOf = (key: string, domain: Taste) => `${domain} ${rootOf(key)}`
  const vote = (key: string, domain: Taste, weight: number) => {
    const place = placeOf(key, domain)
    votes.set(place, (votes.get(place) ?? 0) + weight)
  }
  for (const { details, text } of sessions) {
    const candidates = domainsWith(details.subcategory)
    if (candidates.length < 2) continue
    const key = keyOf(details.subcategory, details.item)
    for (const domain of candidates) {
      if (asked.has(`${domain} ${key}`)) vote(key, domain, 1000)
      if (isOurs(domain, details.subcategory, details.item)) vote(key, domain, 2)
      vote(key, domain, text.match(WORDS[domain] ?? /(?!)/u)?.length ?? 0)
    }
  }
  return ({ subcategory, item }) => {
    const given = (domain: Taste) => votes.get(placeOf(keyOf(subcategory, item), domain)) ?? 0
    return domainsWith(subcategory).toSorted((a, b) => given(b) - given(a))[0]!
  }
}

/** The domains that have a subcategory; one that none is known to have may be of any. */
function domainsWith(subcategory: string): readonly Taste[] {
  const known = TASTES.filter((domain) => SUBCATEGORIES[domain].includes(subcategory))
  return known.length > 0 ? known : TASTES
}

const keyOf = (subcategory: string, item: string): string => `${subcategory}:${item}`

/** Whether an item is one of our own seed data; in which domain it stands there tells where it belongs. */
function isOurs(domain: Taste, subcategory: string, item: string): boolean {
  const items = readSeed().preferences[domain].flatMap(({ subcategories }) => subcategories[subcategory] ?? [])
  return items.some((one) => one.toLowerCase() === item.toLowerCase())
}

/** Items that questions of a domain name, as held or as forgotten: `<domain> <subcategory>:<item>`. */
function askedItems({ questions }: ReleasedLife, sessions: readonly TasteSession[]): Set<string> {
  const placeOf = new Map(sessions.map(({ session, details }) => [session, details.subcategory]))
  const found = new Set<string>()
  for (const { question_id, memory_evidence, forgetting_evidence } of questions.questions.recommending) {
    const [, domain = '', part = ''] = /^pref_([a-z]+)_([a-z_]+)_\d+$/.exec(question_id) ?? []
    const { memory_items: all, subcategory_data: own } = memory_evidence
    const held = all !== null && typeof all === 'object' ? Object.entries(all) : []
    for (const [subcategory, items] of own === undefined ? held : [...held, [part, own] as const]) {
      for (const item of itemsIn(items)) found.add(`${domain} ${keyOf(subcategory, item)}`)
    }
    const { forgotten_items: gone } = forgetting_evidence
    for (const one of Array.isArray(gone) ? gone : []) {
      const { data } = Forgotten.safeParse(one)
      const subcategory = data && placeOf.get(data.session_id)
      if (subcategory !== undefined) found.add(`${domain} ${keyOf(subcategory, data!.value)}`)
    }
  }
  return found
}

const Forgotten = z.object({ value: z.coerce.string(), session_id: z.number() })

function itemsIn(held: unknown): string[] {
  return [...JSON.stringify(held).matchAll(/"item":("(?:[^"\\]|\\.)*")/g)].map(
    ([, item]) => JSON.parse(item!) as string,
  )
}
