import { AsyncResource } from 'node:async_hooks'
import type { Endpoint, EndpointParts, LlmRole } from '../../model/index.js'
import { BadRequest } from '../openai/openai-request.js'
import { fromWire, wireReplyOf } from './from-wire.js'

/** One piece of work under way. */
interface Visit {
  role: LlmRole
  /** Runs something as if whoever began the work had called it, so that it goes on their bill. */
  inside<T>(job: () => Promise<T>): Promise<T>
  /** Requests that are being answered. */
  pending: Set<Promise<unknown>>
  /** Calls that failed, the first first. */
  failures: unknown[]
}

/** Serves one life's model and embedder on a free port of this machine; requests are answered during `during` alone. */
export async function openEndpoint({ name, llm, embed, signal, replies }: EndpointParts): Promise<Endpoint> {
  let visit: Visit | null = null
  let last: Promise<unknown> = Promise.resolve()

  const answer = <T>(job: (role: LlmRole) => Promise<T>): Promise<T> => {
    if (!visit) throw new BadRequest('Nothing is being stored or asked: no request is expected now.')
    const { role, inside, pending, failures } = visit
    const answered = inside(() => job(role)).catch((error: unknown) => {
      if (!(error instanceof BadRequest)) failures.push(error)
      throw error
    })
    pending.add(answered)
    answered.then(
      () => pending.delete(answered),
      () => pending.delete(answered),
    )
    return answered
  }

  const loopback = await (await import('./index.js')).startLoopback({
    signal,
    complete: (request, leaving) =>
      answer(async (role) => {
        const options = { role, label: `${name}/chat`, signal: leaving }
        return wireReplyOf(await llm.generate(fromWire(request, replies), options))
      }),
    embedder: { id: embed.id, dimensions: embed.dimensions, embed: (texts) => answer(() => embed.embed(texts)) },
  })

  const work = async <T>(role: LlmRole, job: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const own: Visit = {
      role,
      inside: AsyncResource.bind((asked) => asked()),
      pending: new Set(),
      failures: [],
    }
    visit = own
    try {
      const result = await job()
      await Promise.allSettled(own.pending)
      if (own.failures.length > 0) throw own.failures[0]
      return result
    } catch (error) {
      throw own.failures[0] ?? error
    } finally {
      visit = null
    }
  }

  return {
    url: loopback.url,
    token: loopback.token,
    during: (role, job) => {
      const done = last.then(() => work(role, job))
      last = done.catch(() => {})
      return done
    },
    close: loopback.close,
  }
}
