import type { Rehearsal } from '../../model/index.js'
import { bulletsIn, dataIn, itemsIn, userSentences } from '../parts/index.js'

/** Facts that a model finds in one conversation at most. */
const MOST = 12

/** Takes every sentence of the user for a fact, and every fact for a new one. */
export const mem0V1Rehearsal: Rehearsal = ({ step, prompt }) => {
  const { conversation, memories, facts } = dataIn(prompt)
  if (step === 'extract') return { json: { facts: userSentences(conversation).slice(0, MOST) } }
  const known = itemsIn(memories)
  const kept = known.map(({ text }, i) => ({ id: String(i), text, event: 'NONE' }))
  const added = bulletsIn(facts).map((text, i) => ({ id: String(known.length + i), text, event: 'ADD' }))
  return { json: { memory: [...kept, ...added] } }
}
