import type { Rehearsal } from '../../model/index.js'
import { dataIn, userSentences } from '../parts/index.js'

/** Memories that a model writes for one conversation at most. */
const MOST = 12

const DONE = { calls: [{ name: 'done', input: {} }] }

/** Inserts every sentence of the user as a memory of its own, all at once, and is done. */
export const langmemRehearsal: Rehearsal = ({ prompt, request }) => {
  if (request.messages.at(-1)?.role === 'tool') return DONE
  const said = userSentences(dataIn(prompt).session).slice(0, MOST)
  const calls = said.map((content) => ({ name: 'insert', input: { content } }))
  return calls.length > 0 ? { calls } : DONE
}
