import { existsSync, statSync } from 'node:fs'
import { UserError } from '../base/errors.js'
import { suites } from '../builtins.js'
import type { Suite } from '../model/index.js'

/**
 * The suites whose data a folder holds.
 *
 * @throws UserError when there is no such folder, or it holds data of no suite
 */
export function suitesIn(folder: string): Suite[] {
  const expected = suites.flatMap(({ name, release }) => (release ? [`  ${name}: ${release.expected}`] : []))
  const hint = `Expected data of a suite in it:\n${expected.join('\n')}`
  if (!existsSync(folder)) throw new UserError(`There is no folder ${folder}.`, hint)
  if (!statSync(folder).isDirectory()) throw new UserError(`${folder} is not a folder.`, hint)
  const held = suites.filter((suite) => suite.release?.holds(folder))
  if (held.length === 0) throw new UserError(`${folder} holds no data of a suite.`, hint)
  return held
}
