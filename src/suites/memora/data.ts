import { UserError } from '../../base/errors.js'
import { mapGivingWay } from '../../base/give-way.js'
import { wholeNumber } from '../../base/whole-number.js'
import type { DataFile, LintedCorpus, LintOptions, WriteOptions } from '../../model/index.js'
import { linted } from '../lint-report.js'
import { lintGeneratedLives } from './lint/own.js'
import { lintPublished } from './lint/published.js'
import { askedAbout, daysFrom, personasFrom } from './load.js'
import { questionRecordsOf, recordsOf } from './record.js'
import { PERSONAS } from './seed.js'
import { type LifeOptions, simulate } from './simulate/index.js'
import { tellSessions } from './talk/talk.js'
import { TASKS } from './trace.js'

/** Days of a life unless said otherwise. */
const DAYS = '7'

/** Checks the lives of a release, or those that are simulated here. */
export async function* lintLives({ tasks, data, seed, extra, embedder }: LintOptions): AsyncGenerator<LintedCorpus> {
  if (tasks) throw new UserError('Lives of memora have questions of all tasks.', 'Give --suite memora.')
  const personas = personaCount(extra.n)
  const [days = 0, ...others] = daysFrom(extra.days ?? DAYS)
  if (others.length > 0) throw new UserError('Lives of one duration are checked at a time.', 'Give --days one number.')
  const reports =
    data === undefined
      ? [await lintGeneratedLives({ seed, days, personas, embedder: await embedder() })]
      : lintPublished(data)
  yield* reports.map(linted)
}

/** A life that is exported, and the name of its files without an ending. */
type Life = LifeOptions & { name: string }

/**
 * Simulated lives, each in two files: a session a line with the memory before and after it, and a question a line with what a right answer
 * is. On standard output every line has its persona and days.
 */
export async function exportLives(options: WriteOptions): Promise<DataFile[]> {
  return livesFrom(options).flatMap((life) => {
    let records: Awaited<ReturnType<typeof recordsFor>> | undefined
    const { name, persona, days } = life
    const lines = async function* (kind: 'sessions' | 'questions') {
      records ??= await recordsFor(life)
      for (const record of records[kind])
        yield `${JSON.stringify(options.stdout ? { persona, days, ...record } : record)}\n`
      // One life stands in memory at a time.
      if (kind === 'questions') records = undefined
    }
    return [
      { path: `${name}.jsonl`, lines: lines('sessions') },
      { path: `${name}.questions.jsonl`, lines: lines('questions') },
    ]
  })
}

function livesFrom({ data, seed, extra: { format, n, personas, days: given = DAYS } }: WriteOptions): Life[] {
  if (format !== undefined && format !== 'jsonl')
    throw new UserError(`Lives of memora have no format "${format}".`, 'Leave out --format.')
  if (data !== undefined)
    throw new UserError('A release of memora is as it is; only simulated lives are exported.', 'Leave out --data.')
  if (n !== undefined && personas !== undefined)
    throw new UserError('--n and --personas both say whose lives are exported.', 'Leave out one of them.')
  const durations = daysFrom(given)
  return personasFrom(personas ?? 'all', personaCount(n)).flatMap((persona) =>
    durations.map((days) => {
      const name = durations.length === 1 ? persona : `${persona}.${days}d`
      return { persona, days, seed, name }
    }),
  )
}

const personaCount = (n = String(PERSONAS.length)): number => wholeNumber('n', n, 1, PERSONAS.length)

async function recordsFor(life: Life): Promise<Record<'sessions' | 'questions', Iterable<object>>> {
  const trace = simulate(life)
  const talks = await mapGivingWay(tellSessions(trace, life.seed), (session) => session)
  const scenario = await askedAbout(trace, talks, { seed: life.seed, tasks: TASKS })
  return { sessions: recordsOf(trace, talks), questions: questionRecordsOf(scenario) }
}
