import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Embedder, type LlmRole, NO_USAGE } from '../../model/index.js'
import { addTo, type Tally } from '../price/meter.js'
import type { WireReply, WireRequest } from '../wire.js'

/** Who may use the endpoint, and as what. */
export interface TenantOptions {
  name: string
  /** On whose bill the traffic goes. Can be changed while it runs, between storing and retrieving. */
  role: LlmRole
  /** Model that answers, whatever name is asked for; none: only those of `models`. */
  model?: string
  /** Models by the names that are asked for. */
  models?: Readonly<Record<string, string>>
  /** Answers in place of a model that is named. */
  complete?(request: WireRequest, signal: AbortSignal): Promise<WireReply>
  /** What embeds; any embedder will do, the bundled one too. */
  embedder?: Embedder
  trial?: number
  signal?: AbortSignal
}

/** A system under test, as the endpoint knows it. */
export interface Tenant {
  readonly name: string
  /** Bearer token, random and of this tenant alone. */
  readonly token: string
  setRole(role: LlmRole): void
  setTrial(trial: number): void
  /** What it used so far, as if uncached, embeddings included. */
  usage(): Tally
  remove(): void
}

/** A tenant from inside. */
export interface Lodger extends TenantOptions {
  role: LlmRole
  trial: number
  tally: Tally
  hash: Buffer
}

/** Tokens and whose they are. */
export class Tenants {
  readonly #lodgers = new Set<Lodger>()

  add(options: TenantOptions): Tenant {
    const token = `memscope-${randomBytes(24).toString('base64url')}`
    const lodger: Lodger = {
      ...options,
      trial: options.trial ?? 0,
      tally: { calls: 0, usage: { ...NO_USAGE }, cost: 0 },
      hash: digest(token),
    }
    this.#lodgers.add(lodger)
    return {
      name: options.name,
      token,
      setRole: (role) => {
        lodger.role = role
      },
      setTrial: (trial) => {
        lodger.trial = trial
      },
      usage: () => structuredClone(lodger.tally),
      remove: () => {
        this.#lodgers.delete(lodger)
      },
    }
  }

  /** Whose a token is. Takes the same time whichever it is, and for none. */
  find(token: string): Lodger | null {
    const hash = digest(token)
    let found: Lodger | null = null
    for (const lodger of this.#lodgers) if (timingSafeEqual(lodger.hash, hash)) found = lodger
    return found
  }
}

/** Puts a call on a tenant's bill. */
export function charge(lodger: Lodger, usage: Tally['usage'], cost: number | null): void {
  addTo(lodger.tally, { usage, cost })
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
