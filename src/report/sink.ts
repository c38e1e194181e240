import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** Where a report goes, chunk by chunk. A promise slows the writer down until it settles. */
export type Sink = (chunk: string) => void | Promise<void>

/** Opens a file, replacing what was there. `close` tells its bytes when all are on disk, and rejects when something is not. */
export function fileSink(path: string): { write: Sink; close(): Promise<number> } {
  const stream = createWriteStream(path, { encoding: 'utf8' })
  let failed: Error | undefined
  stream.on('error', (error) => {
    failed = error
  })
  return {
    write(chunk) {
      if (failed) throw failed
      if (!stream.write(chunk)) return once(stream, 'drain').then(() => undefined)
    },
    async close() {
      if (failed) throw failed
      await new Promise<void>((resolve, reject) => {
        stream.once('error', reject).once('finish', resolve)
        stream.end()
      })
      return stream.bytesWritten
    },
  }
}
