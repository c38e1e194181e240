// Data files live beside the code that reads them; tsc leaves them behind, so the build copies them.
import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const DATA = /\.(json|jsonl|csv|txt|bin|gz|css|html|cjs|py)$/

export function copyData(from, to) {
  for (const name of readdirSync(from)) {
    const source = join(from, name)
    if (statSync(source).isDirectory()) copyData(source, join(to, name))
    else if (DATA.test(name)) cpSync(source, join(to, name))
  }
}
