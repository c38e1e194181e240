import type { z } from 'zod'
import { readData } from '../../../base/data-file.js'
import { entryOf } from '../../../base/group-by.js'
import { LexiconFile } from '../../../corpora/memfail/grammar/schema.js'
import type { Lexicon } from './expand.js'

const SHARED = ['things', 'nature', 'people']

/** Reads a grammar file. */
export function readGrammar<T>(name: string, schema: z.ZodType<T>): T {
  return readData(new URL(`../../../corpora/memfail/grammar/${name}.json`, import.meta.url), schema)
}

const lexicons = new Map<string, Lexicon>()

/** The shared word lists together with those of a task. */
export function lexiconOf(task: string): Lexicon {
  return entryOf(lexicons, task, () =>
    Object.assign({}, ...[...SHARED, task].map((name) => readGrammar(`lexicon-${name}`, LexiconFile))),
  )
}

/** Calls once, then remembers. Grammars are read when the first row is made, not when the module is loaded. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
