import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { type Ended, memscopeHere, temporaryFolder } from './cli.js'

/** A user's mistake: exit 2, one screen, no stack, nothing written. */
export async function expectMistake(
  args: string[],
  message: RegExp,
  cwd = temporaryFolder(),
  play: (args: string[], options: { cwd: string }) => Promise<Ended> = memscopeHere,
): Promise<void> {
  const before = readdirSync(cwd)
  const { code, out, err } = await play(args, { cwd })
  expect(err).toMatch(message)
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(err.split('\n').length).toBeLessThan(24)
  expect(err).not.toMatch(/\n\s+at /)
  expect(readdirSync(cwd)).toEqual(before)
}
