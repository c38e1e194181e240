import { describe, expect, it } from 'vitest'
import type { Criterion } from '../../../model/index.js'
import { fama, nullMarks } from '../fama.js'
import { PERSONAS } from '../seed.js'
import { simulate } from '../simulate/index.js'
import { finalState } from '../state.js'
import { type LifeTrace, type Operation, TASKS } from '../trace.js'
import { History } from './history.js'
import { askOf, candidatesOf } from './index.js'

const LIVES = [
  { persona: 'academic_researcher', days: 7, seed: 1 },
  { persona: 'sales_manager', days: 28, seed: 2 },
  { persona: 'startup_founder', days: 92, seed: 3 },
] as const

const criteriaOf = ({ question }: { question: { gold: unknown } }) =>
  (question.gold as { criteria: Criterion[] }).criteria

/** A life of so many days with one operation a session. */
function life(days: number, ...sessions: [day: string, operation: Operation][]): LifeTrace {
  const end = `2025-06-${String(days).padStart(2, '0')}`
  return {
    persona: 'content_writer',
    start: '2025-06-01',
    end,
    sessions: sessions.map(([day, operation], at) => ({ number: at + 1, day: `2025-06-${day}`, operation })),
  }
}

function asked(trace: LifeTrace, task: (typeof TASKS)[number], id: string) {
  const found = candidatesOf(trace, 1)[task].find(({ question }) => question.id === id)
  if (!found) throw new Error(`no question ${id}`)
  const [presence, forgetting] = (['presence', 'forgetting'] as const).map((type) =>
    criteriaOf(found).flatMap((one) => (one.type === type ? [one.asks!.forms[0]] : [])),
  )
  return { ...found, presence, forgetting }
}

describe.each(LIVES)('questions of $days days of $persona', ({ persona, days, seed }) => {
  const trace = simulate({ persona, days, seed })
  const chosen = askOf(trace, { seed, tasks: TASKS })
  const all = Object.values(candidatesOf(trace, seed)).flat()

  it('are as many as the duration calls for, under ids that last, most sessions first', () => {
    for (const task of TASKS) {
      const own = chosen.filter(({ question }) => question.task === task)
      expect(own).toHaveLength(days === 92 ? 10 : 5)
      const weights = own.map(({ consolidation }) => consolidation)
      expect(weights).toEqual([...weights].sort((a, b) => b - a))
    }
    expect(new Set(all.map(({ question }) => question.id)).size).toBe(all.length)
    expect(JSON.stringify(askOf(trace, { seed, tasks: TASKS }))).toBe(JSON.stringify(chosen))
  })

  it('say the date, ask for something, ask nothing twice and rest on facts of the life', () => {
    const facts = new Set(new History(trace).facts.map(({ id }) => id))
    const faults: string[] = []
    for (const candidate of all) {
      const { question, derived } = candidate
      const known = new Set([...facts, ...derived.map(({ id }) => id)])
      const criteria = criteriaOf(candidate)
      const fault = (what: string) => faults.push(`${question.id}: ${what}`)
      if (!question.text.includes('2025. ')) fault('no date')
      if (/[{}]/.test(question.text)) fault('an open slot')
      if (!criteria.some(({ type }) => type === 'presence')) fault('asks for nothing')
      const keys = criteria.map(({ type, asks }) => JSON.stringify([type, asks]))
      if (new Set(keys).size < keys.length) fault('asks a thing twice')
      const ids = [...question.needs.flat(), ...question.outdated, ...criteria.flatMap((one) => one.facts)]
      if (ids.some((id) => !known.has(id))) fault('rests on a fact that was not told')
      if (criteria.some((one) => one.facts.length === 0 || one.asks!.forms.length === 0))
        fault('a criterion of nothing')
    }
    expect(faults).toEqual([])
  })

  it('are worth nothing to an empty answer', () => {
    for (const candidate of all) expect(fama(nullMarks(criteriaOf(candidate))).fama).toBe(0)
  })

  it('for suggestions ask for what the state of memory holds, though they are made from what was told', () => {
    const { tastes } = finalState(trace)
    for (const domain of ['movies', 'books', 'music', 'travel']) {
      const held = (liking: string) =>
        tastes.flatMap((one) => (one.domain === domain && one.liking === liking ? [one.item] : []))
      const found = all.find(({ question }) => question.id === `general:${domain}`)
      const criteria = found ? criteriaOf(found) : []
      const items = (some: Criterion[]) => some.map(({ asks }) => asks!.forms[0]!).sort()
      const presence = criteria.filter(({ type }) => type === 'presence')
      expect(items(presence)).toEqual(held('like').sort())
      if (!found) continue
      expect(items(criteria.filter(({ asks }) => asks!.act === 'avoid'))).toEqual(held('dislike').sort())
      const gone = criteria.filter(({ type, expected }) => type === 'forgetting' && expected === 'no')
      expect(items(gone).filter((item) => tastes.some((one) => one.domain === domain && one.item === item))).toEqual([])
    }
  })
})

