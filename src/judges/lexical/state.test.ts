import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { conversationsOf, type Fact, type FactLabel, type Memory } from '../../model/index.js'
import { compileEpisode } from '../../suites/meme/compile.js'
import { makeEpisode } from '../../suites/meme/generate/index.js'
import { DOMAINS, readGraph } from '../../suites/meme/graph.js'
import { splitUnits, UNIT_OPTION } from '../../systems/units.js'
import { createLexicalJudge } from './index.js'
import { removalOf } from './removal.js'

const LABELS: Record<'c' | 's' | 'n', FactLabel> = { c: 'correct', s: 'summary_error', n: 'not_stored' }

/** A fact and stores of one or more memories with what became of it there. `seen`: all of them were looked at while the judge was written. */
const Group = z.strictObject({
  domain: z.enum(DOMAINS),
  seen: z.boolean().optional(),
  stance: z.enum(['held', 'dependent', 'conditional', 'changed', 'considered', 'revoked', 'doubted', 'removed']),
  derived: z.boolean().optional(),
  entity: z.string(),
  value: z.string(),
  parent: z
    .strictObject({ entity: z.string(), value: z.string().optional(), becomes: z.string().optional() })
    .optional(),
  text: z.string(),
  cases: z.array(z.tuple([z.enum(['c', 's', 'n']), z.union([z.string(), z.array(z.string())])])),
})

const groups = readData(new URL('../../../test/fixtures/judges/state-cases.json', import.meta.url), z.array(Group))
const judge = createLexicalJudge()

function factOf({ domain, stance, derived, entity, value, parent, text }: z.infer<typeof Group>): Fact {
  const graph = readGraph(domain)
  const names = (id: string) => [...new Set([graph.entity(id).label, ...graph.entity(id).cues])]
  const forms = (id: string, of: string) => [
    of,
    ...(graph.entity(id).values.find((one) => one.text === of)?.forms ?? []),
  ]
  const conditions = parent
    ? [
        ...(parent.becomes === undefined ? names(parent.entity) : forms(parent.entity, parent.becomes)),
        ...(parent.value === undefined ? [] : forms(parent.entity, parent.value)),
      ]
    : []
  return {
    id: `${stance}:${entity}`,
    text,
    sources: derived ? [] : ['s'],
    cues: {
      kind: 'state',
      stance,
      explicit: true,
      parts: [
        { role: 'what', forms: names(entity) },
        { role: 'value', forms: forms(entity, value) },
        ...(conditions.length > 0 ? [{ role: 'condition' as const, forms: conditions }] : []),
      ],
    },
  }
}

const storeOf = (given: string | string[]): Memory[] =>
  (typeof given === 'string' ? [given] : given).map((text, i) => ({ id: `m${i}`, text }))

/** Every second case of the groups that were not looked at as a whole was set aside. */
async function verdicts(half: 'seen' | 'aside') {
  let number = 0
  const found: { right: boolean; certain: boolean; told: string }[] = []
  for (const group of groups) {
    const fact = factOf(group)
    for (const [label, given] of group.cases) {
      const seen = group.seen === true || ++number % 2 === 1
      if (seen !== (half === 'seen')) continue
      const [verdict] = await judge.judgeFacts([fact], storeOf(given))
      const told = `${fact.id}: ${JSON.stringify(given)} is ${verdict!.label}`
      found.push({ right: verdict!.label === LABELS[label], certain: !verdict!.uncertain, told })
    }
  }
  return found
}

const share = (list: readonly { right: boolean }[]) => list.filter(({ right }) => right).length / list.length

describe('what memories make of values, rules, changes and removals', () => {
  it('is told as labelled in all cases the judge was written on', async () => {
    const found = await verdicts('seen')
    expect(found.filter(({ right }) => !right).map(({ told }) => told)).toEqual([])
    expect(found.length).toBeGreaterThanOrEqual(200)
  })

  it('is told as labelled in 95 of 100 cases set aside, and 97 of 100 where the judge is certain', async () => {
    const found = await verdicts('aside')
    expect(found.length).toBeGreaterThanOrEqual(150)
    expect(share(found)).toBeGreaterThanOrEqual(0.95)
    expect(share(found.filter(({ certain }) => certain))).toBeGreaterThanOrEqual(0.97)
  })
})

describe.each(DOMAINS)('an episode of %s kept as said', (domain) => {
  const scenarios = Array.from({ length: 3 }, (_, index) =>
    compileEpisode(makeEpisode({ domain, seed: 5, index, filler: index === 0 ? 32_000 : 0, fillerName: 'test' })),
  )

  it.each([
    ['turn', 'plain'],
    ['sentence', 'plain'],
    ['conversation', 'plain'],
    ['chunk=4096', 'session'],
  ] as const)('by %s has every fact that was said, for certain, and none that was not', async (unit, format) => {
    for (const scenario of scenarios) {
      const store = conversationsOf(scenario).flatMap((one) => splitUnits(one, UNIT_OPTION.parse(unit), format))
      const found = await judge.judgeFacts(scenario.facts, store)
      const expected = scenario.facts.map(({ sources, id }) =>
        sources.length > 0 ? `${id} correct certain` : `${id} not_stored`,
      )
      const told = found.map(({ label, uncertain, fact }) =>
        label === 'not_stored' ? `${fact} ${label}` : `${fact} ${label} ${uncertain ? 'uncertain' : 'certain'}`,
      )
      expect(told).toEqual(expected)
    }
  })

  it('is judged in a fraction of a second, fillers and all', async () => {
    const [scenario] = scenarios
    const store = conversationsOf(scenario!).flatMap((one) => splitUnits(one, UNIT_OPTION.parse('turn'), 'plain'))
    const facts = scenario!.facts.slice(0, 30)
    await judge.judgeFacts(facts, store)
    const start = process.cpuUsage()
    await judge.judgeFacts(facts, store)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(150)
  })
})

describe('a value that was to be forgotten', () => {
  const names = ['alert channel', 'alerts']
  const fact = (stance: 'held' | 'removed', text: string): Fact => ({
    id: stance,
    text,
    sources: ['s'],
    cues: {
      kind: 'state',
      stance,
      explicit: true,
      parts: [
        { role: 'what', forms: names },
        { role: 'value', forms: ['#tallgrass-flares'] },
      ],
    },
  })
  const facts = [
    fact('held', 'Our alert channel is #tallgrass-flares.'),
    fact('removed', 'Please forget what I told you about our alert channel.'),
  ]

  it.each<[string, Memory[]]>([
    ['removed', [{ id: 'a', text: 'The team likes tea.' }]],
    ['tombstoned', [{ id: 'a', text: 'User asked to forget the alert channel.' }]],
    ['tombstone repeats the value', [{ id: 'a', text: 'User asked to forget the alert channel #tallgrass-flares.' }]],
    [
      'tombstone repeats the value',
      [
        {
          id: 'a',
          text: 'Our alert channel is #tallgrass-flares, and I should not have shared that, so please forget it.',
        },
      ],
    ],
    ['tombstone repeats the value', [{ id: 'a', text: 'Alert channel: #tallgrass-flares', status: 'tombstone' }]],
    [
      'still live',
      [
        { id: 'a', text: 'Alert channel: #tallgrass-flares' },
        { id: 'b', text: 'User asked to forget the alert channel.' },
      ],
    ],
  ])('is %s', async (expected, store) => {
    const [value, request] = await judge.judgeFacts(facts, store)
    expect(removalOf(value!, request, store, ['#tallgrass-flares'])).toBe(expected)
  })
})
