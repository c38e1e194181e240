import { says } from '../../../language/stance.js'
import { plainWords } from '../../../language/tokens.js'
import type { Fact, Memory, Stance } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import { plainText, type Unit, unitsOf } from '../store/units.js'
import { type Bond, bondOf, isHinted, isNamed } from './binding.js'
import { type Finding, formsOf, notStored, short } from './finding.js'
import { findPhrase, type Held, heldIn } from './phrase.js'
import { deniesValue, type Speech, speechOf } from './speech.js'

/** A unit of the store with all that the fact is looked for by. */
interface Found {
  memory: Memory
  unit: Unit
  /** The unit has the very words of the source. */
  verbatim: boolean
  held: Held
  bond: Bond
  parent: boolean
  denied: boolean
  speech: Speech
}

/** What is asked: the fact, its forms, and how its own words speak. */
interface Asked {
  fact: Fact
  names: readonly string[]
  values: readonly string[]
  parents: readonly string[]
  own: Speech
  /** Nobody said it: only what was concluded counts. */
  derived: boolean
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
  const found = candidates(asked, stance, index).flatMap((memory) => readMemory(asked, memory))
  const spread = spreadVerbatim(asked, index)
  const carried = found.map((one) => ({ one, is: READERS[stance](one, asked) }))
  const whole = carried.filter(({ is }) => is?.as === 'whole')
  if (whole.length > 0 || spread) return finding('correct', whole, spread)
  const joined = stance === 'dependent' ? joinedClause(asked, found, index) : undefined
  if (joined) return joined
  const damaged = carried.filter(({ is }) => is?.as === 'damaged')
  if (damaged.length > 0) return finding('summary_error', damaged, undefined)
  const near = found.some(({ held, bond, speech }) => held === 'whole' && bond === 'none' && !speech.removed)
  return notStored(`Nothing in the store says ${short(fact.text)}.`, near && stance !== 'removed')
}

function askedOf(fact: Fact): Asked {
  const [names, values, parents] = (['what', 'value', 'condition'] as const).map((role) => formsOf(fact.cues, role))
  const plain = plainText(fact.text)
  const said: Unit = { text: fact.text, plain, heading: '', before: '', after: '', below: '' }
  return {
    fact,
    names: names!,
    values: values!,
    parents: parents!,
    own: speechOf(said, values!, undefined),
    derived: fact.sources.length === 0,
  }
}

/** Memories that may say something of it: those with telling words of the value, and for stances that need none those of its thing. */
function candidates({ fact, names, values }: Asked, stance: Stance, index: StoreIndex): Memory[] {
  const found = new Set(values.flatMap((form) => index.sharing(plainWords(form))))
  const marker = WITHOUT_VALUE[stance]
  if (marker) {
    for (const name of names) {
      for (const memory of index.sharing(plainWords(name))) {
        if (memory.status === 'tombstone' || says(marker, memory.text)) found.add(memory)
      }
    }
  }
  for (const memory of index.holding(fact.text)) found.add(memory)
  return [...found]
}

/** Stances that can be told of a thing without its value, and the words they need. */
const WITHOUT_VALUE: Partial<Record<Stance, Parameters<typeof says>[0]>> = {
  removed: 'removal',
  doubted: 'doubt',
  revoked: 'revoked',
}

function readMemory(asked: Asked, memory: Memory): Found[] {
  const { fact, names, values, parents, derived } = asked
  const units = unitsOf(memory)
  const said = plainText(fact.text)
  return units.flatMap((unit): Found[] => {
    const held = heldIn(values, names, unit.text, unit.plain)
    const verbatim = !derived && holdsVerbatim(said, unit)
    if (held === 'none' && !verbatim && WITHOUT_VALUE[fact.cues.stance ?? 'held'] === undefined) return []
    const around = [unit.plain, unit.after, unit.below, unit.heading].join(' ')
    return [
      {
        memory,
        unit,
        verbatim,
        held,
        bond: bondOf(names, values, unit),
        parent: parents.length === 0 || isNamed(parents, around) || isHinted(parents, around),
        denied: deniesValue(unit, values),
        speech: speechOf(unit, values, memory.status),
      },
    ]
  })
}

/** The words of the source, from the beginning of a unit on; sentences that follow in the source follow here. */
function holdsVerbatim(said: string, { plain, after }: Unit): boolean {
  return findPhrase(said, plain, false) !== undefined || (after !== '' && findPhrase(said, `${plain} ${after}`, false) !== undefined)
}
