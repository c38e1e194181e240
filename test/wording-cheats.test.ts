import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createLexicalJudge } from '../src/judges/lexical/index.js'
import type { Fact, FactLabel } from '../src/model/index.js'

/** A fact, a memory that has its words and not its sense, and the verdict that deserves. `open`: the judge does not see it yet. */
interface WordingCheat {
  frame: string
  fact: Fact
  memory: string
  deserves: Exclude<FactLabel, 'correct'>
  open: boolean
}

const cheats = JSON.parse(
  readFileSync(new URL('./fixtures/wording-cheats.json', import.meta.url), 'utf8'),
) as WordingCheat[]

it('has every frame: denial, fiction, hearsay, retraction, question, list of words, another person', () => {
  expect(new Set(cheats.map(({ frame }) => frame)).size).toBeGreaterThanOrEqual(7)
})

it.each(cheats.map((cheat) => [cheat.memory, cheat] as const))('%s', async (_, { fact, memory, deserves, open }) => {
  const [verdict] = await createLexicalJudge().judgeFacts([fact], [{ id: 'm', text: memory }])
  // What is marked as open is still called correct: once it is not, the mark must go.
  expect(verdict!.label === 'correct' ? 'correct' : deserves).toBe(open ? 'correct' : deserves)
})
