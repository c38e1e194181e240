import pc from 'picocolors'
import { questionsOf } from '../model/index.js'
import { suites } from '../suites/registry.js'
import type { Typed } from './args.js'

/** `memscope data list`: the bundled corpora. */
export async function listData({ text }: Typed): Promise<number> {
  const listed = []
  for (const suite of suites) {
    const { scenarios, datasetHash } = await suite.load({ view: 'audited', seed: 42, size: 'paper', extra: {} })
    for (const scenario of scenarios) {
      const units = scenario.timeline.filter(({ type }) => type === 'conversation').length
      listed.push({
        corpus: scenario.id,
        conversations: units,
        facts: scenario.facts.length,
        questions: questionsOf(scenario).length,
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
