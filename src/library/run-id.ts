import { randomBytes } from 'node:crypto'

/** An id that nobody had before: when, and a little chance. */
export function newRunId(): string {
  const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return `${time}-${randomBytes(2).toString('hex')}`
}
