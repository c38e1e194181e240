import type { Suite, TaskInfo } from '../../model/index.js'
import { criterionStages } from './attribution.js'
import { figures } from './figures.js'
import { holdsRelease } from './published/read.js'
import { overallMemora, scoreMemora } from './score.js'

function task(name: string, about: string): TaskInfo {
  return { name, about, paperK: [50], breakdowns: ['subtype', 'duration', 'persona'] }
}

/** Memora: weeks to months of one life, in which what was remembered is changed and withdrawn. */
export const memora: Suite = {
  name: 'memora',
  version: '1',
  about: 'weeks to months of one life: what holds now, what adds up, what must be forgotten',
  paper: 'Memora, arXiv 2604.20006',
  defaultK: [50],
  tourK: [10, 50],
  tasks: [
    task('remembering', 'open tasks, events ahead and finished documents as they stand now'),
    task('reasoning', 'totals, averages, budgets and goals from many entries'),
    task('recommending', 'suggestions that follow present likes, and no former ones'),
  ],
  extras: {
    days: {
      default: 'auto',
      values: [],
      about: 'days of a life: 7, 28 and 92 as in the paper, any other number, or several; 4 in quick runs, else 7',
    },
    personas: { default: 'all', values: [], about: 'whose lives: all ten, or some by name' },
  },
  guessers: [],
  holds: holdsRelease,
  // Making a suite's scenarios is most of its code: it is read when they are asked for.
  load: async (options) =>
    options.data === undefined
      ? (await import('./load.js')).loadOwn(options)
      : (await import('./published/index.js')).loadPublished(options),
  references: () => [],
  figures,
  score: scoreMemora,
  criteria: criterionStages,
  overall: overallMemora,
  grade: () => null,
}
