import { describe, expect, it } from 'vitest'
import { simulate } from './simulate/index.js'
import { finalState, replay } from './state.js'
import type { LifeTrace, Operation, TraceSession } from './trace.js'
import { type TraceRule, violations } from './violations.js'

const alien = { of: 'taste', domain: 'movies', subcategory: 'genres', item: 'space horror' } as const
const plumber = { of: 'todo', list: 'personal', task: 'Call the plumber' } as const
const hearing = { of: 'calendar', kind: 'work', event: 'Hearing' } as const
const memo = { of: 'document', kind: 'email', document: 'email-1', title: 'Rent' } as const
const draft: Operation = { ...memo, act: 'add', fields: { purpose: 'Ask for time', key_points: ['First', 'Second'] } }

describe('the state', () => {
  it('follows what sessions do, and keeps what it was before', () => {
    const trace = life(
      { ...alien, act: 'add', liking: 'like' },
      { ...alien, act: 'flip', from: 'like', to: 'dislike' },
      draft,
      {
        ...memo,
        act: 'update',
        completes: false,
        revisions: [
          { field: 'attachments', change: 'added', value: 'Lease' },
          { field: 'deadline', change: 'added', value: '4 July' },
        ],
      },
      {
        ...memo,
        act: 'delete',
        completes: true,
        revisions: [{ field: 'key_points', change: 'removed', value: 'First' }],
      },
      { of: 'goal', act: 'set', goal: 'coffee', value: 40, old: null },
      { of: 'goal', act: 'set', goal: 'coffee', value: 35, old: 40 },
    )
    const states = replay(trace)
    expect(violations(trace)).toEqual([])
    expect(states[0]!.tastes).toMatchObject([{ item: 'space horror', liking: 'like', since: 1 }])
    expect(states[1]!.tastes).toMatchObject([{ item: 'space horror', liking: 'dislike', since: 2 }])
    expect(states[2]!.documents[0]!.fields).toEqual({ purpose: 'Ask for time', key_points: ['First', 'Second'] })
    expect(states[4]!.documents[0]).toEqual({
      id: 'email-1',
      kind: 'email',
      title: 'Rent',
      fields: { purpose: 'Ask for time', key_points: ['Second'], attachments: ['Lease'], deadline: '4 July' },
      sessions: [3, 4, 5],
      completed: true,
    })
    expect(states[6]!.goals).toEqual([{ goal: 'coffee', value: 35, day: '2025-06-01', session: 7 }])
  })

  it('is the same at the end, and as it was when everything has happened', () => {
    const trace = simulate({ persona: 'sales_manager', days: 28, seed: 5 })
    const states = replay(trace)
    const early = structuredClone(states[99])
    expect(finalState(trace)).toEqual(states.at(-1))
    expect(states[99]).toEqual(early)
  })
})

describe('violations', () => {
  const add = { ...alien, act: 'add', liking: 'like' } as const
  const seen = { subcategory: 'already_watched_list' }
  const soon: Operation = { ...hearing, act: 'add', day: '2025-06-02' }
  const idle: Operation = { of: 'steps', act: 'add', activity: 'walk', count: 5000 }
  const done: Operation = { ...memo, act: 'update', completes: true, revisions: [added('key_points', 'Third')] }
  const cases: [TraceRule, string, LifeTrace][] = [
    ['added-twice', 'a taste twice', life(add, add)],
    ['added-twice', 'a task twice', life({ ...plumber, act: 'add' }, { ...plumber, act: 'add' })],
    ['added-twice', 'an event twice', life(soon, { ...soon, day: '2025-06-05' })],
    ['added-twice', 'a point of a document twice', life(draft, { ...done, revisions: [added('key_points', 'First')] })],
    ['missing', 'a task done that was not open', life({ ...plumber, act: 'delete' })],
    [
      'missing',
      'an item replaced that was not there',
      life({ ...alien, act: 'replace', old: 'westerns', liking: 'like' }),
    ],
    ['missing', 'an unknown document', life(done)],
    [
      'wrong-old-value',
      'a like turned as a dislike',
      life(add, { ...alien, act: 'flip', from: 'dislike', to: 'like' }),
    ],
    [
      'not-allowed',
      'a dislike withdrawn',
      life({ ...add, liking: 'dislike' }, { ...alien, act: 'delete', liking: 'dislike' }),
    ],
    [
      'not-allowed',
      'a film no longer seen',
      life({ ...add, ...seen }, { ...alien, ...seen, act: 'delete', liking: 'like' }),
    ],
    [
      'not-allowed',
      'a list without anything left',
      life(
        { ...draft, fields: { key_points: ['First'] } },
        { ...done, act: 'delete', revisions: [removed('key_points', 'First')] },
      ),
    ],
    ['wrong-old-value', 'a goal', life({ of: 'goal', act: 'set', goal: 'steps', value: 8000, old: 7000 })],
    [
      'wrong-old-value',
      'an event moved',
      life(soon, { ...hearing, act: 'update', old: '2025-06-03', day: '2025-06-04' }),
    ],
    ['no-change', 'a flip to the same', life(add, { ...alien, act: 'flip', from: 'like', to: 'like' })],
    [
      'event-not-ahead',
      'an event moved into the past',
      life(soon, { ...hearing, act: 'update', old: '2025-06-02', day: '2025-05-30' }),
    ],
    [
      'event-over',
      'an event that was over',
      days(['2025-06-01', soon], ['2025-06-03', { ...hearing, act: 'delete', day: '2025-06-02' }]),
    ],
    [
      'document-complete',
      'a complete document',
      life(draft, done, { ...done, revisions: [added('deadline', '4 July')] }),
    ],
    ['wrong-kind', 'a second purpose', life(draft, { ...done, revisions: [added('purpose', 'Ask for money')] })],
    ['wrong-kind', 'a deletion that adds', life(draft, { ...done, act: 'delete' })],
    ['wrong-kind', 'half a cent', life({ of: 'food', act: 'add', meal: 'lunch', amount: 9.995 })],
    ['session-day', 'a day before the one before', days(['2025-06-03', idle], ['2025-06-02', idle])],
    [
      'session-number',
      'a hole in the numbers',
      { ...life(idle, idle, idle), sessions: life(idle, idle, idle).sessions.toSpliced(1, 1) },
    ],
    [
      'failed-acts',
      'a failed session that acts',
      { ...life(idle), sessions: [{ ...life(idle).sessions[0]!, failed: 'nothing to do' }] },
    ],
  ]
  it.each(cases)('finds %s: %s', (rule, _, trace) => {
    expect(violations(trace).map((finding) => finding.rule)).toEqual([rule])
  })
})

function added(field: string, value: string) {
  return { field, change: 'added', value } as const
}

function removed(field: string, value: string) {
  return { field, change: 'removed', value } as const
}

function life(...operations: Operation[]): LifeTrace {
  return days(...operations.map((operation): [string, Operation] => ['2025-06-01', operation]))
}

function days(...entries: [string, Operation][]): LifeTrace {
  const sessions = entries.map(([day, operation], index): TraceSession => ({ number: index + 1, day, operation }))
  return { persona: 'content_writer', start: '2025-06-01', end: '2025-06-07', sessions }
}
