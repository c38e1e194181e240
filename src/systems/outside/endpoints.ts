import type { Endpoint, EndpointOptions } from '../../model/index.js'
import type { EndpointOrder } from './messages.js'

/** The work is done over there; here it is only waited for. */
interface Visit {
  end(failed: boolean): void
  done: Promise<void>
}

class FailedThere extends Error {}

/**
 * The endpoints of one memory that lives in another process. Servers stand here, where the models are; the work during which they answer is
 * done over there, and begins and ends by word.
 */
export class Endpoints {
  readonly #open: (options: EndpointOptions) => Promise<Endpoint>
  readonly #endpoints: Endpoint[] = []
  readonly #visits: Visit[] = []

  constructor(open: (options: EndpointOptions) => Promise<Endpoint>) {
    this.#open = open
  }

  /** @param replies what objects of no given shape must be, for an endpoint that is opened */
  async obey(order: EndpointOrder, replies: EndpointOptions): Promise<unknown> {
    switch (order.what) {
      case 'open': {
        const endpoint = await this.#open(replies)
        return { endpoint: this.#endpoints.push(endpoint) - 1, url: endpoint.url, token: endpoint.token }
      }
      case 'begin':
        return this.#begin(this.#endpoints[order.endpoint]!, order.role)
      case 'end': {
        const { end, done } = this.#visits[order.visit]!
        end(order.failed)
        return done
      }
      case 'close':
        return this.#endpoints[order.endpoint]!.close()
    }
  }

  /** Closes those that the memory left open. */
  async close(): Promise<void> {
    for (const { end } of this.#visits) end(true)
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.close()))
  }

  /** Resolves to the number of the visit when its turn has come. */
  #begin(endpoint: Endpoint, role: Parameters<Endpoint['during']>[0]): Promise<number> {
    return new Promise((begun, refused) => {
      const work = () =>
        new Promise<void>((resolve, reject) => {
          const end = (failed: boolean) => (failed ? reject(new FailedThere()) : resolve())
          begun(this.#visits.push({ end, done }) - 1)
        })
      const done = endpoint.during(role, work).catch((error: unknown) => {
        // Who failed over there knows why; a call that failed here is told.
        if (!(error instanceof FailedThere)) throw error
      })
      done.catch(refused)
    })
  }
}
