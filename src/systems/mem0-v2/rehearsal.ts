import { sentences } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'

/** Memories that a model finds in one conversation at most. */
const MOST = 15

/** Takes every sentence for a memory, and links each to the first one shown. */
export const mem0V2Rehearsal: Rehearsal = ({ prompt }) => {
  const { conversation, memories } = dataIn(prompt)
  const linked = itemsIn(memories).length > 0 ? ['0'] : []
  const memory = itemsIn(conversation).flatMap(({ mark, text }) => {
    const speaker = mark === 'assistant:' ? 'assistant' : 'user'
    return sentences(text).map((said) => ({
      text: `The ${speaker} said: ${said}`,
      attributed_to: speaker,
      linked_memory_ids: linked,
    }))
  })
  return { json: { memory: memory.slice(0, MOST) } }
}
