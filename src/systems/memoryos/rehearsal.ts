import { sentences, words } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'

/** Takes every exchange for a new subject, named by its longest words, and every sentence of the user for knowledge. */
export const memoryosRehearsal: Rehearsal = ({ step, prompt }) => {
  const { exchange, exchanges } = dataIn(prompt)
  const said = itemsIn(exchange ?? exchanges)
  const users = said.filter(({ mark }) => mark === 'user:').map(({ text }) => text)
  const start = (said.map(({ text }) => text).join(' ') || 'Nothing was said.').slice(0, 200)
  switch (step) {
    case 'continuity':
      return { json: { continues: false } }
    case 'overview':
      return { json: { overview: `They spoke of this: ${start}` } }
    case 'themes': {
      const keywords = [...new Set(words(start))].sort((a, b) => b.length - a.length).slice(0, 5)
      return { json: { themes: [{ theme: keywords[0] ?? 'talk', keywords, content: start }] } }
    }
    case 'profile':
      return { json: { profile: `The user speaks openly of daily life. Lately: ${users.join(' ').slice(0, 400)}` } }
    default:
      return { json: { user: users.flatMap((text) => sentences(text)).slice(0, 8), assistant: [] } }
  }
}
