import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { actingModel } from '../../bench/llm-model.js'
import { type ScriptedServer, startScriptedServer } from '../../bench/scripted-server.js'
import type { ScriptedModel } from '../../src/gateway/index.js'
import { type Fault, faultsOf, type Good, isSpoilt } from './faults.js'

/** The key that must be nowhere in the end. */
export const KEY = 'planted-key-8c1f53e09b7d42aa'

/** Requests of a run that are always answered: who has never been reached is not waited for. */
const FIRST_ANSWERED = 6

/**
 * A provider that spoils what an honest one would say. The honest one stands behind it: it decides what is right, and counts what it would
 * charge. Beside it stands a server that nobody may reach.
 */
export class HostileServer {
  /** Share of requests that are spoilt. */
  rate = 0
  seed = 1
  /** Takes the place of all that is drawn, from the n-th request on. */
  from: { request: number; fault: Fault } | null = null
  /** Faults that were really served, by name. */
  readonly served = new Map<string, number>()
  requests = 0
  /** Requests that came where none may come. */
  strayed = 0
  readonly #times = new Map<string, number>()
  readonly #drawn = { chat: 0, embedding: 0 }

  private constructor(
    readonly model: ScriptedModel,
    readonly honest: ScriptedServer,
    readonly server: Server,
    readonly elsewhere: Server,
  ) {}

  static async open(): Promise<HostileServer> {
    const model = actingModel()
    const [server, elsewhere] = [createServer(), createServer()]
    const one = new HostileServer(model, await startScriptedServer(model, KEY), server, elsewhere)
    server.on('request', (request, response) => void one.#serve(request, response))
    elsewhere.on('request', (_, response) => {
      one.strayed++
      response.end('{}')
    })
    for (const each of [server, elsewhere]) await new Promise<void>((done) => each.listen(0, '127.0.0.1', done))
    return one
  }

  get env(): Record<string, string> {
    return {
      MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: `${urlOf(this.server)}/v1`,
      MEMSCOPE_OPENAI_COMPATIBLE_API_KEY: KEY,
    }
  }

  async close(): Promise<void> {
    for (const each of [this.server, this.elsewhere]) {
      each.closeAllConnections()
      each.close()
    }
    await this.honest.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked = Buffer.concat(chunks).toString()
    const number = ++this.requests
    const reply = await fetch(`${this.honest.url}${request.url!.replace('/v1', '')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
      body: asked,
    })
    const good: Good = {
      body: await reply.text(),
      kind: request.url!.endsWith('/embeddings') ? 'embedding' : 'chat',
      hasSchema: asked.includes('"json_schema"'),
      elsewhere: urlOf(this.elsewhere),
      authorization: request.headers.authorization ?? '',
    }
    const drawn = reply.ok ? this.#draw(good, asked, number) : null
    if (drawn) {
      this.served.set(drawn.name, (this.served.get(drawn.name) ?? 0) + 1)
      await drawn.fault(response, good)
      return
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(good.body)
  }

  #draw(good: Good, asked: string, number: number): { name: string; fault: Fault } | null {
    if (this.from) return number >= this.from.request ? { name: 'this one', fault: this.from.fault } : null
    if (number <= FIRST_ANSWERED) return null
    const times = this.#times.get(asked) ?? 0
    this.#times.set(asked, times + 1)
    if (!isSpoilt(this.seed, asked, times, this.rate)) return null
    const faults = faultsOf(good.kind, this.seed)
    const [name, fault] = faults[this.#drawn[good.kind]++ % faults.length]!
    return { name, fault }
  }
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
