import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../../../base/text.js'
import { PERSONAS } from '../seed.js'
import { simulate } from '../simulate/index.js'
import type { LifeTrace, Operation } from '../trace.js'
import { findGroundingErrors } from './grounded.js'
import { daysAsSaid } from './reading.js'
import { plannedTalk, tellSessions } from './talk.js'

const SEEDS = 3
const lives = PERSONAS.slice(0, 3).map((persona) => simulate({ persona, days: 7, seed: 4 }))
const talks = lives.map((life) => [...tellSessions(life, 1)])
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Every kind of operation, on things of the persona's own world. */
const OPERATIONS: Operation[] = [
  ...(['like', 'dislike'] as const).flatMap((liking): Operation[] => {
    const to = liking === 'like' ? 'dislike' : 'like'
    return [
      { of: 'taste', act: 'add', domain: 'movies', subcategory: 'directors', item: 'John Woo', liking },
      { of: 'taste', act: 'add', domain: 'movies', subcategory: 'already_watched_list', item: 'Die Hard', liking },
      { of: 'taste', act: 'add', domain: 'music', subcategory: 'decades', item: '1980s', liking },
      { of: 'taste', act: 'delete', domain: 'books', subcategory: 'topics', item: 'espionage', liking },
      { of: 'taste', act: 'flip', domain: 'travel', subcategory: 'climates', item: 'arctic cold', from: liking, to },
      {
        of: 'taste',
        act: 'replace',
        domain: 'music',
        subcategory: 'genres',
        item: 'doom metal',
        old: 'glam metal',
        liking,
      },
    ]
  }),
  { of: 'food', act: 'add', meal: 'grocery', amount: 83.5 },
  { of: 'steps', act: 'add', activity: 'ordinary day', count: 9876 },
  { of: 'todo', act: 'add', list: 'work', task: 'Redo the territory split' },
  { of: 'todo', act: 'delete', list: 'personal', task: 'Rotate the mattress' },
  { of: 'calendar', act: 'add', kind: 'work', event: 'Distributor annual talks', day: '2025-06-21' },
  {
    of: 'calendar',
    act: 'update',
    kind: 'work',
    event: 'Pipeline forecast call',
    day: '2025-06-13',
    old: '2025-06-11',
  },
  {
    of: 'calendar',
    act: 'update',
    kind: 'birthdays',
    event: "Son Jonah's birthday",
    day: '2026-01-02',
    old: '2025-12-30',
  },
  { of: 'calendar', act: 'delete', kind: 'personal', event: 'Knee scan with Dr. Ferreira', day: '2025-06-12' },
  { of: 'goal', act: 'set', goal: 'coffee', value: 40, old: null },
  { of: 'goal', act: 'set', goal: 'grocery', value: 1025, old: 350 },
  { of: 'goal', act: 'set', goal: 'steps', value: 9500, old: null },
  { of: 'goal', act: 'set', goal: 'steps', value: 12000, old: 9500 },
  {
    of: 'document',
    act: 'update',
    kind: 'proposal',
    document: 'proposal-1',
    title: 'Warm Floors',
    revisions: [
      { field: 'budget', change: 'revised', from: 650000, to: 1050000 },
      { field: 'risks', change: 'added', value: 'Tenants refuse entry' },
    ],
    completes: false,
  },
  {
    of: 'document',
    act: 'delete',
    kind: 'proposal',
    document: 'proposal-1',
    title: 'Warm Floors',
    revisions: [
      { field: 'budget', change: 'reverted', from: 1050000, to: 650000 },
      { field: 'team', change: 'removed', value: 'Emiko Sakamoto' },
    ],
    completes: true,
  },
]

function traceOf(operations: Operation[]): LifeTrace {
  const sessions = operations.map((operation, index) => ({ number: index + 1, day: '2025-06-05', operation }))
  return { persona: 'sales_manager', start: '2025-06-05', end: '2025-06-05', sessions }
}

