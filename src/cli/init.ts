import { init as writeStarter } from '../library.js'
import { type Command, JSON_SWITCH, printJson, textFlag } from './args.js'

/** `memscope init`: a starter for a memory of one's own. */
export const init: Command = {
  name: 'init',
  about: 'write a commented starter for a memory of your own',
  usage: 'init [ts|python|command|http|mcp|traces] [--out <folder>]',
  flags: { out: textFlag('<folder>', 'where it is written (default here)'), ...JSON_SWITCH },
  words: 1,
  examples: ['memscope init python', 'memscope init command --out my-memory'],
  async run({ words: [kind], text: { out }, on: { json } }) {
    const made = await writeStarter({ ...(kind !== undefined && { kind }), ...(out !== undefined && { out }) })
    if (json) return printJson(made)
    const width = Math.max(...made.others.map((other) => other.kind.length))
    const lines = [
      `Wrote ${made.file}`,
      '',
      `Next${out === undefined ? '' : `, in ${out}`}:`,
      ...made.next.map((command) => `  ${command}`),
      '',
      'Other starters:',
      ...made.others.map((other) => `  memscope init ${other.kind.padEnd(width)}  ${other.about}`),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
    return 0
  },
}
