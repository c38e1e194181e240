import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { conversationsOf, type Question, questionsOf, type SuiteOptions } from '../../../model/index.js'
import { simulate } from '../simulate/index.js'
import { finalState } from '../state.js'
import type { Operation, Trace } from '../trace.js'
import { criteriaOf } from '../verdicts.js'
import { importLife } from './imported.js'
import { holdsRelease, loadPublished, nullFloor } from './index.js'
import { placesIn } from './read.js'
import { countOf, Reckoner } from './reckon.js'
import { dateSaid, saysNumber } from './said.js'
import { type Written, writeRelease } from './testing/release.js'
import { topicOf } from './topic.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'memscope-memora-'))
  folders.push(made)
  return made
}
const load = (data: string, more: Partial<SuiteOptions> = {}) =>
  loadPublished({ data, view: 'audited', seed: 1, size: 'paper', extra: {}, ...more })

/** A life whose operations fall on the days given, one each. */
const lifeWith = (operations: readonly (readonly [day: string, operation: Operation])[], end: string): Trace => ({
  persona: 'content_writer',
  start: '2025-06-01',
  end,
  sessions: operations.map(([day, operation], at) => ({ number: at + 1, day, operation })),
})
const like = (item: string, subcategory = 'artists'): Operation => ({
  of: 'taste',
  act: 'add',
  domain: 'music',
  subcategory,
  item,
  liking: 'like',
})
const yes = (text: string, part = ''): Written['criteria'][number] => ['memory_presence', part, text]
const no = (text: string): Written['criteria'][number] => ['forgetting_absence', '', text]

describe('a release', () => {
  it('gives back the operations that were written into it', () => {
    const root = folder()
    const trace = simulate({ persona: 'content_writer', days: 28, seed: 3 })
    writeRelease(root, 'monthly', trace, [])
    const [place] = placesIn(root)
    const life = importLife(root, place!)
    const told = (one: Trace) => finalState(one)
    const plain = ({ tastes, food, steps, todos, goals }: ReturnType<typeof told>) => ({
      tastes,
      food,
      steps,
      todos,
      goals,
    })
    expect(plain(life.state)).toEqual(plain(told(trace)))
    expect(life.state.events.map(({ event, day }) => [event, day])).toEqual(
      told(trace).events.map(({ event, day }) => [event, day]),
    )
    expect(life.state.documents.map(({ completed }) => completed)).toEqual(
      told(trace).documents.map(({ completed }) => completed),
    )
    expect(life.deltas).toEqual([])
    expect(holdsRelease(root)).toBe(true)
  })

  it('is refused by file and field where it does not fit, and where a link leads out of it', async () => {
    const root = folder()
    writeRelease(root, 'weekly', lifeWith([['2025-06-01', like('Can')]], '2025-06-07'), [])
    const file = join(root, 'weekly/content_writer/conversations/session_0001.json')
    const sound = readFileSync(file, 'utf8')
    writeFileSync(file, sound.replace('"like"', '"adore"'))
    await expect(load(root)).rejects.toThrow(`${file}: operation_details.preference`)
    writeFileSync(file, '{')
    await expect(load(root)).rejects.toThrow(`${file} is not JSON`)
    const outside = join(folder(), 'elsewhere.json')
    writeFileSync(outside, sound)
    unlinkSync(file)
    symlinkSync(outside, file)
    await expect(load(root)).rejects.toThrow('leads out of')
    await expect(load(folder())).rejects.toThrow('holds no Memora release')
  })

  it('is chosen from by days and persona', async () => {
    const root = folder()
    writeRelease(root, 'weekly', lifeWith([['2025-06-01', like('Can')]], '2025-06-07'), [])
    expect((await load(root)).scenarios.map(({ id }) => id)).toEqual(['memora/content_writer/weekly'])
    await expect(load(root, { extra: { days: '28' } })).rejects.toThrow('nothing monthly')
    await expect(load(root, { extra: { days: '9' } })).rejects.toThrow('no lives of 9 days')
    await expect(load(root, { extra: { personas: 'nobody' } })).rejects.toThrow('no persona nobody')
  })
})

