import { fold, sentences } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'
import { cuesOf, stanceOf } from './cues.js'
import { statesIn } from './states.js'

/** Notes that a model takes of one conversation at most. */
const MOST = 15

/** Takes every sentence for a note, and knows by its words what it does. */
export const mosaicRehearsal: Rehearsal = ({ prompt }) => {
  const notes = itemsIn(dataIn(prompt).conversation).flatMap(({ mark, text }) =>
    sentences(text).map((said) => {
      const { leans, isForget } = cuesOf([said])
      const stance = stanceOf([fold(said)])
      const kind = isForget ? 'erase' : stance === 'told' ? 'fact' : stance === 'rule' ? 'pending' : stance
      const [{ of, about, value } = { of: '', about: '', value: '' }] = statesIn(said)
      return {
        text: said,
        speaker: mark === 'assistant:' ? 'assistant' : 'user',
        of,
        about,
        value,
        rests_on: leans,
        kind,
      }
    }),
  )
  return { json: { notes: notes.slice(0, MOST) } }
}
