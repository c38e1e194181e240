import pc from 'picocolors'
import { suites } from '../builtins.js'
import { questionsOf } from '../model/index.js'
import type { Typed } from './args.js'
import { lightSettings } from './suite-flags.js'

/** A suite of more scenarios than these is listed in one line. */
const MOST_LISTED = 24

/** `memscope data list`: the bundled corpora. */
export async function listData({ text }: Typed): Promise<number> {
  const listed = []
  for (const suite of suites) {
    const options = { view: 'audited', seed: 42, size: 'paper', extra: lightSettings(suite) } as const
    const { scenarios, datasetHash } = await suite.load(options)
    const groups = scenarios.length > MOST_LISTED ? [scenarios] : scenarios.map((scenario) => [scenario])
    for (const group of groups) {
      const units = group.flatMap(({ timeline }) => timeline).filter(({ type }) => type === 'conversation').length
      listed.push({
        corpus: group.length === 1 ? group[0]!.id : `${suite.name}, ${group.length} scenarios`,
        conversations: units,
        facts: group.reduce((sum, { facts }) => sum + facts.length, 0),
        questions: group.flatMap(questionsOf).length,
        dataset: datasetHash,
      })
    }
  }
  if (text.json === '-') process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
  else {
    for (const { corpus, conversations, facts, questions } of listed) {
      process.stdout.write(
        `${pc.bold(corpus.padEnd(26))}${String(conversations).padStart(5)} conversations ${String(facts).padStart(5)} facts ${String(questions).padStart(5)} questions\n`,
      )
    }
  }
  return 0
}
