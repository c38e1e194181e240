import { gzipSync } from 'node:zlib'
import { Random } from '../../src/base/random.js'
import type { FillerSession } from '../../src/suites/meme/filler/index.js'
import type { Domain } from '../../src/suites/meme/graph.js'
import { compose, dealt } from './compose.js'
import { movesOf, sourcesOf } from './sources.js'

/** Sessions of each domain’s pool: three times what an episode of 128K tokens takes, and few enough to be embedded once in minutes. */
export const POOL_SIZE = 240

/** Where the header of a gzip file names the system it was made on, and the value for none in particular. */
const SYSTEM_AT = 9
const NO_SYSTEM = 255

/** The file of a domain's sessions in the corpora. */
export function fillerFile(domain: Domain): string {
  return `src/corpora/meme/${domain}-fillers.jsonl.gz`
}

/** All sessions of a domain, made anew. */
export function makeFillers(domain: Domain): FillerSession[] {
  const sources = sourcesOf(domain)
  const moves = movesOf(domain)
  return dealt(sources, POOL_SIZE, `fillers of ${domain}`).map((first, index) =>
    compose(`${domain}:${index}`, first, sources, moves, new Random(`${domain} filler ${index}`)),
  )
}

/** The sessions as lines of JSON, as they stand in the file. */
export function fillerLines(sessions: readonly FillerSession[]): string {
  return sessions.map((session) => `${JSON.stringify(session)}\n`).join('')
}

/** Compressed in a way that does not tell when or where. */
export function packed(lines: string): Buffer {
  const bytes = gzipSync(lines, { level: 9 })
  bytes[SYSTEM_AT] = NO_SYSTEM
  return bytes
}
