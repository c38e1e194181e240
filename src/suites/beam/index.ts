import { claimedFigures } from '../cited/figures.js'
import { citedSuite } from '../cited/suite.js'
import { chatsIn } from './files.js'

const ONLY =
  'Get the folder chats of https://github.com/mohammadtavakoli78/BEAM (its snapshot states no licence: see the card of the dataset at Hugging Face).'

/** BEAM: one long chat with an assistant, of up to ten million tokens, and ten abilities asked of it. */
export const beam = citedSuite({
  name: 'beam',
  about: 'one chat with an assistant of 100 thousand to 10 million tokens, and ten abilities asked of it',
  paper: 'BEAM, arXiv 2510.27246',
  tasks: [
    { name: 'abstention', about: 'what was never said' },
    { name: 'contradiction-resolution', about: 'two statements that cannot both hold: both are needed' },
    { name: 'event-ordering', about: 'in which order things came up' },
    { name: 'information-extraction', about: 'a detail that was said once' },
    { name: 'instruction-following', about: 'an instruction of long ago that still holds' },
    { name: 'knowledge-update', about: 'what holds now, after it changed' },
    { name: 'multi-session-reasoning', about: 'what adds up over distant turns' },
    { name: 'preference-following', about: 'advice that follows what the user prefers' },
    { name: 'summarization', about: 'how something went on over many turns' },
    { name: 'temporal-reasoning', about: 'how far two events lie apart' },
  ],
  flags: {
    chats: { default: 'all', tag: 'size', several: true, about: 'how long: all, or some of 100K, 500K, 1M and 10M' },
  },
  quick: 1,
  rubric: true,
  expected: '<100K|500K|1M|10M>/<n>/chat.json with probing_questions/probing_questions.json beside it',
  only: ONLY,
  holds: (folder) => chatsIn(folder).length > 0,
  read: async (options) => (await import('./read.js')).readBeam(options),
  figures: () => claimedFigures(new URL('./figures.json', import.meta.url)),
})
