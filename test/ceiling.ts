import { expect } from 'vitest'
import { depthKey } from '../src/model/index.js'
import { memscopeHere } from './cli.js'
import { summaryOf } from './summary.js'

const DEPTHS = ['--k', '1,2,3,5,10,50', '--token-budget', '16,100,250,1000,4000']

/** Every cell in which `oracle` does not complete what the ceiling says can be completed. */
export async function offCeiling(...flags: string[]): Promise<string[]> {
  const { code, out, err } = await memscopeHere([
    'run',
    '--system',
    'oracle',
    ...DEPTHS,
    ...flags,
    '--quiet',
    '--json',
    '-',
  ])
  expect(code, err).toBe(0)
  const { cells, errors } = summaryOf(out)
  expect(errors).toBe(0)
  const own = cells.filter(({ system, evidence }) => system === 'oracle' && evidence)
  expect(own.length).toBeGreaterThan(0)
  return own
    .filter(({ evidence, scores }) => evidence!.rate !== scores.ceiling)
    .map(({ task, depth, evidence, scores }) => `${task}@${depthKey(depth)} ${evidence!.rate} of ${scores.ceiling}`)
}
