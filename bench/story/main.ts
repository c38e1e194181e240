import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll, systems } from '../../src/builtins.js'
import { readOriginals, withDefaults } from './originals.js'
import { rehearsedBy } from './rehearsed.js'
import { signatures, withSignatures } from './signatures.js'

const FILE = 'docs/systems.md'
const PAGES = 'docs/systems'

const tables = await signatures()
console.log(tables)
writeFileSync(FILE, withSignatures(readFileSync(FILE, 'utf8'), tables))

const rehearsed: Record<string, unknown> = {}
for (const definition of await loadAll(systems))
  if (definition.name in readOriginals() && !definition.needs?.endpoint)
    rehearsed[definition.name] = await rehearsedBy(definition)
writeFileSync('test/fixtures/systems/rehearsed.json', `${JSON.stringify(rehearsed, null, 1)}\n`)

for (const name of readdirSync(PAGES).filter((file) => file.endsWith('.md'))) {
  const page = join(PAGES, name)
  writeFileSync(page, withDefaults(readFileSync(page, 'utf8'), readOriginals()))
}
