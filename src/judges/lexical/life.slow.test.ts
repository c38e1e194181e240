import { expect, it } from 'vitest'
import { Random } from '../../base/random.js'
import { askedAbout } from '../../suites/memora/load.js'
import { simulate } from '../../suites/memora/simulate/index.js'
import { tellSessions } from '../../suites/memora/talk/talk.js'
import { createLexicalJudge } from './index.js'

const life = simulate({ persona: 'content_writer', days: 7, seed: 7 })
const { timeline, facts } = await askedAbout(life, [...tellSessions(life, 7)], { seed: 7, tasks: [] })
const turns = timeline.flatMap((item) =>
  item.type !== 'conversation'
    ? []
    : item.conversation.turns.map(({ text }, at) => ({
        id: `${item.conversation.id}#${at}`,
        text,
        sources: [item.conversation.id],
      })),
)

it.each([0.1, 0.3, 0.6])('finds nothing damaged in turns kept word for word, a share of %d of them', async (share) => {
  const random = new Random(`kept ${share}`)
  const kept = turns.filter(() => random.random() < share)
  const verdicts = await createLexicalJudge().judgeFacts(facts, kept)
  expect(verdicts.filter(({ label }) => label === 'summary_error')).toEqual([])
  expect(new Set(verdicts.map(({ label }) => label))).toEqual(new Set(['correct', 'not_stored']))
})
