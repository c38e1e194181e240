import { sentences, words } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'

/** Entries that a model makes of one window at most. */
const MOST = 40

/** Takes every sentence for an entry; plans one query beside the question, and looks again once, when little has been found. */
export const simpleMemRehearsal: Rehearsal = ({ step, prompt }) => {
  const { dialogue, question = '', entries } = dataIn(prompt)
  const telling = (text: string) =>
    words(text.slice(0, 2_000))
      .filter((word) => word.length > 3)
      .slice(0, 6)
  if (step === 'compress') {
    const said = itemsIn(dialogue).flatMap(({ mark, text }) => {
      const [, speaker = 'User', rest = text] = /^(User|Assistant): ([\s\S]*)$/.exec(text) ?? []
      return sentences(rest).map((sentence) => ({
        lossless_restatement: `${speaker} said: ${sentence}`,
        keywords: telling(sentence),
        timestamp: mark.slice(1, 11),
        location: null,
        persons: [speaker],
        entities: telling(sentence).slice(0, 2),
        topic: 'conversation',
      }))
    })
    return { json: { entries: said.slice(0, MOST) } }
  }
  const terms = telling(question)
  switch (step) {
    case 'plan': {
      const description = `What User has said about ${terms.join(', ')}`
      return {
        json: {
          question_type: 'recall',
          key_entities: terms,
          required_info: [{ info_type: 'fact', description, priority: 'high' }],
          relationships: [],
          minimal_queries_needed: 1,
        },
      }
    }
    case 'queries':
      return { json: { reasoning: 'One search for the matter itself.', queries: [`User ${terms.join(' ')}`] } }
    case 'analyse':
      return { json: { keywords: terms, persons: [], time_expression: null, location: null, entities: [] } }
    case 'check': {
      const complete = itemsIn(entries).length > 3
      return {
        json: {
          assessment: complete ? 'complete' : 'incomplete',
          missing: complete ? [] : [`more about ${terms.join(', ')}`],
        },
      }
    }
    default:
      return { json: { queries: [`${terms.join(' ')} details`, `reasons for ${terms.join(' ')}`] } }
  }
}
