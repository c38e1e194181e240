import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupBy } from '../../src/base/group-by.js'
import { type GoldCase, parseGold } from '../../src/judges/gold.js'
import { goldCases } from '../../src/suites/memfail/gold.js'
import { TASKS } from '../../src/suites/memfail/material.js'
import { loadOwn } from '../../src/suites/memfail/own-material.js'

const FIT = 'lab/training/fit'
const TRAINED = 'lab/training/cases'
const DEV = '../shared/gold/judge-dev.jsonl'

/** Labelled facts by name: those on which the decision is fitted, and, where they are there, those on which it is only measured. */
export function labelledCases(): Map<string, GoldCase[]> {
  const fit = casesIn(FIT, /^[fg]\d+\.jsonl$/)
  const dev = existsSync(DEV) ? parseGold(readFileSync(DEV, 'utf8'), DEV) : []
  return new Map([['for fitting', fit], ...(dev.length > 0 ? ([['judge-dev', dev]] as const) : [])])
}

/**
 * The same, those that the model was trained on and those of the bundled corpora, by dataset and style, each with a store of its own, as
 * `judge eval` has them. One set after another is read.
 */
export function* groupedCases(): Generator<GoldCase[]> {
  const own = () => TASKS.flatMap((task) => [...goldCases(loadOwn(task))]).map((one) => JSON.stringify(one))
  const sets = [
    ...[...labelledCases().values()].map((cases) => () => cases),
    () => casesIn(TRAINED, /\.jsonl$/),
    () => parseGold(own().join('\n'), 'bundled corpora'),
  ]
  for (const cases of sets) yield* groupBy(cases(), ({ dataset, style }) => `${dataset}\n${style}`).values()
}

function casesIn(folder: string, name: RegExp): GoldCase[] {
  const files = readdirSync(folder).filter((file) => name.test(file))
  return files.flatMap((file) => parseGold(readFileSync(join(folder, file), 'utf8'), file))
}
