import { StoppedError, type WorkerOptions, worker as workFor } from '../library.js'
import { type Command, listFlag, optionsFrom, switchFlag, textFlag } from './args.js'
import { MODEL_FLAGS } from './flags.js'
import { shownProgress } from './progress.js'

/** `memscope worker`: one of several that share runs. */
export const worker: Command = {
  name: 'worker',
  about: 'work for runs in a shared store, beside any number of others',
  usage: 'worker [postgres://…] [--run <run>]',
  flags: {
    run: textFlag('<run>', 'work for this run, and end when it is done; otherwise for all there are'),
    once: switchFlag('end when nothing is left to do'),
    'allow-system': listFlag('<names>', 'systems that are not built in and may run here, as the run names them'),
    'allow-file': listFlag('<files>', 'files of suites, judges, readers and prompts that may be read and run here'),
    providers: MODEL_FLAGS.providers!,
    concurrency: textFlag('<n>', 'units of work side by side (default: as the run says)'),
    llm: listFlag('concurrency=<n>', 'most calls of one model at a time (default: as the run says)'),
    quiet: switchFlag('only what goes wrong'),
  },
  words: 1,
  examples: [
    'memscope worker postgres://memscope@db.example.org/runs?sslmode=verify-full --run last',
    'MEMSCOPE_STORE=postgres://… memscope worker --once',
  ],
  async run(typed) {
    const shown = shownProgress(process.stderr, typed.on.quiet ?? false)
    const stop = new AbortController()
    let code = 0
    const onSignal = (signal: NodeJS.Signals) => {
      if (code !== 0) process.exit(code)
      code = signal === 'SIGTERM' ? 143 : 130
      shown.note('Stopping: calls under way come to their end, the rest is left to others; once more to stop at once.')
      stop.abort()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
    const [word] = typed.words
    const asked = optionsFrom<WorkerOptions>(typed, word === undefined ? {} : { store: word })
    try {
      await workFor(asked, { signal: stop.signal, onProgress: shown.onProgress })
    } catch (error) {
      shown.end()
      if (!(error instanceof StoppedError)) throw error
    }
    shown.end()
    return code
  },
}
