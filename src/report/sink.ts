import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** Where a report goes, chunk by chunk. A promise slows the writer down until it settles. */
export type Sink = (chunk: string) => void | Promise<void>

/** A file being written. `close` resolves when everything is on disk, and rejects when something is not. */
export interface FileSink {
  write: Sink
  close(): Promise<number>
}

/**
 * Opens a file for a report, replacing what was there.
 *
 * @example
 * const file = fileSink('report.html')
 * await writeHtml(data, file.write)
 * const bytes = await file.close()
 */
export function fileSink(path: string): FileSink {
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
