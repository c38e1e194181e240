import type { Rehearsal } from '../../model/index.js'
import { bulletsIn, dataIn, itemsIn, userSentences } from '../parts/index.js'
import { TOPICS } from './topics.js'

/** Entries that a model finds in one conversation at most. */
const MOST = 8
const SLOTS = Object.entries(TOPICS).flatMap(([topic, subtopics]) => subtopics.map((subtopic) => ({ topic, subtopic })))

/** Takes every sentence of the user for an entry and a memo, in a slot by its length; what is new is appended. */
export const memobaseRehearsal: Rehearsal = ({ step, prompt }) => {
  const data = dataIn(prompt)
  switch (step) {
    case 'log': {
      const facts = userSentences(data.conversation).slice(0, MOST)
      return { json: { entries: facts.map((fact) => ({ fact, kind: 'info', date: null })) } }
    }
    case 'extract': {
      const memos = bulletsIn(data.entries).map((entry) => entry.replace(/ \[mentioned [^\]]*\] \/\/ \w+$/, ''))
      return { json: { facts: memos.map((memo) => ({ ...SLOTS[memo.length % SLOTS.length]!, memo })) } }
    }
    case 'merge': {
      const count = (data.slots ?? '').match(/^\[\d+\]/gm)?.length ?? 0
      const actions = Array.from({ length: count }, (_, number) => ({ number, action: 'APPEND', memo: '' }))
      return { json: { actions } }
    }
    case 'organise': {
      const slots = bulletsIn(data.slots).map((line) => /^.*?::(.*?): ([\s\S]*)$/.exec(line)!)
      return { json: { slots: slots.slice(0, 10).map(([, subtopic, memo]) => ({ subtopic, memo })) } }
    }
    case 'pick':
      return { json: { numbers: [...itemsIn(data.slots).slice(0, 10).keys()] } }
    default:
      return { json: { memo: bulletsIn(data.memo).join(' ').slice(0, 300) } }
  }
}
