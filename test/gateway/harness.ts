import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ScriptedServer, startScriptedServer } from '../../bench/scripted-server.js'
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.js'
import { ScriptedModel, type ScriptedOptions } from '../../src/gateway/scripted/model.js'
import type { WireRequest } from '../../src/gateway/wire.js'
import type { LlmMessage } from '../../src/model/index.js'

/** The model under which tests reach the scripted server over HTTP. */
export const SPEC = 'openai-compatible:test'

/** A key that must never be found anywhere. */
export const PLANTED = 'sk-planted-7f3a9b1c5d2e8f60'

/** A scripted model behind real HTTP, and gateways that talk to it. All is closed and removed by `close`. */
export class Harness {
  readonly folder = mkdtempSync(join(tmpdir(), 'memscope-gateway-'))
  readonly logs: string[] = []
  readonly #gateways: Gateway[] = []

  private constructor(
    readonly model: ScriptedModel,
    readonly server: ScriptedServer,
  ) {}

  static async start(options: ScriptedOptions | ScriptedModel, apiKey?: string): Promise<Harness> {
    const model = options instanceof ScriptedModel ? options : new ScriptedModel(options)
    return new Harness(model, await startScriptedServer(model, apiKey))
  }

  get env(): Record<string, string> {
    return {
      MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: this.server.url,
      MEMSCOPE_OPENAI_COMPATIBLE_API_KEY: PLANTED,
    }
  }

  /**
   * A gateway with quick retries, whose tries have no time limit: a machine may be as slow as it likes. `cacheDir` is the harness's own folder
   * unless told otherwise.
   */
  open(options: Partial<GatewayOptions> = {}): Gateway {
    const gateway = createGateway({
      env: this.env,
      cacheDir: join(this.folder, 'cache'),
      log: (message) => this.logs.push(message),
      ...options,
      clock: { limit: () => () => {}, ...options.clock },
      deadlines: { backoffMs: 1, maxBackoffMs: 5, ...options.deadlines },
    })
    this.#gateways.push(gateway)
    return gateway
  }

  /** The nth chat request that came, from 0. */
  chat(at: number): WireRequest {
    const { request } = this.model.requests.filter(({ kind }) => kind === 'chat')[at]!
    return request as WireRequest
  }

  async close(): Promise<void> {
    for (const gateway of this.#gateways) await gateway.close()
    await this.server.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Messages of one user turn. */
export function ask(content: string): LlmMessage[] {
  return [{ role: 'user', content }]
}
