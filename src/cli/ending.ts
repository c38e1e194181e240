import { UserError } from '../base/errors.js'
import { printable } from '../base/text.js'
import { withoutSecrets } from '../library/secrets.js'
import { removeUnfinished } from '../library/whole-file.js'
import { LlmError } from '../model/index.js'
import { faultInWords, faultReport } from './faults.js'
import { outliveReaders, outputFailure } from './streams.js'

/** Exit codes, as `--help` tells them. */
export const EXIT_CODES: readonly [code: string, about: string][] = [
  ['0', 'done'],
  ['1', 'a gate failed (--fail-under, --baseline), a check failed, or a rule of data is broken'],
  ['2', 'bad usage or configuration; nothing was run'],
  ['3', 'the run is invalid or could not be completed; what was kept is kept'],
  ['70', 'a fault in Memscope; the message says what to send'],
  ['130', 'interrupted by Ctrl-C; 143 when stopped by SIGTERM'],
]

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Runs a command and ends the process as scripts rely on: with the command's own exit code, mistakes in a few words on standard error, and
 * no half-written file. Whether anybody still reads changes nothing.
 */
export async function runAndExit(command: () => Promise<number>): Promise<void> {
  outliveReaders()
  let ended = false
  process.on('exit', removeUnfinished)
  for (const [signal, code] of Object.entries(SIGNALS) as [keyof typeof SIGNALS, number][]) {
    process.on(signal, () => {
      // A command that listens by itself has work to put in order first.
      if (process.listenerCount(signal) > 1) return
      process.stderr.write('\nmemscope: stopped. What was kept is kept.\n')
      process.exit(code)
    })
  }
  const fail = (error: unknown) => process.exit(reportError(error))
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  process.on('beforeExit', () => {
    if (!ended) {
      process.stderr.write(
        '\nmemscope: everything waits for a call that never ends: nothing is left that could end it.\n',
      )
      process.exit(3)
    }
    // Only now has everything been written that was to be.
    const failure = outputFailure()
    if (!failure || process.exitCode !== 0) return
    process.stderr.write(`\nmemscope: standard output cannot be written (${failure.code ?? failure.message}).\n`)
    process.exitCode = 3
  })
  try {
    process.exitCode = await command()
  } catch (error) {
    process.exitCode = reportError(error)
  }
  ended = true
}

/** Writes what went wrong on standard error, and returns the exit code for it. @public tests end commands as the command line does */
export function reportError(thrown: unknown): number {
  const error = faultInWords(thrown)
  const code = error instanceof UserError ? error.exitCode : error instanceof LlmError ? 3 : 70
  if (code === 70) process.stderr.write(`\n${faultReport(error)}`)
  else {
    const { message, hint } = error as UserError | LlmError
    const words = printable(`${withoutSecrets(message)}\n${hint ? `${withoutSecrets(hint)}\n` : ''}`)
    process.stderr.write(`\nmemscope: ${words}`)
    if (process.argv.includes('--debug')) process.stderr.write(`${printable(withoutSecrets(stackOf(thrown)))}\n`)
  }
  return code
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
