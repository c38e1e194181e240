import { z } from 'zod'
import { readData } from '../../../../base/data-file.js'
import { type AnswerText, withoutAccents } from '../answer-lines.js'
import { type Mention, mentionsOf } from '../items.js'

/** What speaks of a theme, and what lies in a region. */
const Table = z.record(z.string(), z.array(z.string()))

let held: { themes: Map<string, string[]>; places: Map<string, string[]> } | undefined

const keyOf = (name: string) =>
  withoutAccents(name)
    .toLowerCase()
    .replace(/^(?:the|a|an) (?=\S)/, '')

function world() {
  if (!held) {
    const { themes } = readData(new URL('./themes.json', import.meta.url), z.object({ themes: Table }))
    const { places } = readData(new URL('./places.json', import.meta.url), z.object({ places: Table }))
    const keyed = (table: Record<string, string[]>) =>
      new Map(Object.entries(table).map(([name, list]) => [keyOf(name), list]))
    held = { themes: keyed(themes), places: keyed(places) }
  }
  return held
}

/** What an item is; undefined where nothing is known of it. */
export function itemKind(item: string): 'place' | 'theme' | undefined {
  const { themes, places } = world()
  const name = keyOf(item)
  if (places.has(name)) return 'place'
  return themes.has(name) || isDecade(name) ? 'theme' : undefined
}

const isDecade = (name: string) => /^(?:19|20)\d0s$/.test(name)

/** A kind of film goes by what sets it apart: "splatter". */
const GENERIC = / (?:films?|movies?|music|fiction|novels?)$/
const TELLING = 5

/**
 * Places at which an answer names what stands for an item without naming it: dishes for food, a city for its region, a year for its
 * decade. `whole` where what is named stands for nothing else.
 */
export function hintsOf(item: string, text: AnswerText): Mention[] {
  const { themes, places } = world()
  const name = keyOf(item)
  const members = places.get(name)
  const inside = /^\p{Lu}/u.test(item) && members ? members.flatMap((place) => mentionsOf(place, text)) : []
  const bare = name.replace(GENERIC, '')
  const listed = themes.get(name) ?? themes.get(name.replace(/s$/, '')) ?? []
  const theme = [...listed, ...(bare !== name && bare.length >= TELLING ? [bare] : [])].flatMap((one) =>
    mentionsOf(one, text).map((found) => ({ ...found, whole: false })),
  )
  return [...inside, ...theme, ...(isDecade(name) ? yearsOf(name, text) : [])]
}

function yearsOf(decade: string, text: AnswerText): Mention[] {
  const year = new RegExp(`\\b${decade.slice(0, 3)}\\d\\b`, 'g')
  return text.lines.flatMap(({ plain }, line) =>
    [...plain.matchAll(year)].map(({ index }) => ({ line, at: index, end: index + 4, whole: false })),
  )
}
