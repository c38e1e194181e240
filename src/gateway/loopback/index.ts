import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Gateway } from '../gateway.js'
import { loopbackApp } from './app.js'
import { type Tenant, type TenantOptions, Tenants } from './tenants.js'

export type { Tenant, TenantOptions } from './tenants.js'

export interface LoopbackOptions {
  tenants: readonly TenantOptions[]
  /** Largest body that is read. */
  maxBodyBytes?: number
}

export interface Loopback {
  /** Base URL for OpenAI clients, such as `http://127.0.0.1:41234/v1`. */
  readonly url: string
  /** Tenants by name, in the order given. */
  readonly tenants: Readonly<Record<string, Tenant>>
  add(options: TenantOptions): Tenant
  close(): Promise<void>
}

/**
 * Serves the gateway on a free port of this machine in the protocol of OpenAI, so that systems written elsewhere are metered, cached and
 * replayed like those in here. Every tenant has a token of its own; other hosts and web pages are refused.
 *
 * @param gateway what answers; null when every tenant brings its own `complete`
 * @example
 * const loopback = await startLoopback(gateway, { tenants: [{ name: 'mem0', role: 'ingest', model: 'openai:gpt-5-mini' }] })
 * // OPENAI_BASE_URL=loopback.url OPENAI_API_KEY=loopback.tenants.mem0.token
 */
export async function startLoopback(gateway: Gateway | null, options: LoopbackOptions): Promise<Loopback> {
  const known = new Tenants()
  const add = (tenant: TenantOptions) => {
    const added = known.add(tenant)
    gateway?.keepSecret(added.token)
    return added
  }
  const tenants = Object.fromEntries(options.tenants.map((tenant) => [tenant.name, add(tenant)]))
  const app = loopbackApp(gateway, known, options.maxBodyBytes ?? 32 * 1024 * 1024)
  const server = createAdaptorServer({ fetch: app.fetch })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    tenants,
    add,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
