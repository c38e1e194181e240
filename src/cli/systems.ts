import pc from 'picocolors'
import { systems } from '../systems/registry.js'
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
    const rows = systems.map(({ name, class: kind, about, depth, variants = {}, options = {} }) => ({
      name,
      class: kind,
      about,
      depth: depth ?? 'k',
      variants: Object.fromEntries(Object.entries(variants).map(([key, variant]) => [key, variant.about])),
      options: Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option])),
    }))
    if (on.json) {
      process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
      return 0
    }
    const width = Math.max(...rows.map(({ name }) => name.length)) + 2
    const line = (left: string, right: string) => `${' '.repeat(width)}${pc.dim(left.padEnd(26))} ${pc.dim(right)}\n`
    for (const row of rows) {
      process.stdout.write(
        `${pc.bold(row.name.padEnd(width))}${row.about} ${pc.dim(`(${row.class}${row.depth === 'fixed' ? ', fixed depth' : ''})`)}\n`,
      )
      for (const [variant, about] of Object.entries(row.variants))
        process.stdout.write(line(`${row.name}:${variant}`, about))
      for (const [option, { default: value, about }] of Object.entries(row.options))
        process.stdout.write(line(`:${option}=${value}`, about))
    }
    process.stdout.write('\nA file of your own is a system too: memscope run --system ./my-memory.ts\n')
    return 0
  },
}
