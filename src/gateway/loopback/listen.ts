import type { AddressInfo } from 'node:net'
import type { ServerType } from '@hono/node-server'

/** Lets a server listen on a port of this machine, a free one unless told; closing it ends its connections. */
export async function listenHere(
  server: ServerType,
  wanted = 0,
): Promise<{ port: number; url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
