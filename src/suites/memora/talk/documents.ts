import { SINGLE_FIELDS } from '../state.js'
import type { DocumentKind, FieldValue, Operation, Revision } from '../trace.js'
import type { DocumentMove, DocumentPhrases } from './data.js'
import type { Voice } from './voice.js'
import { listed } from './wording.js'

/** One message of the talk about a document, with the parts of the operation that it says. */
export interface DocumentTurn {
  role: 'user' | 'assistant'
  text: string
  parts: string[]
}

type DocumentOperation = Operation & { of: 'document' }

/** The talk about a document: a draft is asked for field by field, later changes are told one by one. Begins with the user. */
export function documentTalk(operation: DocumentOperation, voice: Voice, phrases: DocumentPhrases): DocumentTurn[] {
  return operation.act === 'add' ? draft(operation, voice, phrases) : edit(operation, voice, phrases)
}

/** The name of the part that says one value of a field. */
export const fieldPart = (field: string, value: string | number): string => `field:${field}:${value}`

/** The name of the part that says a revision, by its place in the operation. */
export const revisionPart = (index: number, side?: 'from' | 'to'): string =>
  side ? `revision:${index}:${side}` : `revision:${index}`

function draft(operation: DocumentOperation & { act: 'add' }, voice: Voice, phrases: DocumentPhrases): DocumentTurn[] {
  const { kind, title, fields } = operation
  const { a } = phrases.kinds[kind]
  const turns: DocumentTurn[] = [user(voice.say(phrases.request, { a, title }), ['item'])]
  for (const [field, value] of Object.entries(fields)) {
    const words = wordsOf(phrases, kind, field)
    const ask = voice.chance(0.6) ? voice.say(words.ask) : voice.say(phrases.ask, { label: words.label })
    turns.push(assistant(voice.say(turns.length === 1 ? phrases.agree : phrases.between, { ask })))
    const slots = { label: words.label, value: listed(value, words.quoted) }
    turns.push(user(voice.say(voice.chance(0.5) ? words.give : phrases.give, slots), partsOf(field, value)))
  }
  turns.push(assistant(voice.say(phrases.drafted)))
  return turns
}

function edit(
  operation: DocumentOperation & { act: 'update' | 'delete' },
  voice: Voice,
  phrases: DocumentPhrases,
): DocumentTurn[] {
  const { act, kind, title, revisions, completes } = operation
  const { the } = phrases.kinds[kind]
  const turns = [
    user(voice.say(phrases[act], { the, The: the, title }), ['item']),
    assistant(voice.say(phrases.willing)),
  ]
  for (const [index, revision] of revisions.entries()) {
    const words = wordsOf(phrases, kind, revision.field)
    const slots = { label: words.label, ...sidesOf(revision, words.quoted) }
    const parts = 'value' in revision ? [] : [revisionPart(index, 'from'), revisionPart(index, 'to')]
    turns.push(user(voice.say(phrases[moveOf(revision)], slots), [revisionPart(index), ...parts]))
    turns.push(assistant(voice.say(phrases.edited)))
  }
  turns.push(user(voice.say(completes ? phrases.complete : phrases.enough), completes ? ['completes'] : []))
  turns.push(assistant(voice.say(phrases.kept)))
  return turns
}

/** What has room for one value is filled in, a list is added to. */
function moveOf({ change, field }: Revision): DocumentMove {
  return change === 'added' && SINGLE_FIELDS.has(field) ? 'filled' : change
}

function sidesOf(revision: Revision, quoted: boolean): Record<string, string> {
  if ('value' in revision) return { value: listed(revision.value, quoted) }
  return { from: listed(revision.from, quoted), to: listed(revision.to, quoted) }
}

const partsOf = (field: string, value: FieldValue): string[] => [value].flat().map((one) => fieldPart(field, one))

function wordsOf(phrases: DocumentPhrases, kind: DocumentKind, field: string) {
  const known = phrases.kinds[kind].fields[field]
  return known ?? { label: field.replaceAll('_', ' '), quoted: true, ask: phrases.ask, give: phrases.give }
}

const user = (text: string, parts: string[]): DocumentTurn => ({ role: 'user', text, parts })
const assistant = (text: string): DocumentTurn => ({ role: 'assistant', text, parts: [] })
