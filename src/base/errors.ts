import { printable, shortened } from './text.js'

/** A mistake that its user can mend. Shown as text, without a stack. */
export class UserError extends Error {
  /**
   * @param message what happened and what was expected
   * @param hint what to do
   * @param exitCode 2 for bad usage or configuration, 3 for a run that cannot be completed
   */
  constructor(
    message: string,
    readonly hint?: string,
    readonly exitCode: 2 | 3 = 2,
  ) {
    super(message)
    this.name = 'UserError'
  }
}

/** Longest message of an error that is kept and shown; what is longer is cut, and says so. */
const LONGEST_MESSAGE = 2_000

/** An error and what caused it, from the outside in; nothing of what is no error. */
export function causesOf(error: unknown, most = 8): Error[] {
  const causes: Error[] = []
  for (let at = error; at instanceof Error && causes.length < most; at = at.cause) causes.push(at)
  return causes
}

/** What an error says and what caused it, for people: `fetch failed` alone helps nobody. Nothing in it is obeyed by a terminal. */
export function messageOf(error: unknown): string {
  return shortened(messagesOf(error).join(': '), LONGEST_MESSAGE)
}

/** The messages of an error and of its causes, codes included, each once. */
export function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [printable(shortened(String(error), LONGEST_MESSAGE))]
  const parts: string[] = []
  // Deeper causes tell nothing new.
  for (const at of causesOf(error, 5)) {
    const said =
      at.message === '' && at instanceof AggregateError ? at.errors.map(ownMessage).join(', ') : ownMessage(at)
    if (said !== '' && !parts.some((known) => known.includes(said))) parts.push(said)
  }
  return parts.length > 0 ? parts : [error.name]
}

function ownMessage(error: unknown): string {
  if (!(error instanceof Error)) return printable(shortened(String(error), LONGEST_MESSAGE))
  const message = printable(shortened(error.message, LONGEST_MESSAGE))
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return code === '' || message.includes(code) ? message : `${message} [${code}]`.trimStart()
}

/** The names closest to what was typed, for "did you mean". */
export function suggest(typed: string, names: readonly string[]): string | undefined {
  const most = (name: string) => Math.max(2, Math.floor(name.length / 3))
  const ranked = names
    .filter((name) => Math.abs(typed.length - name.length) <= most(name))
    .map((name) => ({ name, distance: editDistance(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= most(name))
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name
}

/** Most characters of a name that is told back. */
const MOST_NAMED = 200

/** A `UserError` for a name that is not one of those known. */
export function unknownName(what: string, typed: string, names: readonly string[]): UserError {
  const near = suggest(typed, names)
  return new UserError(
    `There is no ${what} "${shortened(typed, MOST_NAMED)}".`,
    `${near ? `Did you mean "${near}"? ` : ''}Known: ${names.join(', ')}.`,
  )
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
