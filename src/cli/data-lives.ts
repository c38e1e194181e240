import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../base/errors.js'
import { recordsOf } from '../suites/memora/record.js'
import { PERSONAS } from '../suites/memora/seed.js'
import { simulate } from '../suites/memora/simulate/index.js'
import { conversationsFor } from '../suites/memora/talk/index.js'
import { type Typed, wholeNumber } from './args.js'

/** Days of a life unless said otherwise, and the most that can be asked for. */
export const DAYS = '7'
export const MOST_DAYS = 368

/** `memscope data export --suite memora`: simulated lives, one file a persona and one session a line, with the memory before and after it. */
export function exportLives(text: Typed['text'], out: string): void {
  if (text.format !== undefined && text.format !== 'jsonl')
    throw new UserError(`Lives of memora have no format "${text.format}".`, 'Leave out --format.')
  if (text.data !== undefined)
    throw new UserError('A release of memora is as it is; only simulated lives are exported.', 'Leave out --data.')
  const personas = PERSONAS.slice(0, wholeNumber('n', text.n ?? String(PERSONAS.length), 1, PERSONAS.length))
  const seed = wholeNumber('seed', text.seed ?? '42', 0)
  const days = wholeNumber('days', text.days ?? DAYS, 1, MOST_DAYS)
  const pathOf = (persona: string) => join(out, `${persona}.jsonl`)
  const there = personas.map(pathOf).find(existsSync)
  if (there !== undefined) throw new UserError(`${there} is there already.`, 'Choose an empty folder.')
  mkdirSync(out, { recursive: true })
  for (const persona of personas) {
    const trace = simulate({ persona, days, seed })
    const file = openSync(pathOf(persona), 'wx')
    try {
      const records = recordsOf(trace, conversationsFor(trace, seed))
      for (const record of records) writeSync(file, `${JSON.stringify(record)}\n`)
    } finally {
      closeSync(file)
    }
    process.stdout.write(`${pathOf(persona)}\n`)
  }
}
