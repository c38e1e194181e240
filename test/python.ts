import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './cli.js'

const NAMES = [process.env.PYTHON ?? 'python3', 'python']

/** The interpreter of this machine, or the one that `PYTHON` names; in CI there must be one. */
export const python = NAMES.find((name) => {
  const { status, stdout } = spawnSync(name, ['-c', 'import sys; print(sys.version_info >= (3, 9))'], {
    encoding: 'utf8',
  })
  return status === 0 && stdout.trim() === 'True'
})

/** Behind the title of what is skipped where there is none. */
export const withoutPython = python || process.env.CI ? '' : ' (skipped: there is no Python 3.9 or newer)'

const shim = join(root, 'src/systems/outside/memscope_memory.py')
export const pythonFixtures = join(root, 'test/fixtures/python')

export interface PythonReply {
  id: number | null
  value?: unknown
  error?: string
}

const NOW = '2025-03-04T09:00:00Z'
const QUERY = { id: 'q1', text: 'Where do I live?', time: NOW }

/** A memory in a process of its own, spoken to line by line. */
export class PythonMemory {
  readonly child: ChildProcess
  err = ''
  readonly #lines: AsyncIterator<string>
  #asked = 0

  constructor(
    words: readonly string[],
    { cwd = pythonFixtures, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
  ) {
    this.child = spawn(python ?? 'python3', [shim, ...words], {
      cwd,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.child.stderr!.on('data', (chunk) => {
      this.err += chunk
    })
    this.#lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]()
  }

  /** Writes a request and waits for the next line, which may answer another. */
  async ask(request: string, fields: object = {}): Promise<PythonReply> {
    this.send(request, fields)
    return this.next()
  }

  send(request: string, fields: object = {}): number {
    this.write(JSON.stringify({ id: ++this.#asked, do: request, memory: 'm1', now: NOW, ...fields }))
    return this.#asked
  }

  write(line: string): void {
    this.child.stdin!.write(`${line}\n`)
  }

  async next(): Promise<PythonReply> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error(`The process ended. ${this.err}`)
    return JSON.parse(value) as PythonReply
  }

  open(fields: object = {}): Promise<PythonReply> {
    return this.ask('open', { protocol: 1, workdir: '/tmp', options: {}, ...fields })
  }

  store(...texts: string[]): Promise<PythonReply> {
    const turns = texts.map((text, i) => ({ role: i % 2 ? 'assistant' : 'user', text }))
    return this.ask('store', { conversation: { id: 'c1', time: NOW, turns } })
  }

  retrieve(k = 5, text = QUERY.text): Promise<PythonReply> {
    return this.ask('retrieve', { query: { ...QUERY, text }, k, depth: { k } })
  }

  /** Ends its input and waits until it has gone and all it wrote is here. */
  async end(): Promise<number | null> {
    this.child.stdin!.end()
    await once(this.child, 'close')
    return this.child.exitCode
  }
}
