import { sentences } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'

/** Memories that a model finds in one conversation at most. */
const MOST = 15

/** Takes every sentence of the new messages for a memory. */
export const mem0Rehearsal: Rehearsal = ({ request }) => {
  const shown = request.messages.at(-1)?.content ?? ''
  const said = /\n## New Messages\n([\s\S]*)\n\n## Observation Date\n/.exec(shown)?.[1] ?? ''
  const memory = said.split(/^(?=(?:user|assistant): )/m).flatMap((turn) => {
    const [, speaker = 'user', text = turn] = /^(user|assistant): ([\s\S]*)$/.exec(turn) ?? []
    return sentences(text).map((sentence) => ({ text: `The ${speaker} said: ${sentence}`, attributed_to: speaker }))
  })
  return { json: { memory: memory.slice(0, MOST).map((entry, i) => ({ id: String(i), ...entry })) } }
}
