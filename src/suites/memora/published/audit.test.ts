import { describe, expect, it } from 'vitest'
import { lifeWith, like, load, newFolder, no, patch, yes } from '../../../../test/memora/lives.js'
import { type Written, writeRelease } from '../../../../test/memora/release.js'
import { type Question, questionsOf } from '../../../model/index.js'
import { criteriaOf, nullFloor } from '../fama.js'
import type { LifeTrace, Operation } from '../trace.js'
import { countOf, Reckoner } from './reckon.js'

describe('the audited view', () => {
  const tastes = lifeWith(
    [
      ['2025-06-01', like('Can')],
      ['2025-06-01', like('Neu')],
      ['2025-06-02', { ...like('Faust'), liking: 'dislike' }],
      ['2025-06-03', { ...like('Neu'), act: 'delete' }],
      ['2025-06-04', like('Cluster')],
      ['2025-06-04', like('Cluster', 'already_listened_list')],
      ['2025-06-05', { ...like('Cluster'), act: 'delete' }],
    ],
    '2025-06-07',
  )
  const music: Written = {
    task: 'recommending',
    id: 'pref_music_general_7',
    text: 'Which music?',
    criteria: [
      yes('Is the liking for Can followed?', 'like'),
      yes('Is Faust, to be avoided, left out?', 'dislike'),
      yes('Is the liking for Cluster followed?', 'like'),
      no('Is Neu put forward?'),
      no('Is Neu put forward again?'),
      no('Is Cluster put forward?'),
    ],
  }
  const questions = async (view: 'released' | 'audited', trace: LifeTrace, written: Written[], duration = 'weekly') => {
    const root = newFolder()
    writeRelease(root, duration, trace, written)
    const { scenarios, audit } = await load(root, { view })
    return { asked: scenarios.flatMap(questionsOf), audit, facts: new Set(scenarios[0]!.facts.map(({ id }) => id)) }
  }
  const shape = (question: Question) => criteriaOf(question).map(({ type, expected, text }) => [type, expected, text])

  it('asks what is to be avoided of forgetting, everything once, and nothing both ways', async () => {
    const released = await questions('released', tastes, [music])
    expect(shape(released.asked[0]!).map(([type]) => type)).toEqual([
      'presence',
      'presence',
      'presence',
      'forgetting',
      'forgetting',
      'forgetting',
    ])
    expect(nullFloor(released.asked)).toBeCloseTo(1 / 3)
    const { asked, audit } = await questions('audited', tastes, [music])
    expect(shape(asked[0]!)).toEqual([
      ['presence', 'yes', 'Is the liking for Can followed?'],
      ['forgetting', 'yes', 'Is Faust, to be avoided, left out?'],
      ['forgetting', 'no', 'Is Neu put forward?'],
    ])
    expect(nullFloor(asked)).toBe(0)
    expect(audit.map(({ action }) => action).sort()).toEqual(['dropped', 'dropped', 'dropped', 'repaired'])
  })

  it('links criteria to what introduced and removed their item', async () => {
    const { asked, facts } = await questions('audited', tastes, [music])
    const [question] = asked
    expect(criteriaOf(question!).at(-1)!.facts).toEqual(['taste:music:Neu:2', 'gone:taste:music:Neu:4'])
    expect(question!.needs).toEqual([['taste:music:Can:1', 'taste:music:Faust:3']])
    expect(question!.outdated).toContain('taste:music:Neu:2')
    for (const id of [...question!.needs.flat(), ...question!.outdated]) expect(facts).toContain(id)
  })

  it('drops a question of which only avoiding is left, and counts it', async () => {
    const { asked, audit } = await questions('audited', tastes, [{ ...music, criteria: music.criteria.slice(1, 2) }])
    expect(asked).toEqual([])
    expect(audit.at(-1)).toMatchObject({ row: 'weekly/content_writer pref_music_general_7', action: 'dropped' })
  })

  it('splits what is bundled', async () => {
    const document: Operation = {
      of: 'document',
      act: 'add',
      kind: 'notes',
      document: 'n',
      title: 'Launch review',
      fields: { attendees: ['Ada Byron', 'Grace Murray'] },
    }
    const { asked } = await questions('audited', lifeWith([['2025-06-01', document]], '2025-06-07'), [
      {
        task: 'remembering',
        id: 'content_meeting_notes_1_meeting_notes_1',
        text: 'Write it.',
        criteria: [yes("Are the attendees 'Ada Byron, Grace Murray' in it?")],
      },
    ])
    expect(criteriaOf(asked[0]!).map(({ asks }) => asks?.forms)).toEqual([['Ada Byron'], ['Grace Murray']])
  })

  it('takes calendar months, and counts overspending as asked', async () => {
    const steps = (day: string, count: number) => [day, { of: 'steps', act: 'add', activity: 'walk', count }] as const
    const coffee = (day: string, amount: number) => [day, { of: 'food', act: 'add', meal: 'coffee', amount }] as const
    const trace = lifeWith(
      [
        ['2025-06-01', { of: 'goal', act: 'set', goal: 'coffee', value: 7, old: null }],
        steps('2025-06-02', 9000),
        coffee('2025-06-03', 40),
        steps('2025-07-01', 6000),
        coffee('2025-07-10', 5),
        steps('2025-07-31', 5000),
        coffee('2025-08-30', 90),
      ],
      '2025-08-31',
    )
    const written: Written[] = [
      {
        task: 'reasoning',
        id: 'comparative_steps_max_month_7',
        text: 'Which month?',
        criteria: [yes('Is it the 1st month?', 'max_period'), yes('Is it 9,000 steps?', 'max_value')],
      },
      {
        task: 'reasoning',
        id: 'comparative_goal_exceeded_coffee_month_7',
        text: 'How many months over?',
        criteria: [yes('Was the coffee budget met in 2 months?', 'met_count')],
      },
    ]
    const released = await questions('released', trace, written, 'quarterly')
    expect(released.asked.map((one) => criteriaOf(one).length)).toEqual([2, 1])
    const { asked, audit } = await questions('audited', trace, written, 'quarterly')
    expect(criteriaOf(asked[0]!).map(({ asks }) => asks)).toMatchObject([
      { forms: ['July', '2nd month'] },
      { numbers: [{ value: 11_000, unit: 'steps' }] },
    ])
    expect(criteriaOf(asked[1]!)[0]!.asks!.numbers).toEqual([{ value: 2, unit: 'months' }])
    expect(audit).toHaveLength(3)
    const reckoner = new Reckoner(trace)
    // Thirty days have four weekly budgets, each as it stands at the end of its week.
    expect(reckoner.budgets('coffee', 'month', 'released').map(({ budget }) => budget)).toEqual([2800, 2800, 2800])
    expect(countOf(reckoner.budgets('coffee', 'month', 'released'), 'met')).toBe(2)
    expect(countOf(reckoner.budgets('coffee', 'month', 'calendar'), 'met')).toBe(1)
  })

  it('drops what rests on a day that nobody said, and keeps what was told', async () => {
    const meeting = { of: 'calendar', kind: 'work', event: 'Budget talk' } as const
    const dinner = { of: 'calendar', kind: 'personal', event: 'Dinner at Noor’s' } as const
    const trace = lifeWith(
      [
        ['2025-06-01', { ...meeting, act: 'add', day: '2025-06-09' }],
        ['2025-06-02', { ...dinner, act: 'add', day: '2025-06-12' }],
        ['2025-06-03', { ...meeting, act: 'update', day: '2025-06-20', old: '2025-06-09' }],
      ],
      '2025-06-07',
    )
    const written: Written = {
      task: 'remembering',
      id: 'activity_calendar_3',
      text: 'What is ahead?',
      criteria: [yes('Is Budget talk on 2025-06-20 there?'), yes('Is Dinner at Noor’s on 2025-06-12 there?')],
    }
    const root = newFolder()
    writeRelease(root, 'weekly', trace, [written])
    expect((await load(root)).scenarios.flatMap(questionsOf).map((one) => criteriaOf(one).length)).toEqual([2])
    patch(root, 3, ({ conversation }) => {
      for (const turn of conversation as { message: string; share_memory: boolean }[])
        if (turn.share_memory) turn.message = 'The Budget talk was moved, to some other time.'
    })
    const { scenarios, audit } = await load(root)
    expect(scenarios.flatMap(questionsOf).flatMap(criteriaOf)).toMatchObject([{ text: written.criteria[1]![2] }])
    expect(audit).toMatchObject([
      { row: 'weekly/content_writer activity_calendar_3_eval_memory_presence_0', action: 'dropped' },
    ])
    expect(scenarios[0]!.facts.find(({ id }) => id === 'event:Budget talk:3')!.unsupported).toContain('2025-06-20')
    const released = await load(root, { view: 'released' })
    expect(released.scenarios.flatMap(questionsOf)[0]!.flags).toEqual([expect.stringContaining('nobody said')])
  })

  it('drops what the recomputed state denies: a name is held in another part of its domain', async () => {
    const artists: Written = {
      ...music,
      id: 'pref_music_artists_7',
      criteria: [...music.criteria.slice(0, 1), no('Is Cluster put forward?')],
    }
    const { asked, audit } = await questions('audited', tastes, [artists])
    expect(shape(asked[0]!)).toEqual([['presence', 'yes', 'Is the liking for Can followed?']])
    expect(audit).toMatchObject([{ action: 'dropped', why: expect.stringContaining('says otherwise of "Cluster"') }])
  })

  it('keeps a question or criterion it cannot read in the released view alone, flagged', async () => {
    const strange: Written[] = [
      {
        ...music,
        id: 'dream_music_7',
        criteria: [yes('Is Can hummed?'), yes('Is it right to avoid humming Faust (too loud)?', 'dislike')],
      },
      { ...music, criteria: [...music.criteria.slice(0, 1), yes('Is the mood right?', 'like')] },
    ]
    const evidence = { memory_items: { artists: { likes: [{ item: 'Can', session_id: 1 }], dislikes: [] } } }
    const released = await questions(
      'released',
      tastes,
      strange.map((one) => ({ ...one, evidence })),
    )
    expect(released.asked.map((one) => [criteriaOf(one).length, one.flags?.length])).toEqual([
      [2, 1],
      [2, 1],
    ])
    expect(released.asked[0]!.needs).toEqual([['taste:music:Can:1']])
    expect(released.asked[0]!.tags.subtype).toBe('unknown')
    expect(criteriaOf(released.asked[0]!)[1]!.asks).toEqual({ act: 'avoid', forms: ['Faust'] })
    expect(nullFloor(released.asked.slice(0, 1))).toBe(0.5)
    const { asked, audit } = await questions('audited', tastes, strange)
    expect(asked.map(shape)).toEqual([[['presence', 'yes', 'Is the liking for Can followed?']]])
    expect(audit.map(({ action, row }) => [action, row])).toEqual([
      ['dropped', 'weekly/content_writer dream_music_7'],
      ['dropped', 'weekly/content_writer pref_music_general_7_eval_memory_presence_like_1'],
    ])
  })
})
