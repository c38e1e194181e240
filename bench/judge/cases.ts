import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupBy } from '../../src/base/group-by.js'
import { type GoldCase, parseGold } from '../../src/judges/gold.js'

const FIT = 'training/fit'
const DEV = '../shared/gold/judge-dev.jsonl'

/** Labelled facts by name: those on which the decision is fitted, and, where they are there, those on which it is only measured. */
export function labelledCases(): Map<string, GoldCase[]> {
  const files = readdirSync(FIT).filter((file) => /^[fg]\d+\.jsonl$/.test(file))
  const fit = files.flatMap((file) => parseGold(readFileSync(join(FIT, file), 'utf8'), file))
  const dev = existsSync(DEV) ? parseGold(readFileSync(DEV, 'utf8'), DEV) : []
  return new Map([['for fitting', fit], ...(dev.length > 0 ? ([['judge-dev', dev]] as const) : [])])
}

/** The same by dataset and style, each with a store of its own, as `judge eval` has them. */
export function groupedCases(): GoldCase[][] {
  const all = [...labelledCases().values()].flat()
  return [...groupBy(all, ({ dataset, style }) => `${dataset}\n${style}`).values()]
}
