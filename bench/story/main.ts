import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOriginals, withDefaults } from './originals.js'
import { signatures, withSignatures } from './signatures.js'

const FILE = 'docs/systems.md'
const PAGES = 'docs/systems'

const tables = await signatures()
console.log(tables)
writeFileSync(FILE, withSignatures(readFileSync(FILE, 'utf8'), tables))

for (const name of readdirSync(PAGES).filter((file) => file.endsWith('.md'))) {
  const page = join(PAGES, name)
  writeFileSync(page, withDefaults(readFileSync(page, 'utf8'), readOriginals()))
}
