import pc from 'picocolors'
import { suites, TASK_EXAMPLE } from '../builtins.js'
import { questionsOf } from '../model/index.js'
import { resolveSuite } from '../suites/registry.js'
import type { Command } from './args.js'
import { lightSettings } from './suite-flags.js'

/** `memscope suites`: what can be asked. */
export const listSuites: Command = {
  name: 'suites',
  about: 'list the suites and their tasks',
  usage: 'suites [file of your own] [--json]',
  flags: { json: { type: 'switch', about: 'as JSON' } },
  words: 1,
  examples: [`memscope run --suite ${TASK_EXAMPLE}`, 'memscope suites ./my-suite.ts'],
  async run({ on, words: [file] }) {
    const listed = []
    for (const suite of file === undefined ? suites : [await resolveSuite(file, process.cwd())]) {
      const { scenarios } = await suite.load({ view: 'audited', seed: 42, size: 'paper', extra: lightSettings(suite) })
      const questions = scenarios.flatMap(questionsOf)
      listed.push({
        name: suite.name,
        about: suite.about,
        paper: suite.paper,
        tasks: suite.tasks.map(({ name, about, paperK }) => ({
          name,
          about,
          paperK,
          bundledQuestions: questions.filter(({ task }) => task === name).length,
        })),
        settings: Object.fromEntries(
          Object.entries(suite.flags).map(([flag, { default: usual, values, about }]) => [
            flag,
            { default: usual, values, about },
          ]),
        ),
      })
    }
    if (on.json) {
      process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
      return 0
    }
    for (const { name, about, paper, tasks } of listed) {
      process.stdout.write(`${pc.bold(name)}  ${about}${paper === '' ? '' : ` ${pc.dim(`(${paper})`)}`}\n`)
      const width = Math.max(...tasks.map((task) => task.name.length))
      for (const task of tasks) {
        process.stdout.write(
          `  ${task.name.padEnd(width)}  ${task.about} ${pc.dim(`(${task.bundledQuestions} bundled questions${task.paperK.length > 0 ? `; paper’s k ${task.paperK.join(', ')}` : ''})`)}\n`,
        )
      }
    }
    return 0
  },
}
