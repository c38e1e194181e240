import { readFileSync, writeFileSync } from 'node:fs'
import { signatures, withSignatures } from './signatures.js'

const FILE = 'docs/systems.md'

const tables = await signatures()
console.log(tables)
writeFileSync(FILE, withSignatures(readFileSync(FILE, 'utf8'), tables))
