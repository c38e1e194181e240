import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { defineSuite, type Question, type ReferenceSeries } from '../../model/index.js'
import { releasePath } from './findings.js'
import { guessers } from './guessers.js'
import { chosenLetter } from './letter.js'
import { TASKS } from './material.js'
import { ownFile, rowKind } from './own.js'

/** MemFail: memory as summarise, store and retrieve; five adversarial datasets over four tasks. */
export const memfail = defineSuite({
  name: 'memfail',
  version: '1',
  about: 'rules, coexisting preferences, personas and chains of facts, each stored apart',
  paper: 'MemFail, arXiv 2605.26667',
  defaultK: [5],
  tourK: [1, 3, 5, 10],
  ownScore: 'success',
  tasks: [
    {
      name: 'conditional-easy',
      about: 'a rule with a condition, stated in one sentence of an essay',
      paperK: [1, 3, 5, 10, 15, 20],
      breakdowns: ['condition type'],
    },
    {
      name: 'conditional-hard',
      about: 'the same kind of rule, spread over three sentences',
      paperK: [2, 3, 5, 10, 15, 20],
      breakdowns: ['condition type'],
    },
    {
      name: 'coexisting',
      about: 'two to five preferences of one kind that hold side by side',
      paperK: [3, 5, 10, 15, 20],
      breakdowns: ['N'],
    },
    {
      name: 'persona',
      about: 'details of one person among many, and people nobody spoke of',
      paperK: [1, 3, 5, 10, 15, 20],
      breakdowns: ['kind'],
    },
    {
      name: 'long-hop',
      about: 'an answer at the end of a chain of facts',
      paperK: [2, 3, 5, 10, 20],
      breakdowns: ['K'],
    },
  ],
  unit: 'rows',
  clusters: { unit: 'row', of: rowOf },
  groups: { conditional: ['conditional-easy', 'conditional-hard'] },
  flags: {
    pack: { default: '1', about: 'facts a conversation, never two of one chain' },
    replies: {
      default: 'none',
      values: ['none', 'ack', 'model'],
      about: 'what the assistant says after each fact; model: what the first --reader replies',
      taker: 'model',
    },
  },
  guessers,
  release: {
    expected: 'the CSV files of its release, such as long_hop/long_hop_chains.csv, or our rows, such as long-hop.jsonl',
    holds: holdsRows,
  },
  data: {
    lint: {
      unit: 'rows',
      async *run(options) {
        yield* (await import('./data.js')).lintRows(options)
      },
    },
    generate: {
      flags: {
        n: { value: '<n>', about: 'how many rows (default 1000)' },
        diversity: { about: 'print how alike the rows are instead of writing them' },
      },
      paperModels: {
        conditional: 'openai:gpt-4.1-mini',
        'conditional-easy': 'openai:gpt-4.1-mini',
        'conditional-hard': 'openai:gpt-5-mini',
        coexisting: 'openai:gpt-4.1-mini',
        persona: 'openai:gpt-5-mini',
        'long-hop': 'openai:gpt-5',
        'long-hop-conflicts': 'openai:gpt-5',
        'long-hop-distractors': 'openai:gpt-5',
        auditor: 'openai:gpt-5-mini',
      },
      run: async (options) => (await import('./data.js')).writeRows(options),
    },
    async review(folder) {
      return (await import('./pipeline/review.js')).reviewRows(folder)
    },
    export: {
      flags: {
        format: {
          value: 'jsonl|published|gold',
          about: 'our layout (default), the authors’ CSV, or labelled cases for judge eval',
        },
      },
      run: async (options) => (await import('./data.js')).exportRows(options),
    },
  },
  // Making a suite's scenarios is most of its code: it is read when they are asked for.
  load: async (options) => (await import('./load.js')).load(options),
  references,
  grade(question, answer) {
    if (question.gold.kind !== 'choice') return null
    const letter = chosenLetter(answer)
    if (letter === null) return { grade: 'error', reason: 'no letter in the answer' }
    const right = letter === question.gold.letter
    return { grade: right ? 'right' : 'wrong', reason: `chose ${letter}, ${question.gold.letter} is right` }
  },
})

/** The row or chain of a question. Facts name theirs; who asks of nobody is known by the question. */
function rowOf({ id, needs: [first], tempting }: Question): string {
  const fact = first?.[0] ?? tempting?.[0]
  return fact === undefined ? id.replace(/\.\d+$/, '') : fact.replace(/#\d+$/, '')
}

const Published = z.object({
  series: z.array(
    z.object({
      model: z.string(),
      task: z.enum(TASKS),
      subset: z.string().optional(),
      system: z.string(),
      n: z.number(),
      points: z.array(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])),
    }),
  ),
})

function references(): ReferenceSeries[] {
  const { series } = readData(new URL('./published-counts.json', import.meta.url), Published)
  return series.map(({ n, points, ...rest }) => ({
    source: 'MemFail, published figures',
    ...rest,
    points: points.map(([k, correct, not_stored, summary_error, not_retrieved, reasoning_error]) => ({
      k,
      n,
      correct,
      counts: { not_stored, summary_error, not_retrieved, reasoning_error },
    })),
  }))
}

/** Whether a folder holds rows of some task, in the authors' layout or in ours. */
function holdsRows(folder: string): boolean {
  const files = TASKS.flatMap((task) => [releasePath(task), ownFile(rowKind(task))])
  return files.some((file) => existsSync(join(folder, file)))
}
