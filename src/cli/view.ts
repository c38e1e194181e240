import { type OpenedViewer, view as openViewer, type ViewOptions } from '../library.js'
import { type Command, type Flags, optionsFrom, textFlag } from './args.js'
import { LOAD_FLAG } from './flags.js'

export const PORT_FLAG: Flags = { port: textFlag('<n>', 'where it listens (default 7117, or any that is free)') }

/** `memscope view`: runs in a browser, served on this machine until Ctrl-C. */
export const view: Command = {
  name: 'view',
  about: 'look at runs in a browser, also while they go on; nothing leaves this machine',
  usage: 'view [run] [flags]',
  flags: { ...PORT_FLAG, ...LOAD_FLAG },
  words: 1,
  examples: ['memscope view', 'memscope view 20261115 --port 8080'],
  async run(typed) {
    const { port, ...text } = typed.text
    const asked = optionsFrom<ViewOptions>(
      { ...typed, text },
      typed.words[0] === undefined ? {} : { run: typed.words[0] },
    )
    return serveUntilStopped(await openViewer({ ...asked, ...(port !== undefined && { port: Number(port) }) }))
  },
}

/** Tells where it is, and keeps it until Ctrl-C. */
export async function serveUntilStopped(viewer: OpenedViewer): Promise<number> {
  process.stdout.write(`${viewer.url}\n`)
  process.stderr.write('Ctrl-C ends it.\n')
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
  await viewer.close()
  return 0
}
