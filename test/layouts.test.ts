import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generateData, run } from '../src/library.js'
import { conversationsOf, type Question, questionsOf, type Scenario, type Suite } from '../src/model/index.js'
import { meme } from '../src/suites/meme/index.js'
import { memfail } from '../src/suites/memfail/index.js'
import { memora } from '../src/suites/memora/index.js'
import { temporaryFolder, textsIn } from '../tools/making/measure.js'

async function made(suite: string, target: number, settings = {}): Promise<string> {
  const out = temporaryFolder()
  await generateData({ suite, generator: 'rehearsal:demo', target, settings, home: temporaryFolder(), out })
  return out
}

const read = (suite: Suite, data: string) =>
  suite.load({ data, view: 'audited', seed: 42, size: 'paper', extra: {} }).then(({ scenarios }) => scenarios)

const saidIn = (scenario: Scenario) => conversationsOf(scenario).map(({ turns }) => turns)
const askedIn = (scenario: Scenario, more: (question: Question) => object) =>
  questionsOf(scenario).map((question) => ({ task: question.task, text: question.text, ...more(question) }))

/** A run over a folder gets through, and is told the same. */
async function runs(suite: string, data: string) {
  const { summary } = await run({ suite, data, system: 'bm25', size: 'quick', home: temporaryFolder() })
  expect(summary.status).toBe('valid')
}

describe('what models made is read back from the layout of its paper', () => {
  it('memfail: the same essays, facts, questions and options; a persona’s details as one fact', async () => {
    const out = await made('memfail', 6)
    const published = join(out, 'published')
    const [own, theirs] = [await read(memfail, out), await read(memfail, published)]
    const compared = (scenario: Scenario) => ({
      id: scenario.id,
      said: saidIn(scenario),
      // Who is asked about in vain is the same; the words for it are the authors’.
      asked: askedIn(scenario, ({ gold, choices, tags }) => ({
        gold: gold.kind === 'abstain' ? gold.about : gold,
        choices,
        tags,
      })),
      ...(scenario.id !== 'memfail/persona' && { facts: scenario.facts.map(({ text }) => text) }),
    })
    expect(theirs.map(compared)).toEqual(own.map(compared))
    await runs('memfail', published)
  })

  it('memora: the same sessions, questions and criteria, and all that was told', async () => {
    const out = await made('memora', 1, { days: '3' })
    const published = join(out, 'published')
    const [[own], [theirs]] = [await read(memora, out), await read(memora, published)]
    expect(saidIn(theirs!)).toEqual(saidIn(own!))
    const criteria = ({ gold }: Question) => ({
      criteria: gold.kind === 'criteria' && gold.criteria.map(({ text, type, expected }) => ({ text, type, expected })),
    })
    expect(askedIn(theirs!, criteria)).toEqual(askedIn(own!, criteria))
    // Documents go by other names; what was reckoned was said by nobody.
    const told = ({ facts }: Scenario) =>
      facts.filter(({ sources }) => sources.length > 0).map(({ id }) => id.replace(/\bdoc:[^:]*/, 'doc'))
    expect(told(own!).length).toBeGreaterThan(50)
    expect(told(own!).filter((id) => !told(theirs!).includes(id))).toEqual([])
    await runs('memora', published)
  })

  it('meme: what stands in the file, turn by turn and question by question', async () => {
    const out = await made('meme', 2)
    const { episodes } = JSON.parse(textsIn(out).get('meme_nofiller.json')!) as { episodes: ReleasedEpisode[] }
    const scenarios = await read(meme, out)
    for (const [at, { sessions, ...episode }] of episodes.entries()) {
      const scenario = scenarios[at]!
      expect(scenario.id).toBe(`meme/${episode.episode_id}`)
      expect(saidIn(scenario)).toEqual(
        sessions.map(({ conversation }) => conversation.map(({ role, content }) => ({ role, text: content }))),
      )
      const gold = sessions.flatMap(({ gold_facts = [] }) => gold_facts.map(({ fact_text }) => fact_text))
      const texts = scenario.facts.map(({ text }) => text)
      expect(gold.length).toBeGreaterThan(10)
      expect(gold.filter((text) => !texts.some((one) => one.includes(text)))).toEqual([])
    }
    await runs('meme', out)
  })
})

interface ReleasedEpisode {
  episode_id: string
  sessions: { conversation: { role: string; content: string }[]; gold_facts?: { fact_text: string }[] }[]
}
