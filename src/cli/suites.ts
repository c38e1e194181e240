import pc from 'picocolors'
import { suites } from '../builtins.js'
import { questionsOf } from '../model/index.js'
import type { Command } from './args.js'

/** Settings under which questions are counted: they are the same without filler. */
const LIGHT = { filler: 'none' }

/** `memscope suites`: what can be asked. */
export const listSuites: Command = {
  name: 'suites',
  about: 'list the suites and their tasks',
  usage: 'suites [--json]',
  flags: { json: { type: 'switch', about: 'as JSON' } },
  words: 0,
  examples: ['memscope run --suite memfail/long-hop'],
  async run({ on }) {
    const listed = []
    for (const suite of suites) {
      const { scenarios } = await suite.load({ view: 'audited', seed: 42, size: 'paper', extra: LIGHT })
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
        settings: suite.extras,
      })
    }
    if (on.json) {
      process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
      return 0
    }
    for (const { name, about, paper, tasks } of listed) {
      process.stdout.write(`${pc.bold(name)}  ${about} ${pc.dim(`(${paper})`)}\n`)
      const width = Math.max(...tasks.map((task) => task.name.length))
      for (const task of tasks) {
        process.stdout.write(
          `  ${task.name.padEnd(width)}  ${task.about} ${pc.dim(`(${task.bundledQuestions} bundled questions; paper’s k ${task.paperK.join(', ')})`)}\n`,
        )
      }
    }
    return 0
  },
}
