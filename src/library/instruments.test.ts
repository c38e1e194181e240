import { describe, expect, it } from 'vitest'
import type { Gateway } from '../gateway/index.js'
import { resolveJudge } from '../judges/registry.js'
import { type Embedder, type JudgePair, type Llm, LlmError, sameJudgePair } from '../model/index.js'
import { createJudges } from './instruments.js'

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

async function judgesNamed(names: JudgePair<string>, times: number, models: () => Gateway) {
  const asked = {
    facts: await resolveJudge(names.facts, '.'),
    answers: await resolveJudge(names.answers, '.'),
  }
  return createJudges(asked, times, { embed, models })
}

describe('a judge that judges several times', () => {
  it.each([
    ['llm:p:m', 1],
    ['hybrid:p:m', 1],
    ['panel:p:m,p:n,lexical', 2],
    ['paper:p:m', 1],
  ])('has a name, a key and replies of its own every time: %s', async (name, calls) => {
    const { gateway, trials } = listening()
    const judges = (await judgesNamed(sameJudgePair(name), 3, gateway)).map(({ answers }) => answers)
    const first = judges[0]!
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

  it.each(['lexical', 'panel:lexical,lexical'])('is refused where it would always say the same: %s', async (name) => {
    const { gateway } = listening()
    expect(await judgesNamed(sameJudgePair(name), 1, gateway)).toHaveLength(1)
    await expect(judgesNamed(sameJudgePair(name), 2, gateway)).rejects.toThrow(`${name} says the same every time`)
  })

  it('has the one of the pair judge again that has a model, and the other stay who it is', async () => {
    const { gateway } = listening()
    const [first, again] = await judgesNamed({ facts: 'lexical', answers: 'llm:p:m' }, 2, gateway)
    expect(again!.facts).toBe(first.facts)
    expect(again!.answers.key).toBe(`${first.answers.key}#2`)
  })
})

describe('a judge that goes by question', () => {
  it.each([
    { facts: 'paper:p:m', answers: 'lexical' },
    { facts: 'llm:p:m', answers: 'paper:p:m' },
    { facts: 'paper:p:m', answers: 'paper:p:n' },
  ])('is refused half of the work: facts by $facts, answers by $answers', async (names) => {
    const { gateway } = listening()
    await expect(judgesNamed(names, 1, gateway)).rejects.toThrow(
      /goes by question and decides facts and answers in one/,
    )
    expect((await judgesNamed(sameJudgePair('paper:p:m'), 1, gateway))[0].facts.judgeQuestions).toBeDefined()
  })
})
