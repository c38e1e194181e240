import { sentences } from '../../base/text.js'
import { FUNCTION_WORDS } from '../../language/function-words.js'
import { analyze, type SaidNote } from './note.js'
import type { Mark } from './timeline.js'

/** Something that holds of somebody, or held. */
export interface HeldState {
  /** As it was said. */
  value: string
  /** Id of the note that tells it. */
  note: string
  from?: string
  until?: string
  /** Over: another holds; by rule: what a rule says holds instead; in doubt: what it rests on has changed. */
  standing: 'holds' | 'over' | 'by-rule' | 'in-doubt'
  /** Ids of the notes that made it so: the change, and the rule. */
  by?: readonly string[]
}

/** An attribute of somebody with all that it was, in the order of saying. Several that hold stand side by side. */
export interface Attribute {
  /** "user", or a name. */
  of: string
  /** "home town", "works for". */
  about: string
  states: HeldState[]
}

const NOUN = "[\\p{L}\\p{N}'\u2019-]+"
const VALUE = '([^,;.!?]+(?:[.][\\p{L}\\p{N}][^,;.!?]*)*)'
const BREAK = /\s(?:because|since|if|when|so|but|as|which|and)\s.*$/iu
/** "My town is Leeds", "Ada's bank is Finbank". */
const OWNED = new RegExp(
  `^(?:(my|our)|(\\p{Lu}${NOUN})['\u2019]s) ((?:${NOUN} ){1,4}?)(?:is|are|was|were) ${VALUE}`,
  'iu',
)
/** "Leeds is my town". */
const TURNED = new RegExp(`^${VALUE.replace('+(?:', '+?(?:')} (?:is|are) (?:my|our) ((?:${NOUN} ?){1,4})`, 'iu')
/** "I live in Leeds", "Ada plays the oboe". */
const DONE = new RegExp(
  `^(?:(i|we)|(\\p{Lu}\\p{Ll}+)) (?:also |still |now |really |just )*(\\p{L}+(?: (?:at|in|on|for|with|to|from|by|of|about))?) (?:the |a |an |my |our )?${VALUE}`,
  'iu',
)

/** Of whom which attribute has what value. */
export interface ToldState {
  of: string
  about: string
  value: string
}

/** What a text tells of whom, in its plainest sentences. */
export function statesIn(text: string): ToldState[] {
  return sentences(text).flatMap((sentence) => {
    const said = sentence.replace(/^[^:"]{1,60}: /, '').trim()
    const state = said.endsWith('?') ? undefined : readState(said)
    return state && analyze(state.about).length > 0 && analyze(state.value).length > 0 ? [state] : []
  })
}

/** What a note tells of whom, as it was given or by its words. */
function statesOf({ memory, cues, isTelling }: SaidNote): ToldState[] {
  if (!isTelling || memory.status === 'tombstone') return []
  const { of = 'user', about, value = memory.text } = cues
  return about === undefined ? statesIn(memory.text) : [{ of, about, value }]
}

function readState(said: string): ToldState | undefined {
  const [, own, whose, about, value] = OWNED.exec(said) ?? []
  if (value !== undefined) return { of: own ? 'user' : whose!, about: about!.trim(), value: value.replace(BREAK, '') }
  const [, turned, noun] = TURNED.exec(said) ?? []
  if (turned !== undefined) return { of: 'user', about: noun!.replace(BREAK, '').trim(), value: turned }
  const [, self, name, verb, object] = DONE.exec(said) ?? []
  if (object === undefined || (!self && FUNCTION_WORDS.has(name!.toLowerCase()))) return undefined
  return { of: self ? 'user' : name!, about: verb!, value: object.replace(BREAK, '') }
}

/** Attributes with what they were, of notes in the order of saying. @param markOf what became of a note */
export function attributesOf(
  notes: readonly (SaidNote | null)[],
  markOf: (note: number) => Mark | undefined,
): Attribute[] {
  const attributes = new Map<string, Attribute>()
  for (const [at, note] of notes.entries()) {
    for (const { of, about, value } of note ? statesOf(note) : []) {
      const key = `${of.toLowerCase()}\n${analyze(about).join(' ')}`
      const attribute = attributes.get(key) ?? { of, about, states: [] }
      attributes.set(key, attribute)
      attribute.states.push(heldState(notes, note!, value, markOf(at)))
    }
  }
  return [...attributes.values()]
}

function heldState(
  notes: readonly (SaidNote | null)[],
  { memory }: SaidNote,
  value: string,
  mark: Mark | undefined,
): HeldState {
  const { id, time: from } = memory
  const told = { value: value.trim(), note: id, ...(from !== undefined && { from }) }
  if (!mark || mark.kind === 'applies') return { ...told, standing: 'holds' }
  const until = notes[mark.by]!.memory.time
  const by = [mark.by, ...(mark.rule === undefined ? [] : [mark.rule])].map((note) => notes[note]!.memory.id)
  return { ...told, ...(until !== undefined && { until }), standing: mark.kind, by }
}