it('covers every subtype over the ten personas', () => {
  const subtypes = (days: number) =>
    new Set(
      PERSONAS.flatMap((persona) =>
        askOf(simulate({ persona, days, seed: 42 }), { seed: 42, tasks: TASKS }).map(
          ({ question }) => question.tags.subtype,
        ),
      ),
    )
  const always = [
    'todos',
    'calendar',
    'proposal',
    'email',
    'notes',
    'post',
    'general',
    'subcategory',
    'food-total',
    'steps-total',
    'food-average',
    'steps-average',
    'food-by-meal',
    'food-goal',
    'steps-goal',
    'steps-goal-days',
  ]
  const several = ['best-food-period', 'best-steps-period', 'budgets-met', 'budgets-overspent']
  expect([...subtypes(7)].sort()).toEqual([...always].sort())
  expect([...subtypes(28)].sort()).toEqual([...always, ...several].sort())
  expect([...subtypes(92)].sort()).toEqual([...always, ...several].sort())
})

describe('remembering', () => {
  it('asks for open tasks and against finished ones, each once however often it came and went', () => {
    const todo = (act: 'add' | 'delete', task: string): Operation => ({ of: 'todo', act, list: 'work', task })
    const trace = life(
      7,
      ['01', todo('add', 'Call the plumber')],
      ['02', todo('add', 'Water the ferns')],
      ['03', todo('delete', 'Water the ferns')],
      ['04', todo('add', 'Water the ferns')],
      ['05', todo('delete', 'Water the ferns')],
    )
    const { presence, forgetting, question, consolidation, mutation } = asked(trace, 'remembering', 'todos')
    expect([presence, forgetting]).toEqual([['Call the plumber'], ['Water the ferns']])
    expect(question.needs).toEqual([['todo:Call the plumber:1']])
    expect(question.outdated).toEqual(['todo:Water the ferns:2', 'todo:Water the ferns:4'])
    expect([consolidation, mutation]).toEqual([1, 2])
  })

  it('asks for events ahead with their dates, against former dates, and against what is cancelled or over', () => {
    const add = (event: string, day: string): Operation => ({
      of: 'calendar',
      act: 'add',
      kind: 'work',
      event,
      day: `2025-06-${day}`,
    })
    const trace = life(
      7,
      ['01', add('Panel', '12')],
      ['01', add('Tutorial', '05')],
      ['02', add('Reception', '20')],
      ['03', { of: 'calendar', act: 'update', kind: 'work', event: 'Panel', old: '2025-06-12', day: '2025-06-19' }],
      ['04', { of: 'calendar', act: 'delete', kind: 'work', event: 'Reception', day: '2025-06-20' }],
    )
    const { question, ...found } = asked(trace, 'remembering', 'calendar')
    const texts = criteriaOf({ question }).map(({ text }) => text)
    expect(texts).toEqual([
      'Does the answer name "Panel" among the events ahead?',
      'Does the answer put "Panel" on 19 June 2025?',
      'Does the answer put "Panel" on 12 June 2025, from where it was moved?',
      'Does the answer name "Tutorial" among the events ahead, although it is over?',
      'Does the answer name "Reception" among the events ahead, although it was cancelled?',
    ])
    expect(question.needs).toEqual([['event:Panel:4']])
    expect(question.outdated).toEqual(['event:Panel:1', 'event:Reception:3'])
    expect(found.mutation).toBe(2)
  })

  it('asks for every element of a complete document by itself, and against what was taken out or revised', () => {
    const about = { of: 'document', kind: 'proposal', document: 'proposal-1', title: 'Peat Clock' } as const
    const trace = life(
      7,
      [
        '01',
        { ...about, act: 'add', fields: { objective: 'Date the peat', budget: 50_000, team: ['Ada Moss', 'Bo Fen'] } },
      ],
      [
        '02',
        {
          ...about,
          act: 'update',
          completes: false,
          revisions: [{ field: 'budget', change: 'revised', from: 50_000, to: 60_000 }],
        },
      ],
      [
        '03',
        {
          ...about,
          act: 'delete',
          completes: true,
          revisions: [{ field: 'team', change: 'removed', value: 'Bo Fen' }],
        },
      ],
    )
    const { presence, forgetting, question } = asked(trace, 'remembering', 'proposal:proposal-1')
    expect(presence).toEqual(['Date the peat', '$60,000.00', 'Ada Moss'])
    expect(forgetting).toEqual(['$50,000.00', 'Bo Fen'])
    expect(question.needs[0]).toContain('doc:proposal-1:budget:60000:2')
    expect(question.outdated).toEqual(['doc:proposal-1:budget:50000:1', 'doc:proposal-1:team:Bo Fen:1'])
    const unfinished = { ...trace, sessions: trace.sessions.slice(0, 2) }
    expect(candidatesOf(unfinished, 1).remembering).toEqual([])
  })
})

