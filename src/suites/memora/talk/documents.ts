import { SINGLE_FIELDS } from '../seed.js'
import type { OperationOf, Revision } from '../trace.js'
import { listed } from '../wording.js'
import type { DocumentMove, DocumentPhrases } from './data.js'
import type { Voice } from './voice.js'

/** One message of the talk about a document, with the parts of the operation that it says. */
export interface DocumentTurn {
  role: 'user' | 'assistant'
  text: string
  parts: string[]
}

/** The name of the part that says one value of a field. */
export const fieldPart = (field: string, value: string | number): string => `field:${field}:${value}`

/** The name of the part that says a revision, by its place in the operation. */
export const revisionPart = (index: number): string => `revision:${index}`

/** The talk about a document: a draft is asked for field by field, later changes are told one by one. Begins with the user. */
export function documentTalk(
  operation: OperationOf<'document'>,
  voice: Voice,
  phrases: DocumentPhrases,
): DocumentTurn[] {
  const { kind, title } = operation
  const { a, the, fields } = phrases.kinds[kind]
  const turns: DocumentTurn[] = []
  const user = (text: string, parts: string[]) => turns.push({ role: 'user', text, parts })
  const assistant = (text: string) => turns.push({ role: 'assistant', text, parts: [] })
  const wordsOf = (field: string) =>
    fields[field] ?? { label: field.replaceAll('_', ' '), quoted: true, ask: phrases.ask, give: phrases.give }
  if (operation.act === 'add') {
    user(voice.say(phrases.request, { a, title }), ['item'])
    for (const [field, value] of Object.entries(operation.fields)) {
      const { label, quoted, ask: asks, give } = wordsOf(field)
      const ask = voice.chance(0.6) ? voice.say(asks) : voice.say(phrases.ask, { label })
      assistant(voice.say(turns.length === 1 ? phrases.agree : phrases.between, { ask }))
      const parts = [value].flat().map((one) => fieldPart(field, one))
      user(voice.say(voice.chance(0.5) ? give : phrases.give, { label, value: listed(value, quoted) }), parts)
    }
    assistant(voice.say(phrases.drafted))
    return turns
  }
  const { act, revisions, completes } = operation
  user(voice.say(phrases[act], { the, The: the, title }), ['item'])
  assistant(voice.say(phrases.willing))
  for (const [index, revision] of revisions.entries()) {
    const { label, quoted } = wordsOf(revision.field)
    const part = revisionPart(index)
    const [sides, parts]: [Record<string, string>, string[]] =
      'value' in revision
        ? [{ value: listed(revision.value, quoted) }, [part]]
        : [
            { from: listed(revision.from, quoted), to: listed(revision.to, quoted) },
            [part, `${part}:from`, `${part}:to`],
          ]
    user(voice.say(phrases[moveOf(revision)], { label, ...sides }), parts)
    assistant(voice.say(phrases.edited))
  }
  user(voice.say(completes ? phrases.complete : phrases.enough), completes ? ['completes'] : [])
  assistant(voice.say(phrases.kept))
  return turns
}

/** What has room for one value is filled in, a list is added to. */
function moveOf({ change, field }: Revision): DocumentMove {
  return change === 'added' && SINGLE_FIELDS.has(field) ? 'filled' : change
}
