import { readFileSync } from 'node:fs'
import { type LoadHook, register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/** Puts a mutant in the place of its built module, in every process that a test starts: `NODE_OPTIONS=--import …`, and the mutant's file. */
const file = process.env.MUTANT_FILE
if (isMainThread && file) register(import.meta.url)

export const load: LoadHook = async (url, context, next) => {
  if (!file) return next(url, context)
  const { address, source } = JSON.parse(readFileSync(file, 'utf8')) as { address: string; source: string }
  return url === address ? { format: 'module', source, shortCircuit: true } : next(url, context)
}
