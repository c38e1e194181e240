import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPackage } from '../src/base/packages.js'
import { root } from './cli.js'

/** Where Debian puts the programs of its PostgreSQL, newest first. */
const VERSIONS = '/usr/lib/postgresql'
const places = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, 'bin'))
  : []
const folderOf = (name: string) =>
  [...places, '/usr/local/bin', '/usr/bin', '/usr/sbin'].find((folder) => existsSync(join(folder, name)))
const [binaries, bouncer] = [folderOf('initdb'), folderOf('pgbouncer')]

/** What is not here of what a server needs. */
export const missing = [
  ...(binaries ? [] : ['PostgreSQL']),
  ...(bouncer ? [] : ['pgbouncer']),
  ...(findPackage('postgres', root) ? [] : ['the package postgres']),
]

/** Whether runs in PostgreSQL can be tried here. Where tests are run for good, they must be. */
export const hasPostgres = missing.length === 0

/** A server of its own on a free port of this machine. */
export class PostgresServer {
  #process: ChildProcess | null = null
  #bouncer: ChildProcess | null = null
  #databases = 0

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly bouncerPort: number,
    readonly owner: { uid: number; gid: number } | null,
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'memscope-pg-'))
    // PostgreSQL refuses to be run by root.
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    const owner = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : null
    const server = new PostgresServer(folder, await freePort(), await freePort(), owner)
    if (owner) chownSync(folder, owner.uid, owner.gid)
    chmodSync(folder, 0o700)
    const data = join(folder, 'data')
    const how = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8']
    execFileSync(join(binaries!, 'initdb'), how, { ...owner, cwd: folder, stdio: 'ignore' })
    // A certificate that only those trust who are told to; one database takes nobody without it.
    const certificate = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const names = ['-subj', '/CN=memscope', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', 'tls.key']
    const openssl = ['req', ...certificate, ...names, '-out', 'tls.crt']
    execFileSync('openssl', openssl, { ...owner, cwd: folder, stdio: 'ignore', env: { HOME: folder } })
    const rules = join(data, 'pg_hba.conf')
    writeFileSync(rules, `hostnossl tls all all reject\n${readFileSync(rules, 'utf8')}`)
    await server.up()
    return server
  }

  get certificate(): string {
    return join(this.folder, 'tls.crt')
  }

  /** Starts it, again after it was stopped, and waits until it answers. */
  async up(): Promise<void> {
    const settings = { port: this.port, listen_addresses: '127.0.0.1', unix_socket_directories: this.folder }
    const tls = { ssl: 'on', ssl_cert_file: this.certificate, ssl_key_file: join(this.folder, 'tls.key') }
    const fast = { fsync: 'off', max_connections: 120, shared_buffers: '64MB' }
    const flags = Object.entries({ ...settings, ...tls, ...fast }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const child = spawn(join(binaries!, 'postgres'), ['-D', join(this.folder, 'data'), ...flags], {
      ...this.owner,
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-4000)
    })
    this.#process = child
    for (let n = 0; !this.answers(); n++) {
      if (n > 300 || child.exitCode !== null) throw new Error(`PostgreSQL does not start:\n${said}`)
      await pause(100)
    }
  }

  answers(): boolean {
    try {
      execFileSync(join(binaries!, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(this.port)], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }

  /** Stops it at once: connections are cut, what was committed is kept. */
  async down(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
  }

  /** A pool in front of it that gives every transaction whatever connection is free. Its address is the answer. */
  async pool(database: string): Promise<string> {
    const folder = join(this.folder, 'pool')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n')
    const ini = [
      '[databases]',
      `* = host=127.0.0.1 port=${this.port}`,
      '[pgbouncer]',
      ...[`listen_addr = 127.0.0.1`, `listen_port = ${this.bouncerPort}`, `unix_socket_dir =`, 'auth_type = trust'],
      ...[`auth_file = ${join(folder, 'users.txt')}`, 'pool_mode = transaction', 'default_pool_size = 5'],
      ...['max_client_conn = 500', 'server_reset_query ='],
    ]
    writeFileSync(join(folder, 'pool.ini'), `${ini.join('\n')}\n`)
    if (this.owner) chownSync(folder, this.owner.uid, this.owner.gid)
    this.#bouncer ??= spawn(join(bouncer!, 'pgbouncer'), [join(folder, 'pool.ini')], { ...this.owner, stdio: 'ignore' })
    for (let n = 0; n < 100 && !(await listens(this.bouncerPort)); n++) await pause(50)
    return `postgres://postgres@127.0.0.1:${this.bouncerPort}/${database}`
  }

  url(database: string, user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`
  }

  /** A database that nobody has used, with its address. */
  fresh(): { name: string; url: string } {
    const name = `t${++this.#databases}`
    this.sql('postgres', `CREATE DATABASE ${name}`)
    return { name, url: this.url(name) }
  }

  /** Waits until a table has been made and has rows. */
  async rowsIn(database: string, table: string): Promise<void> {
    const there = () => this.sql(database, `SELECT to_regclass('${table}') IS NOT NULL`) === 't'
    for (let n = 0; !there() || this.sql(database, `SELECT count(*) FROM ${table}`) === '0'; n++) {
      if (n > 300) throw new Error(`${table} stays empty`)
      await pause(100)
    }
  }

  /** What a statement gives, a line a row. */
  sql(database: string, statement: string, user = 'postgres'): string {
    const place = ['-h', '127.0.0.1', '-p', String(this.port), '-U', user, '-d', database]
    const how = ['-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1']
    return execFileSync(join(binaries!, 'psql'), [...place, ...how], {
      input: statement,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trim()
  }

  async stop(): Promise<void> {
    this.#bouncer?.kill('SIGKILL')
    await this.down()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
