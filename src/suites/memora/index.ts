import { UserError } from '../../base/errors.js'
import { defineSuite, type TaskInfo } from '../../model/index.js'
import { criterionStages } from './attribution.js'
import { holdsLives } from './holds-lives.js'
import { memoraBesidePaper } from './paper-tables.js'
import { holdsRelease } from './published/read.js'
import { memoraFindings, memoraSections } from './report.js'
import { overallMemora, SCORES, scoreMemora } from './score.js'
import { PERSONAS } from './seed.js'

function task(name: string, about: string): TaskInfo {
  return { name, about, paperK: [50], breakdowns: ['subtype', 'duration', 'persona'] }
}

/** Memora: weeks to months of one life, in which what was remembered is changed and withdrawn. */
export const memora = defineSuite({
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
  ownScore: 'fama',
  unit: 'personas',
  clusters: { unit: 'life', of: (_, { id }) => id },
  flags: {
    days: {
      default: 'auto',
      tag: 'duration',
      several: true,
      isTyped: true,
      about: 'days of a life: 7, 28 and 92 as in the paper, any other number, or several; 4 in quick runs, else 7',
    },
    personas: { default: 'all', tag: 'persona', several: true, about: 'whose lives: all ten, or some by name' },
  },
  release: {
    expected:
      '<weekly|monthly|quarterly>/<persona>/conversations/session_0001.json, or lives that models told, <persona>.life.jsonl',
    holds: (folder) => holdsRelease(folder) || holdsLives(folder),
  },
  refuse({ data, size, extra }, { alone }) {
    const isAll = (extra.personas ?? 'all') === 'all'
    if (data !== undefined || !alone || !isAll || typeof size !== 'number' || size <= PERSONAS.length) return
    throw new UserError(
      `--size ${size} asks for more personas than memora has.`,
      `There are ${PERSONAS.length}: ${PERSONAS.join(', ')}.`,
    )
  },
  data: {
    lint: {
      unit: 'lives',
      flags: {
        n: { value: '<n>', about: 'personas (default 10)' },
        days: { value: '<n>', about: 'days of a life (default 7)' },
      },
      async *run(options) {
        yield* (await import('./data.js')).lintLives(options)
      },
    },
    generate: {
      flags: {
        days: { value: '<n>', about: 'with models: days of a life (default 7)' },
        personas: { value: '<names>', about: 'with models: whose lives (default all, or the first --target)' },
      },
      paperModels: {
        generator: 'openrouter:google/gemini-2.5-flash',
        auditor: 'openrouter:anthropic/claude-sonnet-4.5',
        judge: [
          'openrouter:anthropic/claude-sonnet-4.5',
          'openrouter:google/gemini-2.5-flash',
          'openrouter:openai/gpt-4.1-mini',
        ],
      },
      run: async (options) => (await import('./pipeline/index.js')).makeLives(options),
    },
    async review(folder) {
      return (await import('./pipeline/lives.js')).reviewLives(folder)
    },
    export: {
      flags: {
        n: { value: '<n>', about: 'the first personas (default 10)' },
        days: { value: '<n>', about: 'days of a life, or several (default 7)' },
        personas: { value: '<names>', about: 'whose lives (default all, or the first --n)' },
        format: { value: 'jsonl', about: 'no other than ours' },
      },
      run: async (options) => (await import('./data.js')).exportLives(options),
    },
  },
  // Making a suite's scenarios is most of its code: it is read when they are asked for.
  load: async (options) => {
    if (options.data === undefined) return (await import('./load.js')).loadOwn(options)
    if (holdsLives(options.data)) return (await import('./pipeline/lives.js')).loadLives(options, options.data)
    return (await import('./published/index.js')).loadPublished(options)
  },
  scores: SCORES,
  score: scoreMemora,
  criteria: criterionStages,
  overall: overallMemora,
  findings: memoraFindings,
  sections: memoraSections,
  besidePaper: memoraBesidePaper,
})
