import { readFileSync } from 'node:fs'
import { UserError } from '../base/errors.js'

/** A file of cases that was named, or a `UserError` that says why it cannot be read. */
export function readCases(file: string, hint: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(
      `${file} cannot be read (${error instanceof Error && 'code' in error ? error.code : error}).`,
      hint,
    )
  }
}
