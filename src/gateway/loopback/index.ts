import { randomBytes } from 'node:crypto'
import { createAdaptorServer } from '@hono/node-server'
import { listenHere } from './listen.js'
import { loopbackApp, type Served } from './loopback-app.js'

export interface Loopback {
  /** Base URL for OpenAI clients, such as `http://127.0.0.1:41234/v1`. */
  readonly url: string
  /** Bearer token, random and of this server alone. */
  readonly token: string
  close(): Promise<void>
}

/**
 * Serves a model and an embedder on a free port of this machine in the protocol of OpenAI, so that systems written elsewhere are metered,
 * cached and replayed like those in here. Other hosts, web pages and whoever lacks the token are refused.
 */
export async function startLoopback(served: Served): Promise<Loopback> {
  const token = `memscope-${randomBytes(24).toString('base64url')}`
  const server = createAdaptorServer({ fetch: loopbackApp(served, token).fetch })
  const { url, close } = await listenHere(server)
  return { token, url, close }
}
