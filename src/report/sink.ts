import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Where a report goes, chunk by chunk. A promise slows the writer down until it settles. */
export type Sink = (chunk: string) => void | Promise<void>

/** How a file is opened. */
export interface SinkOptions {
  /** A file or link that is there already is an error. */
  isNew?: boolean
  /** Permissions of a file that is made; what the process gives by default otherwise. */
  mode?: number
}

/**
 * Opens a file, replacing what was there. `close` tells its bytes when all are on disk, and rejects when something is not; called again it says
 * the same.
 */
export function fileSink(path: string, { isNew, mode }: SinkOptions = {}): { write: Sink; close(): Promise<number> } {
  const stream = createWriteStream(path, {
    encoding: 'utf8',
    flags: isNew ? 'wx' : 'w',
    ...(mode !== undefined && { mode }),
  })
  let failed: Error | undefined
  let closing: Promise<number> | undefined
  stream.on('error', (error) => {
    failed = error
  })
  const end = async () => {
    if (failed) throw failed
    stream.end()
    await finished(stream)
    return stream.bytesWritten
  }
  return {
    write(chunk) {
      if (failed) throw failed
      if (!stream.write(chunk)) return once(stream, 'drain').then(() => undefined)
    },
    close() {
      closing ??= end()
      return closing
    },
  }
}
