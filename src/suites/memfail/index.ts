import { z } from 'zod'
import { readData } from '../../base/data.js'
import { UserError } from '../../base/errors.js'
import { mapGivingWay } from '../../base/give-way.js'
import { fingerprint } from '../../base/hash.js'
import type { LoadedSuite, ReferenceSeries, Suite, SuiteOptions } from '../../model/index.js'
import { compile } from './compile.js'
import { guessers } from './guessers.js'
import { chosenLetter } from './letter.js'
import { holdsRows, loadTask } from './load.js'
import { TASKS } from './material.js'
import { resize } from './resize.js'

const MOST_PACKED = 1000

/** MemFail: memory as summarise, store and retrieve; five adversarial datasets over four tasks. */
export const memfail: Suite = {
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
  extras: {
    pack: { default: '1', values: [], about: 'facts a conversation, never two of one chain' },
    replies: { default: 'none', values: ['none', 'ack'], about: 'what the assistant says after each fact' },
  },
  guessers,
  holds: holdsRows,
  load,
  references,
  grade(question, answer) {
    if (question.gold.kind !== 'choice') return null
    const letter = chosenLetter(answer)
    if (letter === null) return { grade: 'error', reason: 'no letter in the answer' }
    const right = letter === question.gold.letter
    return { grade: right ? 'right' : 'wrong', reason: `chose ${letter}, ${question.gold.letter} is right` }
  },
}

async function load(options: SuiteOptions): Promise<LoadedSuite> {
  const pack = Number(options.extra.pack ?? '1')
  if (!Number.isInteger(pack) || pack < 1 || pack > MOST_PACKED) {
    throw new UserError(`Expected --pack to be a whole number from 1 to ${MOST_PACKED}, got "${options.extra.pack}".`)
  }
  const replies = options.extra.replies === 'ack' ? 'ack' : 'none'
  const tasks = TASKS.filter((task) => !options.tasks || options.tasks.includes(task))
  const materials = await mapGivingWay(tasks, (task) =>
    resize(loadTask(task, options.data, options.view), options.size),
  )
  return {
    scenarios: await mapGivingWay(materials, (material) => compile(material, { seed: options.seed, pack, replies })),
    datasetHash: fingerprint(materials.map(({ task, hash, rows }) => [task, hash, rows.length])),
    audit: materials.flatMap(({ audit }) => audit),
  }
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
