import { describe, expect, it } from 'vitest'
import type { Gold } from '../model/question.js'
import type { RunStore } from '../model/run-store.js'
import type { Scenario } from '../model/scenario.js'
import { recitalFinder } from './recital.js'

const PLACES = ['harbour', 'library', 'orchard', 'station', 'chapel', 'quarry', 'theatre', 'bakery', 'garden', 'museum']
const memories = PLACES.map((place, i) => ({
  id: `m${i}`,
  text: `Wilma met Odo by the ${place} and paid ${i + 11} crowns for lantern oil.`,
}))

function finder(gold: Gold) {
  const question = { id: 'q', task: 't', text: '?', needs: [['f']], outdated: [], gold, tags: {} }
  const timeline = [{ type: 'probe' as const, probe: { id: 'p', time: '', questions: [question] } }]
  const scenario: Scenario = { id: 's', suite: 'x', facts: [], timeline }
  const kept = { getMoments: async () => [{ moment: 'p', snapshot: 'h' }], getSnapshot: async () => memories }
  const key = { run: 'r', suite: 'x', scenario: 's', subject: { system: 'a', model: null }, trial: 0 }
  // Nothing else of a store is asked for.
  const find = recitalFinder(key, scenario, kept as unknown as RunStore)
  return (answer: string) => find(question, { k: 5 }, answer)
}

const whole = memories.map(({ text }) => text).join('\n')
const words = [...new Set(whole.match(/\w+/g))]

describe('an answer that recites the store', () => {
  const find = finder({ kind: 'list', items: ['harbour'], text: 'harbour' })

  it.each([
    ['word for word', whole],
    ['with a comma after every third word', whole.replace(/((?:\S+ ){3})/g, '$1, ')],
    ['with a word of its own after every third', whole.replace(/((?:\S+ ){3})/g, '$1 indeed ')],
    ['backwards', whole.split(' ').reverse().join(' ')],
    ['as all words that are in it', words.join(' ').padEnd(220, '.')],
  ])('is none: %s', async (_, answer) => {
    expect(await find(answer)).toMatchObject({ grade: 'wrong', uncertain: false })
  })

  it('is one when it tells of what was asked at length', async () => {
    const about = `Wilma met Odo by the harbour and paid 11 crowns for lantern oil. ${'She has told me nothing else of that day. '.repeat(8)}`
    expect(await find(about)).toBeNull()
    expect(
      await find(
        memories
          .slice(0, 5)
          .map(({ text }) => text)
          .join(' '),
      ),
    ).toBeNull()
  })
})

it('reads answers that are graded by criteria word for word, whatever signs stand between', async () => {
  const find = finder({ kind: 'criteria', criteria: [], text: '' })
  expect(await find(whole.replaceAll(' ', ', '))).toMatchObject({ grade: 'wrong' })
  expect(await find(words.join(' ').padEnd(220, '.'))).toBeNull()
})
