import type { Suite } from '../model/index.js'
import { meme } from './meme/index.js'
import { memfail } from './memfail/index.js'
import { memora } from './memora/index.js'

/** All suites, in the order of tables. */
export const suites: readonly Suite[] = [memfail, meme, memora]
