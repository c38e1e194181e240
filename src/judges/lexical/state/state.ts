import { shortened } from '../../../base/text.js'
import { FUNCTION_WORDS } from '../../../language/function-words.js'
import { hasMarker, type Marker } from '../../../language/stance.js'
import { indexStem } from '../../../language/stems.js'
import { plainWords } from '../../../language/tokens.js'
import { isWord } from '../../../language/wordnet.js'
import type { Fact, Memory, Stance } from '../../../model/index.js'
import { type Finding, notStored } from '../finding.js'
import { formsOf } from '../parts.js'
import type { StoreIndex } from '../store/store-index.js'
import { plainText, type Unit, unitsOf } from '../store/units.js'
import { type Bond, bondOf, containsName, isHinted } from './binding.js'
import { isBlanket, withoutBlanket } from './blanket.js'
import { formsWithoutNote } from './note.js'
import { findPhrase, heldIn, type MatchState } from './phrase.js'
import { classifyMention, type Speech } from './speech.js'

/** A unit of the store with all that the fact is looked for by. */
interface Found {
  memory: Memory
  unit: Unit
  held: MatchState
  bond: Bond
  parent: boolean
  speech: Speech
  /** Words were passed over that stand all over the store. */
  blanket: boolean
}

/** What is asked: the fact, its forms, and how its own words speak. */
interface Asked {
  fact: Fact
  names: readonly string[]
  values: readonly string[]
  /** The values, and without their notes: where the value stands in a text, whole or not. */
  said: readonly string[]
  parents: readonly string[]
  own: Speech
  /** Beginnings of the words of the value: a unit without any of them has nothing of it. */
  stems: readonly string[]
}

/** How far one unit carries a fact: whole, damaged, or not at all. */
type Carried = { as: 'whole' | 'damaged'; why: string; doubtful: boolean } | null

/**
 * A thing has a value, in the way its stance says. The value must stand in the same unit as a name of its thing, and the unit must speak of
 * it in that way: a rule for later is not the value now, and a value that was only thought about has not changed.
 */
export function judgeState(fact: Fact, index: StoreIndex): Finding {
  const asked = askedOf(fact)
  const stance = fact.cues.stance ?? 'held'
  const found = candidates(asked, stance, index).flatMap((memory) => readMemory(asked, memory, index))
  const carried = found.map((one) => ({ one, is: doubtfulIn(one, READERS[stance](one, asked)) }))
  const whole = carried.filter(({ is }) => is?.as === 'whole')
  if (whole.length > 0) return finding('correct', whole)
  const joined = stance === 'dependent' ? joinedClause(asked, found, index) : undefined
  if (joined) return joined
  const damaged = carried.filter(({ is }) => is?.as === 'damaged')
  if (damaged.length > 0) return finding('summary_error', damaged)
  const near = found.some(({ held, bond, speech }) => held === 'whole' && bond === 'none' && !speech.removed)
  return notStored(`Nothing in the store says "${shortened(fact.text, 60)}".`, near && stance !== 'removed')
}

/**
 * Whether every sentence of a memory that mentions the fact's value asks to forget it, or the memory is a tombstone. False if none mentions
 * it, or the fact is itself such a request.
 */
export function mentionedOnlyToForget(fact: Fact, memory: Memory, index: StoreIndex): boolean {
  return mentionedOnly('removed', fact, memory) && !isBlanket('removed', memory, index)
}

/**
 * Whether every sentence of a memory that mentions the fact's value doubts it, and the fact does not: `own`, or as all the store is doubted,
 * which tells nothing of this one.
 */
export function mentionedOnlyInDoubt(fact: Fact, memory: Memory, index: StoreIndex): 'own' | 'blanket' | null {
  if (!CERTAIN.has(fact.cues.stance ?? 'held') || !mentionedOnly('doubted', fact, memory)) return null
  return isBlanket('doubted', memory, index) ? 'blanket' : 'own'
}