it('asks suggestions to follow likes, to avoid dislikes and to forget what was withdrawn; a dislike alone is no question', () => {
  const movies = { of: 'taste', domain: 'movies' } as const
  const like = (item: string, liking: 'like' | 'dislike' = 'like', subcategory = 'genres'): Operation => ({
    ...movies,
    act: 'add',
    subcategory,
    item,
    liking,
  })
  const trace = life(
    7,
    ['01', like('noir')],
    ['01', like('westerns')],
    ['02', like('musicals', 'dislike')],
    ['02', like('Ida Lupino', 'dislike', 'directors')],
    ['03', { ...movies, act: 'replace', subcategory: 'genres', item: 'heist', old: 'westerns', liking: 'like' }],
    ['04', { ...movies, act: 'flip', subcategory: 'genres', item: 'noir', from: 'like', to: 'dislike' }],
  )
  const { presence, forgetting, question } = asked(trace, 'recommending', 'general:movies')
  expect(presence).toEqual(['heist'])
  expect(forgetting).toEqual(['noir', 'musicals', 'Ida Lupino', 'westerns'])
  expect(criteriaOf({ question }).map(({ asks, expected }) => `${asks!.act} ${expected}`)).toEqual([
    'recommend yes',
    'avoid yes',
    'avoid yes',
    'avoid yes',
    'recommend no',
  ])
  expect(question.outdated).toEqual(['taste:movies:noir:1', 'taste:movies:westerns:2'])
  expect(candidatesOf(trace, 1).recommending.map((one) => one.question.id)).toEqual([
    'general:movies',
    'subcategory:movies.genres',
  ])
})

it('is as many as the duration calls for in every life of the default seed', () => {
  const counts = [7, 28, 92].map((days) =>
    PERSONAS.map((persona) => askOf(simulate({ persona, days, seed: 42 }), { seed: 42, tasks: TASKS }).length),
  )
  expect(counts).toEqual([15, 15, 30].map((count) => PERSONAS.map(() => count)))
})
