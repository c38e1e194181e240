import { citedSuite } from '../cited/suite.js'
import { fileIn } from '../read-files.js'

/** Name of the file that an imported dataset is. */
export const OWN_FILE = 'own.jsonl'

/** One's own conversations and questions, imported by `memscope data import`. */
export const own = citedSuite({
  name: 'own',
  about: 'your own conversations, and questions that cite the turns or sentences that answer them',
  paper: '',
  tasks: [
    { name: 'cited', about: 'what cited turns answer', breakdowns: ['category'] },
    { name: 'unanswerable', about: 'what nobody said', breakdowns: ['category'] },
  ],
  quick: 2,
  expected: `${OWN_FILE}, made by memscope data import`,
  only: 'Make some of your conversations: memscope data import my.jsonl --out my-data',
  holds: (folder) => fileIn(folder, [OWN_FILE]) !== undefined,
  read: async (options) => (await import('./read.js')).readOwnChats(options),
  data: { import: { run: async (options) => (await import('./read.js')).importOwn(options) } },
})
