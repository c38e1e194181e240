import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivedFact, saidFact, tinyQuestion, tinyScenario } from '../../test/engine/keeper.js'
import type { Fact, Question } from '../model/index.js'
import { lossFinder } from './lost.js'

const facts = [
  saidFact(0, 'The gate code is 4711.'),
  saidFact(1, 'Coffee cost 3.'),
  saidFact(2, 'Coffee cost 4.'),
  derivedFact('total', 'Coffee cost 7 in all.'),
  saidFact(3, 'The gate code is 9090 now.', { replaces: 'f0' }),
]

const lostFor = (question: Question, ...lost: string[]) =>
  lossFinder(tinyScenario(facts, [question]))(question, new Set(lost))

describe('a conversation that could not be stored', () => {
  it('takes away a question that needs a fact said in it, and no other', () => {
    expect(lostFor(tinyQuestion('q', [['f1']]), 'c1')).toBe('c1')
    expect(lostFor(tinyQuestion('q', [['f1']]), 'c2')).toBeNull()
    expect(lostFor(tinyQuestion('q', []), 'c1')).toBeNull()
  })

  it('leaves a question of which another alternative was said elsewhere', () => {
    expect(lostFor(tinyQuestion('q', [['f1'], ['f2']]), 'c1')).toBeNull()
    expect(lostFor(tinyQuestion('q', [['f1'], ['f2']]), 'c1', 'c2')).toBe('c1')
  })

  it('takes away a total with one entry lost, although the total itself was said nowhere', () => {
    const question = tinyQuestion('q', [['f1', 'f2'], ['total']])
    expect(lostFor(question, 'c2')).toBe('c2')
    expect(lostFor(question, 'c0')).toBeNull()
  })

  it('takes away a question whose outdated fact was corrected in it', () => {
    expect(lostFor(tinyQuestion('q', [['f1']], { outdated: ['f0'] }), 'c3')).toBe('c3')
    expect(lostFor(tinyQuestion('q', [['f1']], { outdated: ['f0'] }), 'c0')).toBeNull()
  })

  it('takes away exactly what the rule names, whatever is lost', () => {
    const ids = fc.subarray(['f0', 'f1', 'f2', 'f3', 'total'], { minLength: 1 })
    const given = fc.record({
      needs: fc.array(ids, { maxLength: 3 }),
      outdated: fc.subarray(['f0']),
      lost: fc.subarray(['c0', 'c1', 'c2', 'c3']),
    })
    fc.assert(
      fc.property(given, ({ needs, outdated, lost }) => {
        const said = needs.map((set) => set.filter((id) => id !== 'total'))
        const broken = (set: string[], i: number): boolean =>
          set.some((id) =>
            id === 'total'
              ? i > 0 && said[0]!.some((one) => lost.includes(one.replace('f', 'c')))
              : lost.includes(id.replace('f', 'c')),
          )
        const named = (needs.length > 0 && needs.every(broken)) || (outdated.length > 0 && lost.includes('c3'))
        expect(lostFor(tinyQuestion('q', needs, { outdated }), ...lost) !== null).toBe(named)
      }),
    )
  })
})

it('knows facts of several conversations by each of them', () => {
  const spread: Fact = saidFact(1, 'Said twice.', { sources: ['c1', 'c7'] })
  const question = tinyQuestion('q', [['f1']])
  expect(lossFinder(tinyScenario([spread], [question]))(question, new Set(['c7']))).toBe('c7')
})
