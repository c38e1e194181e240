#!/usr/bin/env node
import { unknownName } from '../base/errors.js'
import { type Command, helpOf, readArgs } from './args.js'
import { check } from './check.js'
import { harnessVersion } from './compose.js'
import { data } from './data.js'
import { EXIT_CODES, endWith } from './ending.js'
import { explain } from './explain.js'
import { judge } from './judge.js'
import { listModels } from './models-list.js'
import { reanswer, rejudge } from './redo.js'
import { report } from './report.js'
import { run } from './run.js'
import { runs } from './runs.js'
import { listSuites } from './suites.js'
import { listSystems } from './systems.js'

const commands: Command[] = [
  run,
  report,
  explain,
  rejudge,
  reanswer,
  runs,
  judge,
  data,
  check,
  listSystems,
  listSuites,
  listModels,
]

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${harnessVersion()}\n`)
    return 0
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(overview())
    return 0
  }
  const command = commands.find((candidate) => candidate.name === name)
  if (!command) {
    throw unknownName(
      'command',
      name,
      commands.map((candidate) => candidate.name),
    )
  }
  const typed = readArgs(command, rest)
  if (typed.on.help) {
    process.stdout.write(helpOf(command))
    return 0
  }
  return command.run(typed)
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'Memscope finds out why an agent’s memory fails.',
    '',
    'Usage: memscope <command> [flags]',
    '',
    ...commands.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    '',
    'memscope run, without flags, is the tour: no key, no network, under a minute.',
    'memscope <command> --help shows its flags.',
    '',
    'Exit codes:',
    ...EXIT_CODES.map(([code, about]) => `  ${code.padEnd(width)}  ${about}`),
    '',
  ].join('\n')
}

await endWith(() => main(process.argv.slice(2)))
