// What tsc leaves undone: it copies no data, and writes files that nobody may run: npm gives commands their run bit when it links them, once,
// and not again after a new build.
import { chmodSync, readFileSync } from 'node:fs'
import { copyData } from './copy-data.mjs'

copyData('src', 'dist')
for (const command of Object.values(JSON.parse(readFileSync('package.json', 'utf8')).bin)) chmodSync(command, 0o755)
