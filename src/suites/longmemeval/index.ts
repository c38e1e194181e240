import { claimedFigures } from '../cited/figures.js'
import { citedSuite } from '../cited/suite.js'
import { filesIn } from './files.js'

const ONLY =
  'Get longmemeval_s, longmemeval_m or longmemeval_oracle.json as https://github.com/xiaowu0162/LongMemEval tells (MIT).'

/** LongMemEval: a user and an assistant over many sessions, and one question a history. */
export const longmemeval = citedSuite({
  name: 'longmemeval',
  about: 'a user and an assistant over 40 to 500 sessions: what each said, what changed, what adds up, and when',
  paper: 'LongMemEval, arXiv 2410.10813',
  tasks: [
    { name: 'single-session-user', about: 'what the user said in one session' },
    { name: 'single-session-assistant', about: 'what the assistant said in one session' },
    { name: 'single-session-preference', about: 'advice that follows what the user likes' },
    { name: 'multi-session', about: 'what adds up over several sessions' },
    { name: 'knowledge-update', about: 'what holds now, after it changed' },
    { name: 'temporal-reasoning', about: 'when something was: turns, and the days they were said' },
    { name: 'abstention', about: 'what nobody said' },
  ],
  flags: {
    file: {
      default: 'auto',
      values: ['auto', 's', 'm', 'oracle'],
      tag: 'file',
      about: 'which of its files, where a folder has several',
    },
  },
  unit: 'questions',
  quick: 24,
  expected: 'longmemeval_s.json, longmemeval_m.json or longmemeval_oracle.json, as released or cleaned',
  only: ONLY,
  holds: (folder) => filesIn(folder).length > 0,
  read: async (options) => (await import('./read.js')).readLongMemEval(options),
  figures: () => claimedFigures(new URL('./figures.json', import.meta.url)),
})
