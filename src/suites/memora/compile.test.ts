import { expect, it } from 'vitest'
import { correctionsOf } from '../../model/index.js'
import { compile } from './compile.js'
import { candidatesOf } from './questions/index.js'
import type { SpokenSession as Spoken } from './talk/talk.js'
import type { LifeTrace, Operation } from './trace.js'

const music = { of: 'taste', domain: 'music', subcategory: 'genres' } as const
const OPERATIONS: Operation[] = [
  { ...music, act: 'add', item: 'bebop', liking: 'like' },
  { ...music, act: 'flip', item: 'bebop', from: 'like', to: 'dislike' },
  { ...music, act: 'add', item: 'ragtime', liking: 'like' },
  { ...music, act: 'replace', item: 'bossa nova', old: 'ragtime', liking: 'like' },
]
const TRACE: LifeTrace = {
  persona: 'content_writer',
  start: '2025-06-01',
  end: '2025-06-07',
  sessions: OPERATIONS.map((operation, at) => ({ number: at + 1, day: `2025-06-0${at + 1}`, operation })),
}

const spoken = (session: number, said: Spoken['said']): Spoken => ({
  id: `000${session}`,
  time: `2025-06-0${session}T08:00:00Z`,
  session,
  said,
  turns: [
    { role: 'user', text: [...new Set(Object.values(said).flat())].join(' ') },
    { role: 'assistant', text: 'Noted.' },
  ],
})
const whole = (session: number, sentence: string) =>
  spoken(session, { item: [sentence], value: [sentence], old: [sentence] })

const asked = candidatesOf(TRACE, 1).recommending
const scenario = compile({
  trace: TRACE,
  conversations: [
    whole(1, 'I love bebop.'),
    whole(2, 'I dislike bebop now.'),
    whole(3, 'Ragtime is my thing.'),
    spoken(4, { item: ['Bossa nova it is.'], value: ['Bossa nova it is.'] }),
  ],
  questions: asked.map(({ question }) => question),
  derived: [],
})
const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))

it('tells a life in order and asks at its end', () => {
  expect(scenario.id).toBe('memora/content_writer/weekly')
  expect(scenario.timeline.map(({ type }) => type)).toEqual([...Array(4).fill('conversation'), 'probe'])
  expect(scenario.timeline.at(-1)).toMatchObject({ probe: { id: 'final', time: '2025-06-07T23:00:00Z' } })
  expect(scenario.timeline[0]).not.toHaveProperty('conversation.said')
})

it('gives facts the sentences that say them, and the day', () => {
  expect(facts.get('taste:music:bebop:1')).toMatchObject({
    text: '2025-06-01: I love bebop.',
    evidence: ['I love bebop.'],
    sources: ['0001'],
    validFrom: '2025-06-01',
    validUntil: '2025-06-02',
    cues: { kind: 'preference' },
  })
  expect(facts.get('taste:music:bebop:2')!.cues.negated).toBe(true)
})

it('tells in words of its own what no sentence is known to say', () => {
  const gone = facts.get('gone:taste:music:ragtime:4')!
  expect(gone.evidence).toBeUndefined()
  expect(gone.text).toBe('2025-06-04: No longer counts: ragtime (music, genres).')
})

it('links revisions, so that each outdated fact has what corrects it', () => {
  const corrections = correctionsOf(scenario.facts)
  expect(facts.get('taste:music:bebop:2')!.replaces).toBe('taste:music:bebop:1')
  expect(corrections.get('taste:music:bebop:1')).toEqual(['taste:music:bebop:2'])
  expect(corrections.get('taste:music:ragtime:3')).toEqual(['gone:taste:music:ragtime:4'])
  expect(corrections.has('taste:music:bossa nova:4')).toBe(false)
})

it('keeps the text of a fact clear of what its sentence says besides', () => {
  const team = 'On the team we have Ada Moss and Bo Fen.'
  const trace: LifeTrace = {
    ...TRACE,
    sessions: [
      {
        number: 1,
        day: '2025-06-01',
        operation: {
          of: 'document',
          act: 'add',
          kind: 'proposal',
          document: 'proposal-1',
          title: 'Peat Clock',
          fields: { team: ['Ada Moss', 'Bo Fen'] },
        },
      },
    ],
  }
  const said = { item: ['A proposal, "Peat Clock".'], 'field:team:Ada Moss': [team], 'field:team:Bo Fen': [team] }
  const { facts: told } = compile({ trace, conversations: [spoken(1, said)], questions: [], derived: [] })
  expect(told[0]).toMatchObject({
    id: 'doc:proposal-1:team:Ada Moss:1',
    text: '2025-06-01: Peat Clock (proposal): team: Ada Moss.',
    evidence: ['A proposal, "Peat Clock".', team],
  })
})