describe('a conversation', () => {
  it('is the same for the same seed and another for another', () => {
    const [life] = lives
    expect([...tellSessions(structuredClone(life!), 1)]).toEqual(talks[0])
    expect([...tellSessions(life!, 2)]).not.toEqual(talks[0])
  })

  it('has about sixteen turns of alternating speakers', () => {
    const lengths = talks.flat().map(({ turns }) => turns.length)
    expect(mean(lengths)).toBeGreaterThan(15.4)
    expect(mean(lengths)).toBeLessThan(16.4)
    for (const { turns } of talks.flat()) {
      expect(turns.every(({ role }, at) => role !== turns[at - 1]?.role)).toBe(true)
    }
  })

  it('is numbered by its session and has a time of the day that rises', () => {
    for (const [index, life] of lives.entries()) {
      const times = talks[index]!.map(({ time }) => time)
      expect(times).toEqual([...times].sort())
      expect(new Set(times).size).toBe(times.length)
      for (const [at, { id, time }] of talks[index]!.entries()) {
        expect(id).toBe(String(at + 1).padStart(4, '0'))
        expect(time.slice(0, 10)).toBe(life.sessions[at]!.day)
        expect(time.slice(11) > '08:00' && time.slice(11) < '21:00').toBe(true)
      }
    }
  })

  it('hands over the sentences of the user that say each part', () => {
    for (const [index, life] of lives.entries()) {
      for (const [at, { turns, said }] of talks[index]!.entries()) {
        const { operation } = life.sessions[at]!
        expect(Object.keys(said).length > 0).toBe(operation !== null)
        const spoken = turns.filter(({ role }) => role === 'user').map(({ text }) => text)
        for (const sentence of Object.values(said).flat()) {
          expect(spoken.some((text) => text.includes(sentence))).toBe(true)
        }
        for (const [part, sentence] of Object.entries(said)) {
          const [, , value] = /^field:([^:]+):(.*)$/.exec(part) ?? []
          if (value !== undefined && !/^\d+$/.test(value)) expect(sentence[0]).toContain(value)
        }
      }
    }
  })

  it('says the new day of a rescheduled event, and the old one', () => {
    const trace = traceOf(OPERATIONS)
    const session = trace.sessions.find(({ operation }) => operation?.of === 'calendar' && operation.act === 'update')!
    const { said } = plannedTalk(trace, session, 1)
    const says = (part: string, day: string) => daysAsSaid(day).some((form) => fold(said[part]![0]!).includes(form))
    expect(says('value', '2025-06-13')).toBe(true)
    expect(says('old', '2025-06-11')).toBe(true)
  })

  it('keeps to fields and revisions in a session about a document', () => {
    const trace = traceOf(OPERATIONS)
    const { said, turns } = plannedTalk(trace, trace.sessions.at(-1)!, 1)
    const revisions = [0, 1].map((index) => `revision:${index}`)
    expect(Object.keys(said).sort()).toEqual(
      ['completes', 'item', ...revisions, 'revision:0:from', 'revision:0:to'].sort(),
    )
    expect(said.item![0]).toContain('Warm Floors')
    expect(turns.length).toBeLessThan(16)
  })
})

describe('the grounding check', () => {
  it('finds nothing wrong in simulated lives', () => {
    const life = fc.record({
      persona: fc.constantFrom(...PERSONAS),
      days: fc.constantFrom(5, 9),
      seed: fc.integer({ min: 0, max: 10_000 }),
    })
    fc.assert(
      fc.property(life, (options) => {
        const trace = simulate(options)
        const findings = [...tellSessions(trace, options.seed)].flatMap(({ turns }, at) =>
          findGroundingErrors(trace, trace.sessions[at]!, turns),
        )
        expect(findings).toEqual([])
      }),
      { numRuns: SEEDS, seed: 11 },
    )
  })

  it('finds nothing wrong in any way of saying any operation', () => {
    const trace = traceOf(Array.from({ length: 40 }, () => OPERATIONS).flat())
    for (const session of trace.sessions) {
      expect(findGroundingErrors(trace, session, plannedTalk(trace, session, 8).turns)).toEqual([])
    }
  })
})
