import { resolve } from 'node:path'
import { UserError } from '../base/errors.js'
import { suites } from '../builtins.js'
import type { DataOptions, Suite, SuiteData } from '../model/index.js'
import { type Flags, type Typed, wholeNumber } from './args.js'
import { suitesIn } from './data-folder.js'
import { suitesFrom } from './request.js'

/** What is done with data for a suite, and what that is called once it is done. */
const DONE = { lint: 'checked', generate: 'generated', export: 'exported' } as const

export type DataVerb = keyof SuiteData

/** The suite whose data is meant, and what it is told of it. */
export interface AskedData<V extends DataVerb> {
  suite: Suite
  work: NonNullable<SuiteData[V]>
  options: DataOptions
}

/**
 * The suite that `--suite` names, or whose data a folder holds; else the first that can do it. One suite at a time, for each has flags and
 * a layout of its own.
 */
export async function askedData<V extends DataVerb>(verb: V, { list, text, on }: Typed): Promise<AskedData<V>> {
  const data = text.data === undefined ? undefined : resolve(text.data)
  const [asked, ...others] = list.suite
    ? await suitesFrom(list.suite)
    : [{ suite: usualSuite(verb, data), tasks: null }]
  if (others.length > 0)
    throw new UserError(`Corpora of two suites cannot be ${DONE[verb]} at once.`, 'Name one suite.')
  const { suite, tasks } = asked!
  const work = suite.data?.[verb]
  if (!work) {
    const able = suites.filter((other) => other.data?.[verb]).map(({ name }) => name)
    throw new UserError(`Corpora of ${suite.name} cannot be ${DONE[verb]}.`, `Those of ${able.join(' and ')} can.`)
  }
  const own = Object.entries(work.flags ?? {}).flatMap(([name]): [string, string][] => {
    const typed = text[name] ?? (on[name] ? 'true' : undefined)
    return typed === undefined ? [] : [[name, typed]]
  })
  const seed = wholeNumber('seed', text.seed ?? '42', 0)
  const options = { ...(tasks && { tasks }), ...(data !== undefined && { data }), seed, extra: Object.fromEntries(own) }
  return { suite, work, options }
}

/** The flags that suites have for work on their data, each with what it means to whom. */
export function dataFlags(all: readonly Suite[]): Flags {
  const flags: Flags = {}
  for (const { name: suite, data = {} } of all)
    for (const verb of Object.keys(DONE) as DataVerb[])
      for (const [name, { value, about }] of Object.entries(data[verb]?.flags ?? {})) {
        const before = flags[name] ? `${flags[name].about}; ` : ''
        const words = `${before}${verb} of ${suite}: ${about}`
        flags[name] = value === undefined ? { type: 'switch', about: words } : { type: 'text', value, about: words }
      }
  return flags
}

/** Of several suites whose data a folder holds the first is meant last: its rows are told by little. */
function usualSuite(verb: DataVerb, data: string | undefined): Suite {
  const usual = suites.find((suite) => suite.data?.[verb])!
  if (data === undefined) return usual
  const held = suitesIn(data)
  return held.find((suite) => suite !== usual) ?? held[0]!
}
