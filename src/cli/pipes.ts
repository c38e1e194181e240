import { closeSync, constants, createWriteStream, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { PRIVATE_FILE } from '../base/folders.js'
import type { Typed } from './args.js'

/** Flags behind which something is written: a pipe there has a reader. */
const WRITTEN = ['json', 'html', 'md', 'csv', 'junit', 'badge', 'out', 'save-baseline', 'record', 'bundle']

/** How often it is looked whether somebody writes to a named pipe yet. */
const LOOK_MS = 50

/**
 * What was typed, with every pipe that is to be read in the place of a file read into one. Reading a pipe as a file holds a thread until somebody
 * writes, and the process cannot end before: neither Ctrl-C nor SIGTERM would do anything.
 */
export async function readPipes(typed: Typed): Promise<Typed> {
  const read = async (value: string) => (isPipe(value) ? spooled(value) : value)
  const text: Typed['text'] = {}
  for (const [flag, value] of Object.entries(typed.text))
    text[flag] = value === undefined || WRITTEN.includes(flag) ? value : await read(value)
  const list: Typed['list'] = {}
  for (const [flag, values] of Object.entries(typed.list)) list[flag] = values && (await Promise.all(values.map(read)))
  return { ...typed, text, list, words: await Promise.all(typed.words.map(read)) }
}

function isPipe(value: string): boolean {
  if (value === '' || value.includes('\0')) return false
  try {
    return statSync(value, { throwIfNoEntry: false })?.isFIFO() ?? false
  } catch {
    // Words that are no path at all, such as a task behind the file of its suite.
    return false
  }
}

async function spooled(path: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-pipe-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, basename(path))
  await pipeline(await reading(path), createWriteStream(file, { mode: PRIVATE_FILE }))
  return file
}

/** The pipe as a stream that waits without holding anything. */
async function reading(path: string): Promise<Readable> {
  // One that was handed down by the shell, as by `<(…)`: it has a writer already, or had one.
  const [, fd] = /^\/(?:dev|proc\/self)\/(?:fd\/(\d+)|stdin)$/.exec(path) ?? [null]
  if (path === '/dev/stdin') return process.stdin
  if (fd !== undefined) return new Socket({ fd: Number(fd), readable: true, writable: false })
  for (;;) {
    const own = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const first = firstBytes(own)
    if (first !== null) {
      const socket = new Socket({ fd: own, readable: true, writable: false })
      if (first.length > 0) socket.unshift(first)
      return socket
    }
    closeSync(own)
    await sleep(LOOK_MS)
  }
}

/** What has come, without waiting; nothing yet where a writer has the pipe open, null where nobody has. */
function firstBytes(fd: number): Buffer | null {
  const bytes = Buffer.alloc(64 * 1024)
  try {
    const read = readSync(fd, bytes)
    return read === 0 ? null : bytes.subarray(0, read)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return Buffer.alloc(0)
    throw error
  }
}
