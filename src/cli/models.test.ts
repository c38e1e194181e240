import { describe, expect, it } from 'vitest'
import type { Gateway } from '../gateway/index.js'
import { type Embedder, type Llm, LlmError } from '../model/index.js'
import { createJudges } from './models.js'

const embed: Embedder = { id: 'none', dimensions: 1, embed: async (texts) => texts.map(() => new Float32Array(1)) }

/** A gateway whose models write down the trial of every call, and never answer. */
function listening(): { gateway: () => Gateway; trials: (number | undefined)[] } {
  const trials: (number | undefined)[] = []
  const llm = (model: string): Llm => ({
    model,
    generate: async (_, { trial }) => {
      trials.push(trial)
      throw new LlmError('provider', 'busy', '')
    },
  })
  return { gateway: () => ({ llm }) as unknown as Gateway, trials }
}

describe('a judge that judges several times', () => {
  it.each([
    ['llm:p:m', 1],
    ['hybrid:p:m', 1],
    ['panel:p:m,p:n,lexical', 2],
    ['paper:p:m', 1],
  ])('has a name, a key and replies of its own every time: %s', async (name, calls) => {
    const { gateway, trials } = listening()
    const judges = createJudges(name, 3, embed, gateway)
    const [first] = judges
    expect(judges.map((judge) => judge.name)).toEqual([first.name, `${first.name}#2`, `${first.name}#3`])
    expect(judges.map((judge) => judge.key)).toEqual([first.key, `${first.key}#2`, `${first.key}#3`])
    const question = {
      id: 'q',
      task: 't',
      text: 'What does Rosa sing?',
      needs: [],
      outdated: [],
      gold: { kind: 'free' as const, text: 'She sings alto in a choir.' },
      tags: {},
    }
    for (const [trial, judge] of judges.entries()) {
      trials.length = 0
      await judge.judgeAnswer(question, 'Something low, on most evenings.')
      expect(trials).toEqual(Array(calls).fill(trial))
    }
  })

  it.each(['lexical', 'panel:lexical,lexical'])('is refused where it would always say the same: %s', (name) => {
    const { gateway } = listening()
    expect(createJudges(name, 1, embed, gateway)).toHaveLength(1)
    expect(() => createJudges(name, 2, embed, gateway)).toThrow(`${name} says the same every time`)
  })
})
