import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import { askedAbout, daysFrom, personasFrom } from '../suites/memora/load.js'
import { TASKS } from '../suites/memora/questions/index.js'
import { questionRecordsOf, recordsOf } from '../suites/memora/record.js'
import { PERSONAS, type PersonaId } from '../suites/memora/seed.js'
import { simulate } from '../suites/memora/simulate/index.js'
import { tellLife } from '../suites/memora/talk/index.js'
import { type Typed, wholeNumber } from './args.js'
import { isOutputClosed, writeOutput } from './streams.js'
import { writeWhole } from './whole-file.js'

/** Days of a life unless said otherwise. */
export const DAYS = '7'

/** A life that is exported, and the name of its files without an ending. */
interface Life {
  persona: PersonaId
  days: number
  seed: number
  name: string
}

/**
 * `memscope data export --suite memora`: simulated lives, each in two files: a session a line with the memory before and after it, and a
 * question a line with what a right answer is. Without a folder both go to standard output, every line with its persona and days.
 */
export async function exportLives(text: Typed['text'], out: string | null): Promise<void> {
  const lives = livesFrom(text)
  if (out === null) {
    for (const life of lives) {
      if (isOutputClosed()) break
      const { persona, days } = life
      const { sessions, questions } = await recordsFor(life)
      for (const record of [...sessions, ...questions])
        await writeOutput(`${JSON.stringify({ persona, days, ...record })}\n`)
    }
    return
  }
  const pathsOf = ({ name }: Life) => [join(out, `${name}.jsonl`), join(out, `${name}.questions.jsonl`)] as const
  const there = lives.flatMap(pathsOf).find((path) => existsSync(path))
  if (there !== undefined) throw new UserError(`${there} is there already.`, 'Choose an empty folder.')
  makeFolder(out)
  for (const life of lives) {
    const { sessions, questions } = await recordsFor(life)
    const [told, asked] = pathsOf(life)
    await writeLines(told, sessions)
    await writeLines(asked, questions)
    process.stdout.write(`${told}\n${asked}\n`)
  }
}

function livesFrom(text: Typed['text']): Life[] {
  if (text.format !== undefined && text.format !== 'jsonl')
    throw new UserError(`Lives of memora have no format "${text.format}".`, 'Leave out --format.')
  if (text.data !== undefined)
    throw new UserError('A release of memora is as it is; only simulated lives are exported.', 'Leave out --data.')
  if (text.n !== undefined && text.personas !== undefined)
    throw new UserError('--n and --personas both say whose lives are exported.', 'Leave out one of them.')
  const n = wholeNumber('n', text.n ?? String(PERSONAS.length), 1, PERSONAS.length)
  const seed = wholeNumber('seed', text.seed ?? '42', 0)
  const durations = daysFrom(text.days ?? DAYS)
  return personasFrom(text.personas ?? 'all', n).flatMap((persona) =>
    durations.map((days) => ({
      ...{ persona, days, seed },
      name: durations.length === 1 ? persona : `${persona}.${days}d`,
    })),
  )
}

async function recordsFor({ persona, days, seed }: Life): Promise<Record<'sessions' | 'questions', Iterable<object>>> {
  const trace = simulate({ persona, days, seed })
  const talks = await tellLife(trace, seed)
  return {
    sessions: recordsOf(trace, talks),
    questions: questionRecordsOf(await askedAbout(trace, talks, { seed, tasks: TASKS })),
  }
}

function writeLines(path: string, records: Iterable<object>): Promise<void> {
  return writeWhole(path, async (write) => {
    for (const record of records) await write(`${JSON.stringify(record)}\n`)
  })
}
