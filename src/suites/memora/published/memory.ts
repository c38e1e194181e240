import type { CriterionAsk } from '../../../model/index.js'
import { current, type LifeFact, outdated } from '../questions/history.js'
import { asksForValue } from '../questions/remembering.js'
import { documentThing } from '../questions/telling.js'
import { fieldName, itemForms } from '../wording.js'
import type { ImportedLife } from './imported.js'
import type { Asked, SessionReading } from './reading.js'
import type { ReleasedCriterion } from './schema.js'
import type { KeptTopic } from './topic.js'

/** What is read of a criterion when nothing is. */
export const NOTHING: Pick<SessionReading, 'asked' | 'agrees'> = { asked: [], agrees: false }

/** Whether the id of a criterion says that it is about something disliked. */
export const isDislike = ({ evaluation_question_id: id }: ReleasedCriterion): boolean => /_dislike_\d+$/.test(id)

type Read = Pick<SessionReading, 'asked' | 'agrees'> & Partial<Pick<SessionReading, 'avoid'>>
type CriterionType = SessionReading['type']

/** What a criterion on things remembered is about, and whether the state has it so. */
export function readMemory(
  life: ImportedLife,
  topic: KeptTopic,
  criterion: ReleasedCriterion,
  type: CriterionType,
  today: string,
): Read {
  const { evaluation_question: text } = criterion
  switch (topic.of) {
    case 'todos':
      return task(life, text, type)
    case 'calendar':
      return event(life, text, type, today)
    case 'tastes':
      return taste(life, topic, text, type, isDislike(criterion))
    case 'document':
      return type === 'presence' ? field(life, topic.document, text) : element(life, topic.document, text)
  }
}

function task({ history, state }: ImportedLife, text: string, type: CriterionType): Read {
  const things = history.things('todo:').map((thing) => ({ thing, name: thing.split(':').slice(2).join(':') }))
  const name = longest(text, things, ({ name }) => name)?.name
  if (name === undefined) return NOTHING
  const told = inOrder(things.filter((one) => one.name === name).flatMap(({ thing }) => [...history.of(thing)]))
  const open = state.todos.some(({ task }) => task === name)
  return { asked: [thing(`todo:${name}`, name, told, type)], agrees: open === (type === 'presence') }
}

function event({ history, state }: ImportedLife, text: string, type: CriterionType, today: string): Read {
  const names = history.things('event:').map((thing) => thing.slice('event:'.length))
  const name = longest(text, names, (one) => one)
  if (name === undefined) return NOTHING
  const date = /\d{4}-\d\d-\d\d/.exec(text)?.[0]
  const agrees = state.events.some(
    ({ event, day }) => event === name && day > today === (type === 'presence') && (date === undefined || date === day),
  )
  const asked = thing(`event:${name}`, name, history.of(`event:${name}`), type)
  // A date is asked for besides: that is left to who reads the criterion.
  if (date !== undefined && type === 'presence') delete asked.asks
  return { asked: [asked], agrees }
}

/**
 * A taste. What is to be present must hold in the part of the domain that is asked about; what is to be forgotten must hold nowhere in the
 * domain, for the criterion names it without its part.
 */
function taste(
  { history }: ImportedLife,
  { domain, subcategory }: KeptTopic & { of: 'tastes' },
  text: string,
  type: CriterionType,
  isDisliked: boolean,
): Read {
  const things = history.things(`taste:${domain}:`).map((key) => {
    const [, , part, ...name] = key.split(':')
    return { told: history.of(key), isAsked: subcategory === null || part === subcategory, name: name.join(':') }
  })
  const asked = things.filter(({ isAsked }) => isAsked)
  const name = longest(text, asked, (one) => one.name)?.name
  const avoid = type === 'presence' && (isDisliked || /\bavoid/i.test(text.replace(name ?? '', '')))
  if (name === undefined) return { ...NOTHING, avoid }
  const same = asked.filter((one) => one.name === name).map(({ told }) => told)
  const isHeld = things.some((one) => one.name === name && current(one.told).holds)
  const isWanted = ({ holds, value }: LifeFact) => holds && value === (avoid ? 'dislike' : 'like')
  const needs = type === 'presence' ? same.map(current).filter(isWanted) : []
  const found: Asked = {
    name: `taste:${name}`,
    label: name,
    asks: { act: avoid ? 'avoid' : 'recommend', forms: itemForms(name) },
    told: inOrder(same.flat()),
    needs,
    outdated: same.flatMap(outdated),
  }
  return { asked: [found], avoid, agrees: type === 'forgetting' ? !isHeld : needs.length > 0 }
}

