import pc from 'picocolors'
import { UserError } from '../base/errors.js'
import { openEndpoint } from '../gateway/index.js'
import { hasModelInside } from '../model/index.js'
import { plain } from '../report/escape.js'
import { clip } from '../report/format.js'
import { modelChecks } from '../systems/conformance/model-checks.js'
import { checkSystem } from '../systems/conformance/run.js'
import { requirePackages, resolveSystem } from '../systems/registry.js'
import type { Command } from './args.js'
import { systemMsFrom, TIMEOUT_FLAG } from './system-timeout.js'

/** Checks that have no bearing on a system without a model, and why. */
const WITHOUT_MODEL = Object.fromEntries(Object.keys(modelChecks).map((name) => [name, 'It has no model inside.']))

/** `memscope check`: does a memory system keep the contract? */
export const check: Command = {
  name: 'check',
  about: 'check that a memory system keeps the contract',
  usage: 'check <system>',
  flags: { json: { type: 'switch', about: 'as JSON' }, ...TIMEOUT_FLAG },
  words: 1,
  examples: ['memscope check ./my-memory.ts'],
  async run(typed) {
    const {
      words: [spec],
      on,
    } = typed
    if (spec === undefined)
      throw new UserError('Which system?', 'Usage: memscope check <system>, for example memscope check ./my-memory.ts')
    const timeoutMs = systemMsFrom(typed)
    const { definition, options, label } = await resolveSystem(spec, process.cwd(), timeoutMs)
    requirePackages(definition, process.cwd())
    const results = await checkSystem({
      name: label,
      definition,
      options,
      endpoint: openEndpoint,
      timeoutMs,
      ...(!(await hasModelInside(definition, options)) && { skip: WITHOUT_MODEL }),
    })
    if (on.json) process.stdout.write(`${JSON.stringify({ system: label, results }, null, 2)}\n`)
    else {
      const mark = { passed: pc.green('pass'), failed: pc.red('FAIL'), skipped: pc.dim('n/a ') }
      const told = new Set<string>()
      for (const { title, status, reason } of results) {
        process.stdout.write(`${mark[status]}  ${title}\n${reason === undefined ? '' : linesOf(reason, told)}`)
      }
      const failed = results.filter(({ status }) => status === 'failed').length
      const unmade = results.length === 1
      process.stdout.write(
        `\n${label}: ${failed === 0 ? 'keeps the contract' : `${failed} of ${results.length} checks failed`}${unmade ? ', and without it nothing else can be tried' : ''}\n`,
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
    .map((line) => `      ${plain(clip(line, MOST_WIDE))}\n`)
    .join('')
}
