import { sentences } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'
import { cuesOf } from './cues.js'

/** Notes that a model takes of one conversation at most. */
const MOST = 15

/** Takes every sentence for a note, and knows by its words what it does. */
export const mosaicRehearsal: Rehearsal = ({ prompt }) => {
  const notes = itemsIn(dataIn(prompt).conversation).flatMap(({ mark, text }) =>
    sentences(text).map((said) => {
      const { leans, isNews, isForget } = cuesOf([said])
      const kind = isForget ? 'erase' : isNews ? 'news' : 'fact'
      return { text: said, speaker: mark === 'assistant:' ? 'assistant' : 'user', rests_on: leans, kind }
    }),
  )
  return { json: { notes: notes.slice(0, MOST) } }
}