/** A field of a document as it is now; all that stands in it is asked for at once. */
function field({ history, state }: ImportedLife, document: string, text: string): Read {
  const fields = Object.entries(state.documents.find(({ id }) => id === document)?.fields ?? {})
  const named = fields.filter(([name]) => names(text, name))
  const joined = ([, value]: (typeof fields)[number]) => [value].flat().join(', ')
  const found =
    longest(text, named, joined) ??
    named.find((one) => [one[1]].flat().every((part) => standsIn(text, String(part))) && isRoom(text, joined(one)))
  if (!found) return NOTHING
  const [name, value] = found
  const asked = [value].flat().map((one) => {
    const told = history.of(documentThing(document, name, one))
    return thing(`${name}:${one}`, String(one), told, 'presence', asksForValue(one, String(one)))
  })
  return { asked, agrees: true }
}

/** Something that was taken out of a document, or a budget it had. */
function element({ history, state }: ImportedLife, document: string, text: string): Read {
  const fields = state.documents.find(({ id }) => id === document)?.fields ?? {}
  const told = history.facts.filter(({ thing, holds }) => holds && thing.startsWith(`doc:${document}:`))
  const values = told.map((fact) => {
    const [, , field, ...value] = fact.name.split(':') as [string, string, string, ...string[]]
    return { field, value: value.join(':'), thing: fact.thing }
  })
  const found = longest(
    text,
    values.filter((one) => names(text, one.field)),
    ({ value }) => value,
  )
  if (!found) return NOTHING
  const value = found.field === 'budget' ? Number(found.value) : found.value
  const all = history.of(found.thing)
  const about =
    found.field === 'budget' ? all.filter((fact) => fact.value === found.value || fact === current(all)) : all
  const held = [fields[found.field] ?? []].flat().some((one) => String(one) === found.value)
  const asked = thing(
    `${found.field}:${found.value}`,
    found.value,
    about,
    'forgetting',
    asksForValue(value, String(value)),
  )
  return { asked: [asked], agrees: !held }
}

function thing(
  name: string,
  label: string,
  told: readonly LifeFact[],
  type: CriterionType,
  asks: CriterionAsk = { act: 'mention', forms: [label] },
): Asked {
  const now = told.at(-1)
  const needs = type === 'presence' && now ? [now] : []
  return { name, label, asks, told, needs, outdated: told.length > 0 ? outdated(told) : [] }
}

/** What a criterion says besides the values it asks for is no longer than this. */
const LONGEST_FRAME = 90

/** Whether values, in whatever order, are all that a criterion asks for. */
const isRoom = (text: string, values: string): boolean => text.length - values.length <= LONGEST_FRAME

const names = (text: string, field: string): boolean => text.includes(field) || text.includes(fieldName(field))

const inOrder = (facts: LifeFact[]): LifeFact[] => facts.sort((a, b) => a.session - b.session)

/** The one whose text is the longest that stands in a criterion, not within a word or a number. */
function longest<T>(text: string, candidates: readonly T[], textOf: (one: T) => string): T | undefined {
  let best: T | undefined
  for (const one of candidates) {
    const wanted = textOf(one)
    if (wanted.length <= (best === undefined ? 0 : textOf(best).length)) continue
    if (standsIn(text, wanted)) best = one
  }
  return best
}

function standsIn(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + wanted.length] ?? ' ']
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}
