import { join } from 'node:path'
import { run } from '../../src/library.js'
import { beam } from '../../src/suites/beam/index.js'

const [, , what, folder] = process.argv

if (what === 'read') {
  const { scenarios } = await beam.load({ data: folder!, view: 'audited', seed: 1, size: 'paper', extra: {} })
  if (scenarios.length !== 1) throw new Error(`${scenarios.length} chats were read`)
} else {
  const { summary } = await run({ suite: 'beam', data: folder!, system: 'bm25', k: 5, home: join(folder!, 'home') })
  const [cell] = summary.cells.filter(({ evidence }) => evidence !== null)
  if (cell?.evidence?.rate !== 1) throw new Error('the needle was not found')
}
process.stdout.write(String(process.resourceUsage().maxRSS))
