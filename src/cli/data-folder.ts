import { existsSync, statSync } from 'node:fs'
import { UserError } from '../base/errors.js'
import { suites } from '../builtins.js'
import type { Suite } from '../model/index.js'

/** What a folder must hold to be data of a suite. */
const EXPECTED = [
  'memfail: the CSV files of its release, such as long_hop/long_hop_chains.csv, or our rows, such as long-hop.jsonl',
  'meme: meme_nofiller.json, meme_filler32k.json, meme_filler128k.json or skeletons.json, or unpacked, such as filler32k_pl/episode_001.json',
  'memora: <weekly|monthly|quarterly>/<persona>/conversations/session_0001.json',
]

/**
 * The suites whose data a folder holds.
 *
 * @throws UserError when there is no such folder, or it holds data of no suite
 */
export function suitesIn(folder: string): Suite[] {
  const hint = `Expected data of a suite in it:\n${EXPECTED.map((line) => `  ${line}`).join('\n')}`
  if (!existsSync(folder)) throw new UserError(`There is no folder ${folder}.`, hint)
  if (!statSync(folder).isDirectory()) throw new UserError(`${folder} is not a folder.`, hint)
  const held = suites.filter((suite) => suite.holds?.(folder))
  if (held.length === 0) throw new UserError(`${folder} holds no data of a suite.`, hint)
  return held
}
