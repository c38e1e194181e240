import { createAdaptorServer } from '@hono/node-server'
import { UserError } from '../../base/errors.js'
import { wholeNumber } from '../../base/whole-number.js'
import { listenHere } from '../../gateway/loopback/listen.js'
import { hearControl } from '../control.js'
import type { Control } from '../types.js'
import type { OpenedViewer, ViewOptions } from '../view-types.js'
import { startToken } from './start-token.js'
import { ViewedRuns } from './viewed-runs.js'
import { viewerApp } from './viewer-app.js'

/** The port that is taken when it is free. */
const USUAL_PORT = 7117

/**
 * Serves the viewer on this machine until it is closed, by its result or by the signal. The run that is named, or the newest, is read
 * meanwhile.
 */
export async function view(asked: ViewOptions = {}, control: Control = {}): Promise<OpenedViewer> {
  const told = hearControl(control)
  told.stopIfAsked(null)
  const runs = new ViewedRuns(asked)
  const named = asked.port === undefined ? null : wholeNumber('port', asked.port, 0, 65_535)
  const first =
    asked.table !== undefined
      ? undefined
      : asked.run === undefined
        ? (await runs.list())[0]?.run
        : (await runs.find(asked.run).catch((error) => runs.close().then(() => Promise.reject(error)))).id
  let port = 0
  const token = startToken()
  const server = createAdaptorServer({ fetch: viewerApp(runs, () => port, token).fetch })
  const listening = await listenHere(server, named ?? USUAL_PORT)
    .catch((error: NodeJS.ErrnoException) => {
      if (named === null && error.code === 'EADDRINUSE') return listenHere(server)
      throw error
    })
    .catch(async (error: NodeJS.ErrnoException) => {
      await runs.close()
      const hint = 'Name another with --port, or none for any that is free.'
      throw new UserError(`Port ${named} cannot be listened on (${error.code ?? error}).`, hint)
    })
  port = listening.port
  // Read before anybody asks: a large run takes seconds. What goes wrong is told to whoever asks.
  if (first !== undefined) runs.lend(async ({ get }) => (await get(first)).load()).catch(() => null)
  const close = async () => {
    told.signal.removeEventListener('abort', close)
    await listening.close()
    await runs.close()
  }
  told.signal.addEventListener('abort', close, { once: true })
  return {
    close,
    url: `http://127.0.0.1:${port}/${token.search}${asked.table !== undefined ? '#/rows' : first === undefined ? '' : `#/run?run=${first}`}`,
  }
}