describe('the audited view', () => {
  const tastes = lifeWith(
    [
      ['2025-06-01', like('Can')],
      ['2025-06-01', like('Neu')],
      ['2025-06-02', { ...like('Faust'), liking: 'dislike' } as Operation],
      ['2025-06-03', { ...like('Neu'), act: 'delete' } as Operation],
      ['2025-06-04', like('Cluster')],
      ['2025-06-04', like('Cluster', 'already_listened_list')],
      ['2025-06-05', { ...like('Cluster'), act: 'delete' } as Operation],
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
  const questions = async (view: 'released' | 'audited', trace: Trace, written: Written[], duration = 'weekly') => {
    const root = folder()
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
})

describe('what is said', () => {
  it('of days is told apart', () => {
    const of = (text: string) => dateSaid(text, '2025-06-17', '2025-06-06')
    expect(of('It is on June 17th.')).toBe('said')
    expect(of('It is in eleven days.')).toBe('said')
    expect(of('It is on the 17th.')).toBe('said')
    expect(of('It is next Tuesday instead of this Thursday.')).toBe('weekday')
    expect(of('It is next Wednesday, not this Tuesday.')).toBe('other weekday')
    expect(of('It is on October 26th now.')).toBe('other date')
    expect(of('I moved it.')).toBe('vague')
  })

  it('of numbers is found in digits and in words for thousands', () => {
    expect(saysNumber('It was $1,150,000.', 1_150_000)).toBe(true)
    expect(saysNumber('about 1.15 million', 1_150_000)).toBe(true)
    expect(saysNumber('It was $115,000.', 15_000)).toBe(false)
    expect(saysNumber('I paid $9.30 there.', 9.3)).toBe(true)
  })
})

it('reads what questions ask for from their ids', () => {
  expect(topicOf('pref_travel_regions_155')).toEqual({ of: 'tastes', domain: 'travel', subcategory: 'regions' })
  expect(topicOf('pref_books_general_151')).toMatchObject({ subcategory: null })
  expect(topicOf('comparative_goal_exceeded_dinner_month_9')).toMatchObject({ of: 'budgets', side: 'overspent' })
  expect(topicOf('comparative_steps_max_month_9')).toMatchObject({ of: 'best', measure: 'steps', unit: 'month' })
  expect(topicOf('pref_movies_soundtracks_9')).toMatchObject({ domain: 'movies', subcategory: 'soundtracks' })
  expect(topicOf('something_else')).toBeUndefined()
})

const sample = new URL('../../../../../shared/data/memora', import.meta.url).pathname

describe.skipIf(!existsSync(sample))('the published sample (skipped without ../shared)', () => {
  it.each([
    ['released', [0, 0, 35.27], [0, 0, 5]],
    ['audited', [0, 0, 0], [0, 0, 0]],
  ] as const)('gives an empty answer in the %s view what the data gives it', async (view, weekly, monthly) => {
    const { scenarios, audit } = await load(sample, { view })
    const questions = scenarios.flatMap(questionsOf)
    const floors = (duration: string) =>
      ['remembering', 'reasoning', 'recommending'].map((task) => {
        const own = questions.filter((one) => one.task === task && one.tags.duration === duration)
        return Number((100 * nullFloor(own)!).toFixed(2))
      })
    expect(floors('weekly')).toEqual(weekly)
    expect(floors('monthly')).toEqual(monthly)
    const dropped = audit.filter(({ action, row }) => action === 'dropped' && !row.includes('_eval_'))
    expect(questions).toHaveLength(90 - dropped.length)
  })

  it('keeps both speakers, and facts whose sentences stand in their conversations', async () => {
    const { scenarios } = await load(sample, { view: 'released', extra: { days: '7' } })
    expect(scenarios).toHaveLength(5)
    for (const scenario of scenarios) {
      const texts = new Map(
        conversationsOf(scenario).map(({ id, turns }) => [id, turns.map(({ text }) => text).join('\n')]),
      )
      const roles = new Set(conversationsOf(scenario).flatMap(({ turns }) => turns.map(({ role }) => role)))
      expect([...roles].sort()).toEqual(['assistant', 'user'])
      const ids = new Set(scenario.facts.map(({ id }) => id))
      expect(ids.size).toBe(scenario.facts.length)
      for (const { evidence, sources } of scenario.facts)
        for (const sentence of evidence ?? []) expect(texts.get(sources[0]!)).toContain(sentence)
      for (const question of questionsOf(scenario)) {
        expect(question.needs[0]!.length).toBeGreaterThan(0)
        const named = criteriaOf(question).flatMap(({ facts }) => facts)
        expect([...question.needs.flat(), ...question.outdated, ...named].filter((id) => !ids.has(id))).toEqual([])
      }
    }
  })
})
