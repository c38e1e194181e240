#!/usr/bin/env node
import { UserError, unknownName } from '../base/errors.js'
import { LlmError } from '../model/index.js'
import { type Command, helpOf, readArgs } from './args.js'
import { check } from './check.js'
import { harnessVersion } from './compose.js'
import { data } from './data.js'
import { explain } from './explain.js'
import { judge } from './judge.js'
import { listModels } from './models-list.js'
import { reanswer, rejudge } from './redo.js'
import { report } from './report.js'
import { run } from './run.js'
import { runs } from './runs.js'
import { withoutSecrets } from './secrets.js'
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
  ].join('\n')
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UserError && !process.argv.includes('--debug')) {
    process.stderr.write(`\nmemscope: ${withoutSecrets(error.message)}\n${error.hint ? `${error.hint}\n` : ''}`)
    process.exitCode = error.exitCode
  } else if (error instanceof LlmError && !process.argv.includes('--debug')) {
    process.stderr.write(`\nmemscope: ${withoutSecrets(error.message)}\n${error.hint}\n`)
    process.exitCode = 3
  } else {
    process.stderr.write(
      `\nmemscope: this is a fault in Memscope or in a system it runs.\n${withoutSecrets(stackOf(error))}\n`,
    )
    process.exitCode = error instanceof UserError ? error.exitCode : 70
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
