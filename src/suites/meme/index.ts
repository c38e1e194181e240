import { defineSuite, type TaskInfo } from '../../model/index.js'
import { holdsRelease } from './published/read.js'
import { memeBesidePaper } from './report.js'
import { answerScore, overallMeme, SCORES, scoreMeme } from './score.js'

const DEPTHS = [5, 10, 20, 40]

function task(name: string, about: string, breakdowns: string[] = []): TaskInfo {
  return { name, about, paperK: DEPTHS, breakdowns: ['filler', 'domain', ...breakdowns] }
}

const EPISODE_FLAGS = {
  n: { value: '<n>', about: 'episodes of both domains (default 100)' },
  filler: { value: 'none|32k|128k', about: 'how much filler (default none, with --fillers 32k)' },
  fillers: { value: '<folder>', about: 'conversations to take as filler; models look them through for conflicts' },
}

/** MEME: facts that depend on one another, and what becomes of them when the world changes. */
export const meme = defineSuite({
  name: 'meme',
  version: '1',
  about: 'facts that depend on one another: changes that spread, series, deletions, exact strings',
  paper: 'MEME, arXiv 2605.12477',
  defaultK: [5],
  tourK: [5, 10, 20],
  stratum: 'domain',
  timeline: true,
  tasks: [
    task('exact-recall', 'a string to be kept word for word'),
    task('aggregation', 'three facts told apart, asked for together'),
    task('tracking', 'all values of one thing, from earliest to latest'),
    task('deletion', 'a value the user asked to forget'),
    task('cascade', 'a value that follows from a rule and a change', ['hops']),
    task('absence', 'a value that cannot be known after a change', ['hops']),
    task('control-unchanged', 'a dependent whose parent did not change'),
    task('control-hypothetical', 'a dependent whose parent was only thought of changing'),
    task('control-revoked', 'a dependent whose parent was to change, which was taken back'),
    task('conditioned-cascade', 'a value that follows from a rule for one new value'),
    task('implicit-absence', 'absence where the dependency is only hinted at'),
    task('before', 'what was known before the change'),
  ],
  unit: 'episodes',
  // An episode is told again with every amount of filler.
  clusters: { unit: 'episode', of: (_, { id }) => id.replace(/@[^@]*$/, '') },
  flags: {
    filler: {
      default: 'auto',
      tag: 'filler',
      light: 'none',
      several: true,
      isTyped: true,
      about:
        'conversations without bearing: none, or thousands of tokens such as 32k, or several of these; none in quick runs, else 32k',
    },
    fillers: { default: '', about: 'a folder of conversations to take as filler instead of our own' },
  },
  release: {
    expected:
      'meme_nofiller.json, meme_filler32k.json, meme_filler128k.json or skeletons.json, or unpacked, such as filler32k_pl/episode_001.json',
    holds: holdsRelease,
  },
  data: {
    lint: {
      unit: 'episodes',
      flags: { n: { value: '<n>', about: 'episodes a domain (default 450)' } },
      async *run(options) {
        yield* (await import('./data.js')).lintEpisodes(options)
      },
    },
    generate: {
      flags: {
        ...EPISODE_FLAGS,
        graph: { value: '<file>', about: 'with models: a graph of your own instead of ours' },
        conditionals: {
          value: 'explicit|implicit|none',
          about: 'with models: how dependencies are told (default explicit)',
        },
      },
      paperModels: {
        generator: 'openai:gpt-4o',
        auditor: 'google:gemini-2.5-flash',
        'filler-conflict': 'openai:gpt-4o-mini',
      },
      run: async (options) => (await import('./pipeline/index.js')).writeEpisodes(options),
    },
    export: {
      flags: EPISODE_FLAGS,
      run: async (options) => (await import('./pipeline/index.js')).writeEpisodes(options),
    },
    async review(folder) {
      return (await import('./pipeline/review.js')).reviewEpisodes(folder)
    },
  },
  // Making a suite's scenarios is most of its code: it is read when they are asked for.
  load: async (options) =>
    options.data === undefined
      ? (await import('./load.js')).loadOwn(options)
      : (await import('./published/index.js')).loadPublished(options),
  scores: SCORES,
  score: scoreMeme,
  answerScore,
  overall: overallMeme,
  besidePaper: memeBesidePaper,
})
