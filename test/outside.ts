import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { root } from './cli.js'

export const STUCK = join(root, 'test/fixtures/outside/stuck.mjs')
export const HTTP_NOTES = join(root, 'test/fixtures/outside/http-notes.ts')

interface Note {
  id: string
  text: string
  sources: string[]
}

/** A server that keeps notes by namespace, with ids of its own making, for as long as it stands. */
export class NoteServer {
  readonly namespaces = new Map<string, Note[]>()
  /** Requests of each kind so far. */
  readonly seen: Record<string, number> = {}
  /** Processes that asked. */
  readonly pids = new Set<number>()
  /** Called before every request is answered; what it throws is the answer. */
  onRequest: (what: string, body: { namespace: string; id?: string }) => void = () => {}
  readonly #server: Server

  private constructor(readonly delayMs: number) {
    this.#server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        const what = request.url!.slice(1)
        const body = JSON.parse(text)
        this.seen[what] = (this.seen[what] ?? 0) + 1
        this.pids.add(body.pid)
        setTimeout(() => {
          try {
            this.onRequest(what, body)
            response.end(JSON.stringify(this.#answer(what, body)))
          } catch (error) {
            response.writeHead(500).end((error as Error).message)
          }
        }, this.delayMs)
      })
    })
  }

  static async open(delayMs = 1): Promise<NoteServer> {
    const server = new NoteServer(delayMs)
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get env(): Record<string, string> {
    return { NOTES_URL: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` }
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #answer(what: string, body: { namespace: string; id: string; texts: string[]; text: string; k: number }): Note[] {
    const notes = this.namespaces.get(body.namespace) ?? []
    this.namespaces.set(body.namespace, notes)
    if (what === 'dump') return notes
    if (what === 'store') {
      notes.push(...body.texts.map((text) => ({ id: randomUUID(), text, sources: [body.id] })))
      return []
    }
    const asked = new Set(body.text.toLowerCase().split(/\W+/))
    const score = ({ text }: Note) =>
      new Set(
        text
          .toLowerCase()
          .split(/\W+/)
          .filter((word) => asked.has(word)),
      ).size
    return notes
      .map((note) => ({ ...note, score: score(note) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, body.k)
  }
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Waits until something holds, and fails when it never does. */
export async function until(holds: () => boolean, what: string, ms = 30_000): Promise<void> {
  const end = performance.now() + ms
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`)
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

/** A command line at work. */
export interface Working {
  child: ChildProcess
  /** What it wrote so far: all of it in its order, and by stream. */
  written(): string
  out(): string
  err(): string
  /** How it ended, and when, by the clock that only goes forward. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; at: number }>
}

/**
 * Starts the real command line and does not wait for it.
 *
 * @param through a command that runs the one behind it, such as `nice`
 */
export function startMemscope(
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
  through: readonly string[] = [],
): Working {
  const [command, ...rest] = [...through, process.execPath, join(root, 'dist/cli/main.js'), ...args]
  const child = spawn(command!, rest, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: { from: 'stdout' | 'stderr'; text: string }[] = []
  for (const from of ['stdout', 'stderr'] as const)
    child[from].setEncoding('utf8').on('data', (text: string) => void chunks.push({ from, text }))
  const said = (of: (from: string) => boolean) =>
    chunks
      .filter(({ from }) => of(from))
      .map(({ text }) => text)
      .join('')
  const ended = new Promise<Awaited<Working['ended']>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, at: performance.now() }))
  })
  return {
    child,
    written: () => said(() => true),
    out: () => said((from) => from === 'stdout'),
    err: () => said((from) => from === 'stderr'),
    ended,
  }
}
