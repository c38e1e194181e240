import { z } from 'zod'
import { readData } from '../../../base/data.js'
import { follow, type Synset, synsets } from '../../../language/wordnet.js'
import type { AnswerText } from './answer-lines.js'
import { type Mention, mentionsOf } from './items.js'

/** What is known of the world: who made or is in what, what speaks of a theme, what lies in a region. */
const Hints = z.object({
  works: z.record(z.string(), z.array(z.string())),
  themes: z.record(z.string(), z.array(z.string())),
  regions: z.record(z.string(), z.array(z.string())),
})

let held: { works: Map<string, string[]>; themes: Map<string, string[]>; regions: Map<string, string[]> } | undefined

function hints() {
  if (!held) {
    const read = readData(new URL('./hints.json', import.meta.url), Hints)
    const keyed = (table: Record<string, string[]>) =>
      new Map(Object.entries(table).map(([name, list]) => [name.toLowerCase(), list]))
    held = { works: keyed(read.works), themes: keyed(read.themes), regions: keyed(read.regions) }
  }
  return held
}

/**
 * Places at which an answer names what stands for an item without naming it: a film for its director, dishes for food, a city for its
 * region, a year for its decade.
 */
export function hintsOf(item: string, text: AnswerText): Mention[] {
  const name = item.toLowerCase()
  const { works, themes, regions } = hints()
  const found = [...(works.get(name) ?? []), ...(themes.get(name) ?? themes.get(name.replace(/s$/, '')) ?? [])].flatMap(
    (one) => mentionsOf(one, text),
  )
  if (found.length > 0) return found
  if (/^(?:19|20)\d0s$/.test(name)) return yearsOf(name, text)
  return /^\p{Lu}/u.test(item) ? placesIn(name, regions.get(name) ?? [], text) : []
}

/** Whether anything is known that would tell the item by what stands for it. */
export function isKnown(item: string): boolean {
  const { works, themes, regions } = hints()
  const name = item.toLowerCase()
  return works.has(name) || themes.has(name) || regions.has(name) || /^(?:19|20)\d0s$/.test(name)
}

function yearsOf(decade: string, text: AnswerText): Mention[] {
  const year = new RegExp(`\\b${decade.slice(0, 3)}\\d\\b`, 'g')
  return text.lines.flatMap(({ plain }, line) =>
    [...plain.matchAll(year)].map(({ index }) => ({ line, at: index, end: index + 4, whole: false })),
  )
}

const LOCATION = 15
const CAPITALS = /\p{Lu}\p{L}+(?: (?:\p{Lu}\p{L}+))?/gu

function placesIn(region: string, members: readonly string[], text: AnswerText): Mention[] {
  const found = members.flatMap((place) => mentionsOf(place, text))
  const wanted = new Set([region, ...members.map((one) => one.toLowerCase())])
  text.lines.forEach(({ cased }, line) => {
    for (const { 0: word, index } of cased.matchAll(CAPITALS)) {
      for (const name of new Set([word, word.split(' ')[0]!])) {
        if (wholesOf(name.toLowerCase()).some((whole) => wanted.has(whole))) {
          found.push({ line, at: index, end: index + name.length, whole: false })
        }
      }
    }
  })
  return found
}

const wholes = new Map<string, readonly string[]>()

/** What a place lies in, step by step, by the dictionary. */
function wholesOf(place: string): readonly string[] {
  let found = wholes.get(place)
  if (!found) {
    const names = new Set<string>()
    for (const sense of synsets(place, 'n').slice(0, 2)) if (sense.file === LOCATION) climb(sense, 3, names)
    found = [...names]
    wholes.set(place, found)
  }
  return found
}

function climb(sense: Synset, levels: number, into: Set<string>): void {
  if (levels === 0) return
  for (const pointer of sense.pointers) {
    if (pointer.symbol !== '#p' && pointer.symbol !== '#m') continue
    const whole = follow(pointer)
    for (const word of whole.words) into.add(word)
    climb(whole, levels - 1, into)
  }
}
