import pc from 'picocolors'
import { TASK_EXAMPLE } from '../builtins.js'
import { type ListedSystem, listSuites as suitesListed, listSystems as systemsListed } from '../library.js'
import { type Command, JSON_SWITCH, printJson } from './args.js'

const write = (text: string) => process.stdout.write(`${text}\n`)

/** `memscope suites`: what can be asked. */
export const listSuites: Command = {
  name: 'suites',
  about: 'list the suites and their tasks',
  usage: 'suites [file of your own] [--json]',
  flags: JSON_SWITCH,
  words: 1,
  examples: [`memscope run --suite ${TASK_EXAMPLE}`, 'memscope suites ./my-suite.ts'],
  async run({ on, words: [suite] }) {
    const listed = await suitesListed({ suite })
    if (on.json) return printJson(listed)
    for (const { name, about, paper, tasks, settings } of listed) {
      write(`${pc.bold(name)}  ${about}${paper === '' ? '' : ` ${pc.dim(`(${paper})`)}`}`)
      const width = Math.max(...tasks.map((task) => task.name.length))
      for (const task of tasks) {
        const ks = task.paperK.length > 0 ? `; paper’s k ${task.paperK.join(', ')}` : ''
        const held = task.bundledQuestions > 0 ? `${task.bundledQuestions} bundled questions` : 'with --data'
        const size = pc.dim(`(${held}${ks})`)
        write(`  ${task.name.padEnd(width)}  ${task.about} ${size}`)
      }
      for (const [option, { about, default: usual, values }] of Object.entries(settings)) {
        const choices = values.length > 0 ? `: ${values.join(', ')}` : ''
        write(pc.dim(`  ${name}:${option}=${usual === '' ? '<path>' : usual}  ${about}${choices}`))
      }
    }
    return 0
  },
}

/** `memscope systems`: what can be put under test. */
export const listSystems: Command = {
  name: 'systems',
  about: 'list the memory systems',
  usage: 'systems [--json]',
  flags: JSON_SWITCH,
  examples: ['memscope run --system bm25:unit=sentence:k1=1.5', 'memscope run --system ./my-memory.ts'],
  async run({ on }) {
    const rows = await systemsListed()
    if (on.json) return printJson(rows)
    const width = Math.max(...rows.map(({ name }) => name.length)) + 2
    const line = (left: string, right: string) =>
      write(`${' '.repeat(width)}${pc.dim(left.padEnd(26))} ${pc.dim(right)}`)
    for (const row of rows) {
      const traits = [
        classWords(row),
        ...(row.depth === 'fixed' ? ['fixed depth'] : []),
        ...(row.model ? ['needs --model'] : []),
        ...(row.missing.length > 0 ? [`needs the package ${row.packages[0]}`] : []),
      ]
      write(`${pc.bold(row.name.padEnd(width))}${row.about} ${pc.dim(`(${traits.join(', ')})`)}`)
      if (row.cost) {
        line('model calls to store', row.cost.store)
        line('model calls to retrieve', row.cost.retrieve)
      }
      if (row.papers.length > 0) line('described in', row.papers.join('; '))
      if (row.missing.length > 0) line('not installed', `npm install ${row.packages.join(' ')}`)
      for (const [variant, about] of Object.entries(row.variants)) line(`${row.name}:${variant}`, about)
      for (const [option, { default: value, about }] of Object.entries(row.options))
        line(`:${option}=${value === '' ? '<file>' : value}`, about)
    }
    write(`
A file of your own is a system too: memscope run --system ./my-memory.ts
All of them, those with a model inside only when one is named: memscope run --system all --model provider:model
What they would ask of it: add --estimate. To see them work without a key: --model rehearsal:demo (no measurement)`)
    return 0
  },
}

/** A class in words. */
function classWords({ class: kind, model }: ListedSystem): string {
  if (kind === 'processed') return model ? 'LLM-processed' : 'processed'
  return kind === 'file' ? 'file-based' : kind
}
