import { words } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, userSentences } from '../parts/index.js'

/** Memories that a model finds in one piece at most. */
const MOST = 12

/** Takes every sentence of the user for a memory, the first for a stated preference, and no two things for the same. */
export const memosRehearsal: Rehearsal = ({ step, prompt }) => {
  const { conversation, question } = dataIn(prompt)
  const values = userSentences(conversation).slice(0, MOST)
  switch (step) {
    case 'read': {
      const memories = values.map((value) => ({
        key: words(value).slice(0, 4).join(' '),
        type: value.length % 2 === 0 ? 'UserMemory' : 'LongTermMemory',
        value,
        tags: longest(value),
      }))
      return { json: { memories, summary: values.join(' ').slice(0, 300) } }
    }
    case 'explicit': {
      const preferences = values.slice(0, 1).map((preference) => ({
        preference,
        context: `The user speaks of ${longest(preference).join(', ')}.`,
        reasoning: 'The user says so.',
        topic: 'daily life',
      }))
      return { json: { preferences } }
    }
    case 'implicit':
      return { json: { preferences: [] } }
    case 'same':
      return { json: { same: false } }
    case 'relate':
      return { json: { relation: 'independent' } }
    case 'parse':
      return { json: { keys: [], tags: longest(question ?? '') } }
    default:
      return { json: { statement: null } }
  }
}

function longest(text: string): string[] {
  return [...new Set(words(text))].sort((a, b) => b.length - a.length).slice(0, 3)
}
