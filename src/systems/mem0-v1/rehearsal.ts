import { sentences } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'

/** Facts that a model finds in one conversation at most. */
const MOST = 12

/** Takes every sentence of the user for a fact, and every fact for a new one. */
export const mem0V1Rehearsal: Rehearsal = ({ step, prompt }) => {
  const { conversation, memories, facts } = dataIn(prompt)
  if (step === 'extract') {
    const said = itemsIn(conversation).filter(({ mark }) => mark === 'user:')
    return { json: { facts: said.flatMap(({ text }) => sentences(text)).slice(0, MOST) } }
  }
  const known = itemsIn(memories)
  const kept = known.map(({ text }, i) => ({ id: String(i), text, event: 'NONE' }))
  const added = (facts ?? '').split(/\n(?! {2}\| )/).map((line, i) => ({
    id: String(known.length + i),
    text: line.replace(/^- /, ''),
    event: 'ADD',
  }))
  return { json: { memory: [...kept, ...added] } }
}
