/** What went wrong with standard output, other than that nobody reads it any more. */
let failure: NodeJS.ErrnoException | null = null
let closed = false

/** What writing says when the reader has gone: of a pipe, a socket, and a terminal that was shut. */
const GONE = ['EPIPE', 'ECONNRESET', 'EIO', 'ERR_STREAM_DESTROYED']

/**
 * Keeps the command going when whoever read its output has seen enough, as `head` does: what is left to say goes nowhere, files are still
 * written, and the exit code is the command's own. Called once, before anything is written.
 */
export function outliveReaders(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    closed = true
    if (!GONE.includes(error.code ?? '')) failure ??= error
  })
  // Where errors are told is gone: there is nobody to tell.
  process.stderr.on('error', () => {})
}

/** Whether nothing written to standard output arrives any more, so that what is made for it alone may stop. */
export function isOutputClosed(): boolean {
  return closed
}

/** Why standard output could not be written, such as a full disk behind it; null when nothing failed or only the reader has gone. */
export function outputFailure(): NodeJS.ErrnoException | null {
  return failure
}

/** Writes to standard output and waits until it is through, or nobody reads. */
export function writeOutput(text: string): Promise<void> {
  return new Promise((done) => process.stdout.write(text, () => done()))
}
