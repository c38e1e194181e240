import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { DOMAINS } from '../../src/suites/meme/graph.js'
import { fillerFile, fillerLines, makeFillers, packed } from './render.js'

for (const domain of DOMAINS) {
  const file = fillerFile(domain)
  const sessions = makeFillers(domain)
  const lines = fillerLines(sessions)
  // Other versions of zlib pack the same text into other bytes: a file that says the same stays as it is.
  const same = existsSync(file) && gunzipSync(readFileSync(file)).toString() === lines
  if (!same) writeFileSync(file, packed(lines))
  console.log(`${file}: ${sessions.length} sessions, ${same ? 'unchanged' : 'written'}`)
}
