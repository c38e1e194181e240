import { sentences } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn, userSentences } from '../parts/index.js'

/** Statements that a model finds in one episode, and messages it puts into one, at most. */
const MOST = 8
/** Characters of a title and of an account. */
const TITLE = 90
const CONTENT = 2_000

/** Divides evenly, tells what the user said in the user's words, merges nothing, and takes every sentence for a statement. */
export const nemoriRehearsal: Rehearsal = ({ step, prompt }) => {
  const { conversation, episode = '' } = dataIn(prompt)
  const said = userSentences(conversation)
  switch (step) {
    case 'segment': {
      const numbers = itemsIn(conversation).map((_, i) => i)
      const groups = Array.from({ length: Math.ceil(numbers.length / MOST) }, (_, i) =>
        numbers.slice(i * MOST, (i + 1) * MOST),
      )
      return { json: { episodes: groups.map((indices) => ({ indices, topic: 'talk' })) } }
    }
    case 'episode': {
      const content = said.join(' ').slice(0, CONTENT) || 'The assistant spoke.'
      return { json: { title: content.slice(0, TITLE), content } }
    }
    case 'decide':
      return { json: { decision: 'new', target: -1, reason: 'Another event.' } }
    case 'predict':
      return { text: 'User tells more about the subject of the title, in line with what is known.' }
    case 'direct': {
      const [, content = ''] = / {2}content: ([\s\S]*)/.exec(episode) ?? []
      return { json: { statements: sentences(content.replaceAll('\n  | ', '\n')).slice(0, MOST) } }
    }
    default:
      return { json: { statements: said.slice(0, MOST) } }
  }
}
