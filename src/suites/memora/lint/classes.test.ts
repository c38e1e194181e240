import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lifeWith, like, newFolder, no, patch, yes } from '../../../../test/memora/lives.js'
import { type Written, writeRelease } from '../../../../test/memora/release.js'
import type { Operation } from '../trace.js'
import { lintPublished } from './published.js'

const talk = { of: 'calendar', kind: 'work', event: 'Budget talk' } as const
const trip = { of: 'calendar', kind: 'personal', event: 'Boat trip' } as const
const notes = { of: 'document', kind: 'notes', document: 'n', title: 'Launch review' } as const
const ADDED = { field: 'attendees', change: 'added', value: 'Edith Stone' } as const
const task = (act: 'add' | 'delete', name: string): Operation => ({ of: 'todo', act, list: 'work', task: name })

const OPERATIONS: readonly (readonly [string, Operation])[] = [
  ['2025-06-01', like('Can')],
  ['2025-06-01', { ...like('Faust'), liking: 'dislike' }],
  ['2025-06-01', like('Cluster')],
  ['2025-06-01', like('Cluster', 'already_listened_list')],
  ['2025-06-02', { ...like('Cluster'), act: 'delete' }],
  ['2025-06-02', task('add', 'Sweep the porch')],
  ['2025-06-02', task('delete', 'Sweep the porch')],
  ['2025-06-03', task('add', 'Sweep the porch')],
  ['2025-06-03', task('delete', 'Sweep the porch')],
  ['2025-06-03', { ...talk, act: 'add', day: '2025-06-16' }],
  ['2025-06-04', { ...talk, act: 'update', day: '2025-06-30', old: '2025-06-16' }],
  ['2025-06-04', { ...trip, act: 'add', day: '2025-06-12' }],
  ['2025-06-05', { ...trip, act: 'delete', day: '2025-06-12' }],
  ['2025-06-05', { ...notes, act: 'add', fields: { attendees: ['Ada Byron', 'Grace Murray'] } }],
  ['2025-06-06', { of: 'food', act: 'add', meal: 'lunch', amount: 12.5 }],
  ['2025-06-06', task('delete', 'Wash the car')],
  ['2025-06-06', like('Can')],
  ['2025-06-07', like('Neu')],
  ['2025-06-07', { of: 'steps', act: 'add', activity: 'walk', count: 4000 }],
  ['2025-06-07', { ...notes, act: 'update', revisions: [ADDED], completes: true }],
]

const QUESTIONS: readonly Written[] = [
  {
    task: 'recommending',
    id: 'pref_music_general_19',
    text: 'Which music?',
    criteria: [
      yes('Is the liking for Can followed?', 'like'),
      yes('Is the liking for Can followed twice?', 'like'),
      yes('Is the liking for Cluster followed?', 'like'),
      yes('Is Faust, to be avoided, left out?', 'dislike'),
      no('Is Cluster put forward?'),
      no('Is the mood wrong?'),
    ],
  },
  {
    task: 'recommending',
    id: 'pref_music_artists_19',
    text: 'Which bands?',
    criteria: [yes('Is Faust, to be avoided, left out?', 'dislike')],
  },
  {
    task: 'remembering',
    id: 'activity_todos_19',
    text: 'What is left to do this week?',
    criteria: [no('Is "Sweep the porch" there?'), no('Is "Sweep the porch" listed?')],
  },
  {
    task: 'remembering',
    id: 'activity_calendar_19',
    text: 'Which upcoming events are there?',
    criteria: [yes('Is Budget talk there?')],
  },
  {
    task: 'remembering',
    id: 'content_meeting_notes_19_meeting_notes_1',
    text: 'Write the notes.',
    criteria: [yes('Are the attendees "Ada Byron, Grace Murray, Edith Stone" in it?')],
  },
  { task: 'reasoning', id: 'dream_19', text: 'What do I dream of?', criteria: [yes('Is it sheep?')] },
]

/** Rules with how often they are broken in this life. Months have lives of their own. */
const EXPECTED = {
  replay: 2,
  order: 1,
  content: 1,
  criteria: 1,
  understood: 2,
  operations: 1,
  'missing-sessions': 1,
  dates: 1,
  duplicates: 1,
  'presence-twice': 1,
  avoid: 2,
  'no-presence': 3,
  bundles: 1,
  'two-places': 1,
  contradictions: 1,
  'unsaid-dates': 1,
  cancelled: 1,
  'far-events': 1,
  'no-today': 2,
  said: 1,
  ambiguity: 1,
}

it('counts every kind of defect in a life that has them all', () => {
  const root = newFolder()
  writeRelease(root, 'weekly', lifeWith(OPERATIONS, '2025-06-08'), QUESTIONS)
  type Talk = { message: string; share_memory: boolean }[]
  const say = (session: number, text: string) =>
    patch(root, session, ({ conversation }) => {
      for (const turn of conversation as Talk) if (turn.share_memory) turn.message = text
    })
  say(11, 'The Budget talk was moved, to some other time.')
  say(15, 'I had lunch in town.')
  say(18, 'I have come to like Neu, much as I like Cluster.')
  patch(root, 20, ({ operation_details }) => {
    ;(operation_details as { content_data: Record<string, unknown> }).content_data.attendees = ['Ada Byron']
  })
  patch(root, 19, (file) => Object.assign(file, { session_type: 'dream' }))
  const at = join(root, 'weekly/content_writer/conversations')
  unlinkSync(join(at, 'session_0012.json'))
  const [{ rules, counts, figures }] = lintPublished(root) as [ReturnType<typeof lintPublished>[number]]
  const found = Object.fromEntries(rules.flatMap(({ name, broken }) => (broken === 0 ? [] : [[name, broken]])))
  expect(found).toEqual(EXPECTED)
  expect(counts).toMatchObject({ criteria: 12, 'not understood': 2, reschedules: 1, 'rescheduled, vague': 1 })
  expect(figures['forgotten twice']).toBe('1 criteria, in 1 questions')
  expect(figures['general suggestions']).toBe('4.0 presence criteria for one suggestion, at most 6 criteria in all')
})

it('counts events that are moved to a day that is over, as by a distance from the day of the first telling', () => {
  const root = newFolder()
  const trace = lifeWith(
    [
      ['2025-06-01', { ...trip, act: 'add', day: '2025-06-12' }],
      ['2025-06-05', { ...trip, act: 'update', day: '2025-06-03', old: '2025-06-12' }],
    ],
    '2025-06-05',
  )
  writeRelease(root, 'weekly', trace, [])
  const [{ rules }] = lintPublished(root) as [ReturnType<typeof lintPublished>[number]]
  expect(rules.find(({ name }) => name === 'past-dates')!.broken).toBe(1)
})

it('goes on where a life has no questions', () => {
  const root = newFolder()
  const trace = lifeWith([['2025-06-01', like('Can')]], '2025-06-01')
  writeRelease(root, 'weekly', trace, [])
  unlinkSync(join(root, 'weekly/content_writer/evaluation_questions_content_writer.json'))
  const [{ rules, rows }] = lintPublished(root) as [ReturnType<typeof lintPublished>[number]]
  expect(rows).toBe(1)
  expect(rules.filter(({ broken }) => broken > 0).map(({ name }) => name)).toEqual(['missing-questions'])
})
