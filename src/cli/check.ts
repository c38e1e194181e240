import pc from 'picocolors'
import { UserError } from '../base/errors.js'
import { type CheckResult, check as checkPart } from '../library.js'
import { escapeForTerminal } from '../report/escape.js'
import { clipText } from '../report/format.js'
import { type Command, JSON_SWITCH, optionsFrom, printJson } from './args.js'
import { TIMEOUT_FLAG } from './flags.js'

/** `memscope check`: does a memory system, judge or reader keep its contract? */
export const check: Command = {
  name: 'check',
  about: 'check that a memory system, or a judge or reader of your own, keeps its contract',
  usage: 'check <system> | check <file>',
  flags: { ...JSON_SWITCH, ...TIMEOUT_FLAG },
  words: 1,
  examples: [
    'memscope check ./my-memory.ts',
    'memscope check py:my_module:MyMemory',
    'memscope check "cmd:./server"',
    'memscope check ./my-judge.ts',
  ],
  async run(typed) {
    const [part] = typed.words
    if (part === undefined)
      throw new UserError('Which system?', 'Usage: memscope check <system>, for example memscope check ./my-memory.ts')
    const { kind, label, results, notes = [], times = [] } = await checkPart(optionsFrom(typed, { part }))
    const failed = results.filter(({ status }) => status === 'failed').length
    if (typed.on.json) printJson({ [kind]: label, results, ...(times.length > 0 && { notes, times }) })
    else {
      const mark = { passed: pc.green('pass'), failed: pc.red('FAIL'), skipped: pc.dim('n/a ') }
      const told = new Set<string>()
      for (const { title, status, reason } of results)
        process.stdout.write(`${mark[status]}  ${title}\n${reason === undefined ? '' : linesOf(reason, told)}`)
      if (notes.length > 0)
        process.stdout.write(`\n${notes.map((note) => `note  ${escapeForTerminal(note)}\n`).join('')}`)
      if (times.length > 0) process.stdout.write(`\n${timesText(times)}`)
      const contract = kind === 'system' ? 'the contract' : `the contract of a ${kind}`
      const found = failed === 0 ? `keeps ${contract}` : `${failed} of ${results.length} checks failed`
      const alone = results.length === 1 ? ', and without it nothing else can be tried' : ''
      process.stdout.write(`\n${label}: ${found}${alone}\n`)
    }
    return failed > 0 ? 1 : 0
  },
}

/** How long calls took, a line a method. */
function timesText(times: NonNullable<CheckResult['times']>): string {
  const lines = times.map(({ method, n, median, longest }) =>
    [
      method.padEnd(10),
      `${n} calls`.padStart(11),
      `${millis(median)} ms`.padStart(10),
      `${millis(longest)} ms`.padStart(10),
    ].join(''),
  )
  return [`${''.padEnd(21)}${'median'.padStart(10)}${'longest'.padStart(10)}`, ...lines]
    .map((line) => `${line}\n`)
    .join('')
}

function millis(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0)
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
    .map((line) => `      ${escapeForTerminal(clipText(line, MOST_WIDE))}\n`)
    .join('')
}
