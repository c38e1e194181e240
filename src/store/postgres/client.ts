import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../base/errors.js'
import { requirePackage } from '../../base/packages.js'

const PACKAGE = 'postgres'
/** Releases whose interface this is written for. */
const MAJOR = '3'

/** Connections of one process. Statements are short and share them. */
const CONNECTIONS = 4
/** How long the database is waited for: at the beginning, and once it has been there. */
const PATIENCE_MS = { first: 15_000, later: 900_000 }
/** A statement without an answer for so long was lost on the way. */
const STATEMENT_MS = 90_000

/** The part of the package that is used; it is optional, so its own types cannot be. */
interface Driver {
  unsafe(query: string, params?: readonly unknown[]): Promise<unknown[]>
  end(options: { timeout: number }): Promise<void>
}

/** Statements over a pool that heals itself: what failed because the connection did is tried again, so every one must bear being repeated. */
export interface PgClient {
  query<Row = unknown>(text: string, params?: readonly (string | number | boolean | null)[]): Promise<Row[]>
  close(): Promise<void>
}

/** Whether a text leads to a PostgreSQL. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text)
}

/** @throws UserError when it cannot be reached or refuses */
export async function openClient(url: string): Promise<PgClient> {
  const make = await loadDriver(process.cwd())
  const { address, options } = connectionOf(url)
  const place = addressWithoutSecrets(url)
  let driver = make(address, options)
  let reached = false
  let closed = false
  const within = async (text: string, params: readonly unknown[]): Promise<unknown[]> => {
    const used = driver
    const over = new AbortController()
    const lost = pause(STATEMENT_MS, undefined, { signal: over.signal }).then(() => {
      // The connection may be one that nobody answers any more.
      if (driver === used && !closed) driver = make(address, options)
      used.end({ timeout: 0 }).catch(() => {})
      throw Object.assign(new Error('no answer'), { code: 'CONNECTION_CLOSED' })
    })
    lost.catch(() => {})
    try {
      return await Promise.race([used.unsafe(text, params), lost])
    } finally {
      over.abort()
    }
  }
  return {
    async query<Row>(text: string, params: readonly unknown[] = []) {
      const since = performance.now()
      for (let n = 0; ; n++) {
        try {
          const rows = await within(text, params)
          reached = true
          return rows as Row[]
        } catch (error) {
          const isLate = performance.now() - since > PATIENCE_MS[reached ? 'later' : 'first']
          if (closed || !isPassing(error)) throw inWords(error, place)
          if (isLate) throw unreachable(error, place)
          await pause(Math.min(50 * 2 ** n, 500) * (0.5 + Math.random() / 2))
        }
      }
    },
    async close() {
      closed = true
      await driver.end({ timeout: 2 })
    },
  }
}

async function loadDriver(cwd: string): Promise<(url: string, options: object) => Driver> {
  const folder = requirePackage('Runs in PostgreSQL', PACKAGE, MAJOR, cwd)
  return (await import(pathToFileURL(join(folder, 'src', 'index.js')).href)).default
}

/** No statement is prepared by name and no type is looked up: a pool may hand every transaction to another connection. */
function connectionOf(url: string): { address: string; options: object } {
  const options = {
    max: CONNECTIONS,
    prepare: false,
    fetch_types: false,
    connect_timeout: 10,
    keep_alive: 15,
    idle_timeout: 60,
    backoff: () => 0.05,
    connection: { application_name: `memscope ${process.pid}` },
    onnotice: () => {},
  }
  if (!URL.canParse(url)) throw new UserError('The store is no address.', 'Write postgres://user@host:5432/database.')
  const address = new URL(url)
  const take = (name: string) => {
    const value = address.searchParams.get(name)
    address.searchParams.delete(name)
    return value
  }
  // Words of libpq that managed databases put into their addresses; the package would hand them on to the server.
  const root = take('sslrootcert')
  take('channel_binding')
  const ssl =
    root === null ? {} : { ssl: root === 'system' ? 'verify-full' : trusting(root, take('sslmode'), address.hostname) }
  return { address: address.href, options: { ...options, ...ssl } }
}

/** As libpq takes it: with certificates to trust, only `verify-full` looks at the name of the server. */
function trusting(file: string, mode: string | null, host: string): object {
  if (!existsSync(file))
    throw new UserError(`There is no file of certificates ${file}.`, 'Check what sslrootcert names.')
  // The package does not pass on the name of a server that is a number.
  const identity = (_: string, certificate: PeerCertificate) =>
    mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined
  return { ca: readFileSync(file, 'utf8'), checkServerIdentity: identity }
}

/** A store without what is secret in its address. */
export function addressWithoutSecrets(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/**
 * Whether a failure passes by itself: no connection, a server that starts or stops, no place, a deadlock. Classes 08 and 57P are PostgreSQL's,
 * the others Node's and the package's.
 */
function isPassing(error: unknown): boolean {
  const passing =
    /^(08|57P0[1-3]$|40001$|40P01$|53300$|CONNECTION_|CONNECT_TIMEOUT$|ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|EAI_AGAIN$|ENOTFOUND$)/
  return passing.test(codeOf(error))
}

function unreachable(error: unknown, place: string): UserError {
  const why = error instanceof Error && error.message !== '' ? error.message : codeOf(error)
  return new UserError(
    `The store ${place} cannot be reached (${why}).`,
    'Check its address and that it is up. What was kept is kept.',
    3,
  )
}

function inWords(error: unknown, place: string): unknown {
  const code = codeOf(error)
  const said = error instanceof Error ? error.message : String(error)
  if (/^(28|3D000)/.test(code))
    return new UserError(
      `The store ${place} refuses: ${said}.`,
      'Check the user, password and database of its address.',
    )
  if (/CERT|UNABLE_TO_/.test(code))
    return new UserError(
      `The certificate of the store ${place} is not trusted (${code}).`,
      'Name the file of certificates to trust: ?sslmode=verify-full&sslrootcert=<file>.',
    )
  if (code === '42501')
    return new UserError(
      `The store ${place} does not allow this: ${said}.`,
      'Give the role its rights (templates/postgres/role.sql), or have the owner open the store once: memscope runs --store <address>.',
    )
  if (/^53[12]00$/.test(code)) return new UserError(`The store ${place} is full: ${said}.`, 'Make room, then go on.', 3)
  return error
}
