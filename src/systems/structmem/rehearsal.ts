import { sentences, words } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { dataIn, itemsIn } from '../parts/index.js'

/** Entries that a model makes of one portion at most, and characters of a summary. */
const MOST = 30
const SUMMARY = 1_500

/** Takes every sentence for a fact and every turn for a relation, and leaves what is alike as it is. */
export const structMemRehearsal: Rehearsal = ({ step, prompt }) => {
  const { dialogue, entries, related } = dataIn(prompt)
  if (step === 'update') return { json: { action: 'ignore', new_memory: null } }
  if (step === 'summarise') {
    const told = [...itemsIn(entries), ...itemsIn(related)].map(({ text }) => text)
    return { text: `This is what was recorded, in the order of time. ${told.join(' ')}`.slice(0, SUMMARY) }
  }
  const said = itemsIn(dialogue).flatMap(({ text }) => {
    const [, number, spoken] = /^(\d+)\.user: ([\s\S]*)$/.exec(text) ?? []
    return number === undefined ? [] : [{ source_id: Number(number), spoken: spoken! }]
  })
  const data =
    step === 'factual'
      ? said.flatMap(({ source_id, spoken }) =>
          sentences(spoken).map((sentence) => ({ source_id, fact: `User says: ${sentence}` })),
        )
      : said.map(({ source_id, spoken }) => {
          const about = words(spoken.slice(0, 1_000)).filter((word) => word.length > 4)
          return { source_id, relation: `User confides in the assistant about ${about.slice(0, 3).join(', ')}` }
        })
  return { json: { data: data.slice(0, MOST) } }
}
