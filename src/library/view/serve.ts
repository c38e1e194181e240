import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { UserError } from '../../base/errors.js'
import { wholeNumber } from '../../base/whole-number.js'
import { hearControl } from '../control.js'
import type { Control } from '../types.js'
import type { OpenedViewer, ViewOptions } from '../view-types.js'
import { ViewedRuns } from './viewed-runs.js'
import { viewerApp } from './viewer-app.js'

/** The port that is taken when it is free, so that a bookmark stays true. */
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
  const server = createAdaptorServer({ fetch: viewerApp(runs, () => port).fetch })
  const listen = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  try {
    await listen(named ?? USUAL_PORT).catch((error: NodeJS.ErrnoException) => {
      if (named === null && error.code === 'EADDRINUSE') return listen(0)
      throw error
    })
  } catch (error) {
    await runs.close()
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UserError(
      `Port ${named} cannot be listened on (${code}).`,
      'Name another with --port, or none for any that is free.',
    )
  }
  port = (server.address() as AddressInfo).port
  // Read before anybody asks: a large run takes seconds. What goes wrong is told to whoever asks.
  const ready = first === undefined ? null : runs.get(first)
  ready?.then((run) => run.load()).catch(() => null)
  const close = async () => {
    told.signal.removeEventListener('abort', close)
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
    await runs.close()
  }
  told.signal.addEventListener('abort', close, { once: true })
  return {
    close,
    url: `http://127.0.0.1:${port}/${asked.table !== undefined ? '#/rows' : first === undefined ? '' : `#/run?run=${first}`}`,
  }
}
