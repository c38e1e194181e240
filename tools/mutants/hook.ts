import { appendFileSync, readFileSync } from 'node:fs'
import { type LoadHook, register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/** What stands in the place of built modules, by address, and where a process that a test starts tells which places it came to. */
export interface Change {
  sources: Record<string, string>
  reached: string | null
}

/** Puts a change in the place of built modules, in every process that a test starts: `NODE_OPTIONS=--import …`, and the change's file. */
const file = process.env.MUTANT_FILE
const read = () => JSON.parse(readFileSync(file!, 'utf8')) as Change
if (isMainThread && file) {
  register(import.meta.url)
  const { reached } = read()
  const told = new Set<string>()
  let since = 0
  // Now and then anew: a process may live for more than one test.
  const tell = (place: string) => {
    if (Date.now() - since > 20) {
      told.clear()
      since = Date.now()
    }
    if (told.has(place)) return
    told.add(place)
    appendFileSync(reached!, `${place}\n`)
  }
  if (reached) Object.assign(globalThis, { reached: tell })
}

export const load: LoadHook = async (url, context, next) => {
  const source = file ? read().sources[url] : undefined
  return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
}
