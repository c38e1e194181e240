import { measureSystem } from './measure.js'

const [spec = 'bm25', size = '1000'] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await measureSystem(spec, Number(size))))