/** Stances that doubt damages. */
const CERTAIN: ReadonlySet<Stance> = new Set(['held', 'dependent', 'changed'])

function mentionedOnly(way: 'removed' | 'doubted', fact: Fact, memory: Memory): boolean {
  const { said, own } = askedOf(fact)
  if (own[way]) return false
  const saying = unitsOf(memory).filter(({ plain }) => said.some((form) => findPhrase(form, plain, false)))
  return saying.length > 0 && saying.every((unit) => classifyMention(unit, said, memory.status)[way])
}

/** What is carried beside words that stand all over the store is a guess: a reader may go by them. */
function doubtfulIn({ blanket }: Found, carried: Carried): Carried {
  return carried && blanket ? { ...carried, doubtful: true } : carried
}

function finding(label: 'correct' | 'summary_error', carried: readonly { one: Found; is: Carried }[]): Finding {
  const certain = carried.filter(({ is }) => !is!.doubtful)
  const best = certain.length > 0 ? certain : carried
  const memories = [...new Set(best.map(({ one }) => one.memory.id))].sort()
  return {
    label,
    uncertain: certain.length === 0,
    support: memories.map((id) => [id]),
    reason: `${best[0]!.one.memory.id} ${best[0]!.is!.why}.`,
    quotes: best.slice(0, 3).map(({ one }) => ({ memory: one.memory.id, text: one.unit.text })),
  }
}

function askedOf(fact: Fact): Asked {
  const [names, values, parents] = (['what', 'value', 'condition'] as const).map((role) => formsOf(fact.cues, role))
  const plain = plainText(fact.text)
  const told: Unit = { text: fact.text, plain, heading: '', before: '', after: '', below: '' }
  const said = values!.flatMap(formsWithoutNote)
  const content = values!.flatMap(plainWords).filter((word) => !FUNCTION_WORDS.has(word))
  return {
    fact,
    names: names!,
    values: values!,
    said,
    parents: parents!,
    own: classifyMention(told, said, undefined),
    stems: [...new Set(content.map(indexStem))],
  }
}

