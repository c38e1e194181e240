// Data files live beside the code that reads them; tsc leaves them behind, so the build copies them. And it writes files that nobody may run:
// npm gives commands their run bit when it links them, once, and not again after a new build.
import { chmodSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const DATA = /\.(json|jsonl|csv|txt|bin|css|html|cjs)$/

function copy(from, to) {
  for (const name of readdirSync(from)) {
    const source = join(from, name)
    if (statSync(source).isDirectory()) copy(source, join(to, name))
    else if (DATA.test(name)) cpSync(source, join(to, name))
  }
}

copy('src', 'dist')
for (const command of Object.values(JSON.parse(readFileSync('package.json', 'utf8')).bin)) chmodSync(command, 0o755)
