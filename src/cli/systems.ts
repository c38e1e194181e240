import pc from 'picocolors'
import { type ListedSystem, listSystems as systemsListed } from '../library.js'
import type { Command } from './args.js'

/** `memscope systems`: what can be put under test. */
export const listSystems: Command = {
  name: 'systems',
  about: 'list the memory systems',
  usage: 'systems [--json]',
  flags: { json: { type: 'switch', about: 'as JSON' } },
  words: 0,
  examples: ['memscope run --system bm25:unit=sentence:k1=1.5', 'memscope run --system ./my-memory.ts'],
  async run({ on }) {
    const rows = await systemsListed()
    if (on.json) {
      process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
      return 0
    }
    const width = Math.max(...rows.map(({ name }) => name.length)) + 2
    const line = (left: string, right: string) => `${' '.repeat(width)}${pc.dim(left.padEnd(26))} ${pc.dim(right)}\n`
    for (const row of rows) {
      const traits = [
        classWords(row),
        ...(row.depth === 'fixed' ? ['fixed depth'] : []),
        ...(row.model ? ['needs --model'] : []),
        ...(row.missing.length > 0 ? [`needs the package ${row.packages[0]}`] : []),
      ]
      process.stdout.write(`${pc.bold(row.name.padEnd(width))}${row.about} ${pc.dim(`(${traits.join(', ')})`)}\n`)
      if (row.cost) {
        process.stdout.write(line('model calls to store', row.cost.store))
        process.stdout.write(line('model calls to retrieve', row.cost.retrieve))
      }
      if (row.papers.length > 0) process.stdout.write(line('described in', row.papers.join('; ')))
      if (row.missing.length > 0) process.stdout.write(line('not installed', `npm install ${row.packages.join(' ')}`))
      for (const [variant, about] of Object.entries(row.variants))
        process.stdout.write(line(`${row.name}:${variant}`, about))
      for (const [option, { default: value, about }] of Object.entries(row.options))
        process.stdout.write(line(`:${option}=${value === '' ? '<file>' : value}`, about))
    }
    process.stdout.write('\nA file of your own is a system too: memscope run --system ./my-memory.ts\n')
    process.stdout.write(
      'All of them, those with a model inside only when one is named: memscope run --system all --model provider:model\n',
    )
    process.stdout.write(
      'What they would ask of it: add --estimate. To see them work without a key: --model rehearsal:demo (no measurement)\n',
    )
    return 0
  },
}

/** A class in words. */
function classWords({ class: kind, model }: ListedSystem): string {
  if (kind === 'processed') return model ? 'LLM-processed' : 'processed'
  return kind === 'file' ? 'file-based' : kind
}
