import pc from 'picocolors'
import { UserError } from '../base/errors.js'
import { check as checkPart } from '../library.js'
import { escapeForTerminal } from '../report/escape.js'
import { clip } from '../report/format.js'
import { type Command, optionsFrom } from './args.js'
import { TIMEOUT_FLAG } from './flags.js'

/** `memscope check`: does a memory system, judge or reader keep its contract? */
export const check: Command = {
  name: 'check',
  about: 'check that a memory system, or a judge or reader of your own, keeps its contract',
  usage: 'check <system> | check <file>',
  flags: { json: { type: 'switch', about: 'as JSON' }, ...TIMEOUT_FLAG },
  words: 1,
  examples: ['memscope check ./my-memory.ts', 'memscope check ./my-judge.ts'],
  async run(typed) {
    const {
      words: [part],
      on,
    } = typed
    if (part === undefined)
      throw new UserError('Which system?', 'Usage: memscope check <system>, for example memscope check ./my-memory.ts')
    const { kind, label, results } = await checkPart(optionsFrom(typed, { part }))
    if (on.json) process.stdout.write(`${JSON.stringify({ [kind]: label, results }, null, 2)}\n`)
    else {
      const mark = { passed: pc.green('pass'), failed: pc.red('FAIL'), skipped: pc.dim('n/a ') }
      const told = new Set<string>()
      for (const { title, status, reason } of results) {
        process.stdout.write(`${mark[status]}  ${title}\n${reason === undefined ? '' : linesOf(reason, told)}`)
      }
      const failed = results.filter(({ status }) => status === 'failed').length
      const unmade = results.length === 1
      const contract = kind === 'system' ? 'the contract' : `the contract of a ${kind}`
      process.stdout.write(
        `\n${label}: ${failed === 0 ? `keeps ${contract}` : `${failed} of ${results.length} checks failed`}${unmade ? ', and without it nothing else can be tried' : ''}\n`,
      )
    }
    return results.some(({ status }) => status === 'failed') ? 1 : 0
  },
}

/** Most lines and characters of a line of a reason. */
const MOST_LINES = 4
const MOST_WIDE = 200

/** A reason in a few lines; one that was told before is only named as such. */
function linesOf(reason: string, told: Set<string>): string {
  if (told.has(reason)) return '      As above.\n'
  told.add(reason)
  const lines = reason.split('\n').filter((line) => line.trim() !== '')
  return lines
    .slice(0, MOST_LINES)
    .map((line) => `      ${escapeForTerminal(clip(line, MOST_WIDE))}\n`)
    .join('')
}
