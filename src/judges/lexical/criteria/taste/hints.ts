import { z } from 'zod'
import { readData } from '../../../../base/data.js'
import { follow, type Synset, synsets } from '../../../../language/wordnet.js'
import { type AnswerText, type Line, opens, withoutAccents } from '../answer-lines.js'
import { isCommon, type Mention, mentionsOf } from '../items.js'

/** What is known of the world: who made or is in what, what speaks of a theme, what lies in a region. */
const Table = z.record(z.string(), z.array(z.string()))
const Makers = z.object({ directors: Table, actors: Table, musicians: Table, authors: Table })

/** What an item is, as far as that is known. An actor is in works of others, so a work says less of who is in it. */
export type ItemKind = 'maker' | 'actor' | 'title' | 'place' | 'theme'

interface World {
  makers: Map<string, string[]>
  actors: Map<string, string[]>
  themes: Map<string, string[]>
  places: Map<string, string[]>
  /** Who made a work, by its title. */
  madeBy: Map<string, string[]>
  /** Titles by those who are in them only. */
  played: Set<string>
  /** Every place that lies in some region. */
  inside: Set<string>
  /** The last names of all who are known. */
  surnames: Set<string>
}

let held: World | undefined

const keyOf = (name: string) =>
  withoutAccents(name)
    .toLowerCase()
    .replace(/^(?:the|a|an) (?=\S)/, '')

function world(): World {
  if (!held) {
    const read = readData(new URL('./makers.json', import.meta.url), Makers)
    const { themes } = readData(new URL('./themes.json', import.meta.url), z.object({ themes: Table }))
    const { places } = readData(new URL('./places.json', import.meta.url), z.object({ places: Table }))
    const keyed = (...tables: Record<string, string[]>[]) => {
      const all = new Map<string, string[]>()
      for (const [name, list] of tables.flatMap((table) => Object.entries(table)))
        all.set(keyOf(name), [...(all.get(keyOf(name)) ?? []), ...list])
      return all
    }
    const made = [read.directors, read.musicians, read.authors]
    const madeBy = new Map<string, string[]>()
    for (const [name, titles] of made.flatMap((table) => Object.entries(table)))
      for (const title of titles) madeBy.set(keyOf(title), [...(madeBy.get(keyOf(title)) ?? []), name])
    held = {
      makers: keyed(...made),
      actors: keyed(read.actors),
      themes: keyed(themes),
      places: keyed(places),
      madeBy,
      played: new Set(Object.values(read.actors).flat().map(keyOf)),
      inside: new Set(Object.values(places).flat().map(keyOf)),
      surnames: new Set(
        [...made, read.actors].flatMap((table) => Object.keys(table).map((name) => keyOf(name).split(' ').at(-1)!)),
      ),
    }
  }
  return held
}

/** What an item is; undefined where nothing is known of it. */
export function kindOf(item: string): ItemKind | undefined {
  const { makers, actors, themes, places, madeBy, played } = world()
  const name = keyOf(item)
  if (makers.has(name)) return actors.has(name) ? 'actor' : 'maker'
  if (actors.has(name)) return 'actor'
  if (places.has(name)) return 'place'
  if (themes.has(name) || isDecade(name)) return 'theme'
  return madeBy.has(name) || played.has(name) ? 'title' : undefined
}

/** Whether a name in an answer is one of which it is known what it is: a work, a maker, a place. */
export function isKnownName(name: string): boolean {
  const { makers, actors, places, madeBy, played, inside, surnames, themes } = world()
  const key = keyOf(name).replace(/'s?$/, '')
  return (
    [makers, actors, places, madeBy, played, inside, surnames, themes].some((one) => one.has(key)) ||
    wholesOf(key).length > 0
  )
}

const isDecade = (name: string) => /^(?:19|20)\d0s$/.test(name)

/**
 * Places at which an answer names what stands for an item without naming it: a film for its director, dishes for food, a city for its
 * region, a year for its decade. `whole` where what is named stands for nothing else.
 */
export function hintsOf(item: string, text: AnswerText): Mention[] {
  const { makers, actors, themes, places } = world()
  const name = keyOf(item)
  const works = [...(makers.get(name) ?? []), ...(actors.get(name) ?? [])].flatMap((title) => workIn(title, text))
  const proper = /^\p{Lu}/u.test(item)
  const members = places.get(name)
  const inside = proper && members ? placesIn(name, members, text) : []
  const theme = (themes.get(name) ?? themes.get(name.replace(/s$/, '')) ?? []).flatMap((one) =>
    (madeByOthers(one) ? workIn(one, text) : mentionsOf(one, text)).map((found) => ({ ...found, whole: false })),
  )
  return [...works, ...inside, ...theme, ...(isDecade(name) ? yearsOf(name, text) : [])]
}

/** Places at which an answer names another work of who made the one given, or names its maker. */
export function siblingsOf(title: string, text: AnswerText): Mention[] {
  const { makers, madeBy } = world()
  return (madeBy.get(keyOf(title)) ?? []).flatMap((maker) => [
    ...mentionsOf(maker, text),
    ...(makers.get(keyOf(maker)) ?? [])
      .filter((other) => keyOf(other) !== keyOf(title))
      .flatMap((other) => workIn(other, text)),
  ])
}

function madeByOthers(name: string): boolean {
  const { madeBy, played } = world()
  return madeBy.has(keyOf(name)) || played.has(keyOf(name))
}

/** Where a work is named; one whose title is a common word only where it is set off as a title. */
function workIn(title: string, text: AnswerText): Mention[] {
  const plain = keyOf(title)
  const common = !plain.includes(' ') && (plain.length < 4 || /^\d+$/.test(plain) || isCommon(plain))
  return mentionsOf(title, text)
    .filter(({ line, at, end, whole }) => whole && (!common || isMarked(text.lines[line]!, at, end)))
    .map((found) => ({
      ...found,
      whole: plain.includes(' ') || isMarked(text.lines[found.line]!, found.at, found.end),
    }))
}

/** Between quotes or asterisks, at the head of a list's element, or with a capital of its own. */
function isMarked(line: Line, at: number, end: number): boolean {
  if (line.titles.some((title) => title.at <= at && end <= title.end)) return true
  if (at <= 4) return /^\s?(?:[(:|-]|(?:by|is|was|would|might|could)\b)/.test(line.plain.slice(end))
  return end - at > 3 && /\p{Lu}/u.test(line.cased[at]!) && !opens(line, at)
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
