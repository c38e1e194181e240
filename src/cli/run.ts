import { TASK_EXAMPLE } from '../builtins.js'
import { isOfRequest } from '../library/settings/setting.js'
import { RUN_SETTINGS } from '../library/settings/table.js'
import type { Control, ProgressEvent, RunOptions, RunResult } from '../library.js'
import { estimate, run as runSystems, StoppedError } from '../library.js'
import { type Command, type Flags, optionsFrom, switchFlag } from './args.js'
import { configured } from './config.js'
import { attributionTables } from './explain.js'
import { RUN_FLAGS, RUN_GROUPS, typedSettings } from './flags.js'
import { outputsFrom, tellResult } from './outputs.js'
import { type ShownProgress, shownProgress } from './progress.js'

/** Flags that are of the command line alone. */
const OWN_FLAGS: Flags = {
  estimate: switchFlag('say what the run would take (calls, cost, time, disk, texts to embed), and stop'),
  quiet: switchFlag('no tables and no progress'),
}

/** `memscope run`: measures memory systems. */
export const run: Command = {
  name: 'run',
  about: 'measure memory systems; without flags, the keyless tour',
  usage: 'run [config.ts] [flags]',
  flags: { ...RUN_FLAGS, ...OWN_FLAGS },
  groups: RUN_GROUPS,
  words: 1,
  examples: [
    'memscope run',
    `memscope run --suite ${TASK_EXAMPLE} --system bm25,bm25-hops --k 1,5,10`,
    'memscope run --system ./my-memory.ts --size quick --fail-under "evidence.low>=0.5"',
    'memscope run --resume last',
  ],
  async run(words) {
    const typed = await configured(words, this)
    const { on, text } = typed
    const quiet = on.quiet ?? false
    const settings = typedSettings(typed)
    const asked = optionsFrom<RunOptions>(typed, { settings, ...outputsFrom(typed), forecast: !quiet })
    const given = new Set(Object.keys(asked))
    const isNamed = Object.entries(RUN_SETTINGS).some(([name, setting]) => isOfRequest(setting) && given.has(name))
    const isTour = !isNamed && Object.keys(settings).length === 0 && asked.resume === undefined
    if (isTour && asked.html === undefined) asked.html = true
    const shown = shownProgress(process.stderr, quiet)
    if (on.estimate) {
      const { words: told } = await estimate(asked, shown)
      if (text.json !== '-') process.stdout.write(`${told}\n`)
      return 0
    }
    const result = await interruptible((control) => runSystems(asked, control), shown)
    const code = tellResult(result, quiet, true)
    if (result.explained && !quiet) process.stderr.write(`\n${attributionTables(result.explained)}`)
    return code
  },
}

/** Runs until done or stopped: Ctrl-C, while there is work to put in order, becomes the signal of the call; once more ends at once. */
export async function interruptible(
  work: (control: Control) => Promise<RunResult>,
  shown: ShownProgress,
): Promise<RunResult> {
  const stop = new AbortController()
  let interrupted: NodeJS.Signals | null = null
  const onSignal = (signal: NodeJS.Signals) => {
    if (interrupted) process.exit(130)
    interrupted = signal
    shown.note('Stopping; once more to stop at once.')
    stop.abort()
  }
  const listen = (how: 'on' | 'off') => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process[how](signal, onSignal)
  }
  const onProgress = (event: ProgressEvent) => {
    shown.onProgress(event)
    if (event.type === 'started') listen('on')
    if (event.type === 'measured') listen('off')
  }
  try {
    return await work({ signal: stop.signal, onProgress })
  } catch (error) {
    shown.end()
    if (!(error instanceof StoppedError)) throw error
    process.stderr.write(`Stopped. Go on with: memscope run --resume ${error.run}${error.shared ? ' --store …' : ''}\n`)
    process.exit(interrupted === 'SIGTERM' ? 143 : 130)
  } finally {
    listen('off')
  }
}