/** Memories that may say something of it: those with telling words of the value, and for stances that need none those of its thing. */
function candidates({ names, said }: Asked, stance: Stance, index: StoreIndex): Memory[] {
  const found = new Set(said.flatMap((form) => index.sharing(plainWords(form))))
  const marker = WITHOUT_VALUE[stance]
  if (marker) {
    for (const name of names) {
      for (const memory of index.sharing(plainWords(name))) found.add(memory)
    }
  }
  return [...found].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Stances that can be told of a thing without its value, and the words they need. */
const WITHOUT_VALUE: Partial<Record<Stance, readonly Marker[]>> = {
  removed: ['removal'],
  doubted: ['doubt'],
  revoked: ['revoked', 'stays'],
}

function readMemory(asked: Asked, memory: Memory, index: StoreIndex): Found[] {
  const { fact, names, values, said, parents } = asked
  const markers = WITHOUT_VALUE[fact.cues.stance ?? 'held']
  return unitsOf(memory).flatMap((unit): Found[] => {
    const touched = asked.stems.some((stem) => unit.plain.includes(stem))
    const held = touched ? heldIn(values, names, unit.text, unit.plain) : 'none'
    if (held === 'none' || held === 'replaced') {
      if (memory.status !== 'tombstone' && !markers?.some((one) => tells(one, unit))) return []
    }
    const bond = bondOf(names, said, unit)
    if (bond === 'none' && held === 'none') return []
    const around = [unit.plain, unit.after, unit.below, unit.heading].join(' ')
    return [
      {
        memory,
        unit,
        held,
        bond,
        parent: parents.length === 0 || containsName(parents, around) || isHinted(parents, around),
        ...withoutBlanket(classifyMention(unit, said, memory.status), memory, index),
      },
    ]
  })
}

const told = new WeakMap<Unit, Map<Marker, boolean>>()

/** Whether a unit, or what stands around it, has words of a kind. Remembered, for the same units are read for many facts. */
function tells(marker: Marker, unit: Unit): boolean {
  let known = told.get(unit)
  if (!known) {
    known = new Map()
    told.set(unit, known)
  }
  let found = known.get(marker)
  if (found === undefined) {
    const { plain, heading, before, after, below } = unit
    found = [plain, heading, before, after, below].some((text) => text !== '' && hasMarker(marker, text, true))
    known.set(marker, found)
  }
  return found
}

/** A value kept in one memory and what it rests on in another. */
function joinedClause(
  { names, parents, values }: Asked,
  found: readonly Found[],
  index: StoreIndex,
): Finding | undefined {
  const held = found.find((one) => one.held === 'whole' && one.bond !== 'none' && isPlain(one.speech))
  if (!held) return undefined
  for (const memory of new Set(names.flatMap((name) => index.sharing(plainWords(name))))) {
    const clause = unitsOf(memory).find(
      (unit) =>
        containsName(names, unit.plain) &&
        hasMarker('depends', unit.plain, true) &&
        (containsName(parents, unit.plain) || isHinted(parents, unit.plain)) &&
        !isRule(unit, values),
    )
    if (!clause) continue
    const memories = [...new Set([held.memory.id, memory.id])].sort()
    return {
      label: 'correct',
      uncertain: false,
      support: [memories],
      reason: `${memories.join(' and ')} say the value and what it depends on.`,
      quotes: [
        { memory: held.memory.id, text: held.unit.text },
        { memory: memory.id, text: clause.text },
      ],
    }
  }
  return undefined
}

/** It gives another value for the case that the parent changes. */
function isRule({ plain }: Unit, values: readonly string[]): boolean {
  return (
    /\b(?:will|becomes?|would) (?:then )?(?:be|become|go|switch|move)\b/.test(plain) &&
    heldIn(values, [], plain, plain) !== 'whole'
  )
}

function isPlain({ removed, awaited, foreseen }: Speech): boolean {
  return !removed && !awaited && !foreseen
}

const whole = (why: string, doubtful = false): Carried => ({ as: 'whole', why, doubtful })
const damaged = (why: string, doubtful = false): Carried => ({ as: 'damaged', why, doubtful })
const isDamaged = (held: MatchState) => held === 'part' || held === 'altered' || held === 'unlike'
const bound = ({ bond, held }: Found) => bond !== 'none' && held !== 'none' && held !== 'replaced'

/** A value of which something was lost, or whose note says something else than it did. */
function damagedValue(held: MatchState, what: string): Carried {
  if (held === 'part') return damaged(`keeps only a part of the ${what}`, true)
  return damaged(`keeps the ${what} with another note`, held === 'unlike')
}

/** How each stance is read from a unit. */
const READERS: Record<Stance, (found: Found, asked: Asked) => Carried> = {
  held(found, { own, fact }) {
    const { speech, held, bond } = found
    if (!bound(found) || !isPlain(speech)) return null
    // What nobody said has no version that could have been damaged.
    if (isDamaged(held)) return fact.sources.length === 0 ? null : damagedValue(held, 'value')
    if (speech.doubted && !own.doubted) return damaged('keeps the value as doubtful')
    if (speech.considered && !own.considered && !speech.depends && !speech.past && !speech.changed)
      return damaged('keeps the value as a thought only', true)
    return whole('says the value', bond === 'loose' || held === 'bare' || (speech.past && !own.past))
  },
  dependent(found, asked) {
    const held = READERS.held(found, asked)
    if (held?.as !== 'whole') return held
    if (!found.speech.depends) return damaged('keeps the value, but not what it depends on')
    return found.parent
      ? whole('says the value and what it depends on', held.doubtful)
      : damaged('does not say on what the value depends', true)
  },
  conditional(found) {
    const { speech, held, parent } = found
    if (!bound(found) || speech.removed || speech.awaited) return null
    if (isDamaged(held)) return speech.foreseen ? damagedValue(held, 'rule') : null
    if (!speech.foreseen) return damaged('gives what a rule foresees as if it had come about')
    return parent
      ? whole('keeps the rule', held === 'bare' || found.bond === 'loose')
      : damaged('keeps a rule, but not when it applies')
  },
  changed(found, { own }) {
    const { speech, held } = found
    if (!bound(found) || !isPlain(speech)) return null
    if (isDamaged(held)) return damagedValue(held, 'new value')
    if (speech.revoked && !own.revoked) return damaged('has the change as taken back', true)
    if (speech.doubted) return damaged('has the change as doubtful')
    if (speech.considered && !own.considered) return damaged('has the change as a thought only')
    if (speech.planned && !own.planned) return damaged('has the change as a plan only', true)
    return whole('says the new value', found.bond === 'loose' || held === 'bare')
  },
  considered(found) {
    const { speech } = found
    if (!bound(found) || speech.removed || speech.awaited) return null
    if (speech.considered || speech.revoked)
      return whole('says that it was considered', found.bond === 'loose' || found.held !== 'whole')
    return damaged('gives a thought as a fact')
  },
  revoked(found, { fact }) {
    const { speech, unit, bond } = found
    if (bond === 'none' || speech.removed) return null
    if (speech.revoked) return whole('says that it was taken back', bond === 'loose')
    const recalled = hasMarker('stays', unit.plain, true) && sharesName(fact.text, unit)
    return recalled ? whole('says that all stays as it was', true) : null
  },
  doubted(found, { names }) {
    const { speech, held, bond, unit } = found
    if (bond === 'none' || !speech.doubted || speech.removed) return null
    if (held === 'whole' || held === 'bare') return whole('says that the value may not hold', bond === 'loose')
    const open = held === 'none' && UNKNOWN.test(unit.plain) && containsName(names, unit.plain) && !givesValue(unit)
    return open ? whole('says that the value is not known any more', true) : null
  },
  removed(found) {
    const { speech, held, bond, unit } = found
    if (!speech.removed || (held !== 'whole' && !isRequest(unit))) return null
    if (bond === 'named' || held === 'whole') return whole('says that it was to be forgotten')
    return bond === 'loose' ? whole('says that something like it was to be forgotten', true) : null
  },
}

/** Doubt that needs no value to be doubted. */
const UNKNOWN =
  /\b(?:unknown|unclear|uncertain|unconfirmed|undetermined|not (?:known|confirmed|certain|clear)|to be (?:re-?)?(?:confirmed|determined)|tbd|tbc|needs? (?:re-?)?confirm\w*|may have changed|might have changed|no longer (?:valid|known|certain))\b/

const REQUEST =
  /\b(?:user|ask\w*|request\w*|please|memory|notes?|records?|forg[eo]t\w*|wants?|privacy|private|remember\w*|keep|kept|know|stored?|entry|information|kindly)\b|^\W*(?:deleted|removed|forgotten|erased|redacted)\b|(?:[:=(]|->|\bis|\bwas)\s*(?:deleted|removed|forgotten|erased|redacted)\b/

/** Something is to go from the memory, and not from the world. */
function isRequest({ plain, heading }: Unit): boolean {
  return REQUEST.test(plain) || REQUEST.test(heading)
}

/** Names, numbers or addresses stand in it: some other value is meant. */
function givesValue({ text }: Unit): boolean {
  const inner = text.split(/\s+/).slice(1)
  return inner.some(
    (word) => /\d|[/#@_]\w/.test(word) || (/^\p{Lu}\p{Ll}/u.test(word) && !isWord(plainWords(word)[0] ?? '')),
  )
}

/** A name from the source that is no word of the dictionary, such as the value that stays. */
function sharesName(said: string, { plain }: Unit): boolean {
  const there = new Set(plainWords(plain))
  return plainWords(said).some((word) => word.length > 3 && !isWord(word) && there.has(word))
}
