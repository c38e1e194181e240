import { fold } from '../../../base/text.js'
import type { Fact } from '../../../model/index.js'
import type { Passage } from '../store/view.js'
import { presence } from './presence.js'

/** Of a core this much is left in a damaged version; of a number all that makes it one. */
const LEFT = 0.5
const LEFT_OF_NUMBER = 0.75

/** Whether a text has what sets a fact apart from others of its kind. Without it, it is no damaged version, but about something else. */
export function hasCore({ cues: { core, parts } }: Fact, text: string): boolean {
  if (core === undefined) return true
  const enough = (form: string) => presence([form], text).share >= (/\d/.test(form) ? LEFT_OF_NUMBER : LEFT)
  return parts.some(({ role, forms }) => role === core && forms.some(enough))
}

/**
 * Those passages in which the words of other facts stand as they were said: an earlier date of an event is no damaged version of the later
 * one. Only for facts with a core, which come with everything told of their thing.
 *
 * @param said sentences of other facts that were found in the store, folded
 */
export function tellingOthers({ cues }: Fact, passages: readonly Passage[], said: readonly string[]): Set<Passage> {
  if (cues.core === undefined) return new Set()
  return new Set(
    passages.filter(({ text }) => {
      const folded = fold(text)
      return said.some((sentence) => folded.includes(sentence))
    }),
  )
}
