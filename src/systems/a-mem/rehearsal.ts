import { words } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn } from '../parts/index.js'

const MOST = 6

/** Takes the longest words of a note for its keywords, and links it to its nearest neighbour, which it describes anew. */
export const aMemRehearsal: Rehearsal = ({ step, prompt }) => {
  const { note = '', neighbours = '' } = dataIn(prompt)
  const telling = [...new Set(words(note.slice(0, 2_000)))].filter((word) => word.length > 4).slice(0, MOST)
  const subject = telling.slice(0, 3).join(', ') || 'nothing in particular'
  const tags = ['conversation', 'personal', ...telling.slice(0, 2)]
  if (step === 'analyse') {
    const context = `A piece of conversation about ${subject}, which may help to know the speaker better.`
    return { json: { keywords: telling, context, tags } }
  }
  const nearest = /^\[0\]/m.test(neighbours)
  return {
    json: {
      should_evolve: nearest,
      actions: nearest ? ['strengthen', 'update_neighbor'] : [],
      suggested_connections: nearest ? [0] : [],
      tags_to_update: nearest ? [...tags, 'linked'] : [],
      neighbours: nearest ? [{ number: 0, context: `Seen beside a note about ${subject}.`, tags }] : [],
    },
  }
}
