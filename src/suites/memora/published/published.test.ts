import { mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lifeWith, like, load, newFolder, no, patch, yes } from '../../../../test/memora/lives.js'
import { writeRelease } from '../../../../test/memora/release.js'
import { conversationsOf } from '../../../model/index.js'
import { simulate } from '../simulate/index.js'
import { finalState } from '../state.js'
import type { LifeTrace } from '../trace.js'
import { importLife } from './imported.js'
import { holdsRelease, placesIn } from './read.js'
import { dateSaid, saysNumber } from './said.js'
import { topicOf } from './topic.js'

describe('a release', () => {
  it('gives back the operations that were written into it', () => {
    const root = newFolder()
    const trace = simulate({ persona: 'content_writer', days: 28, seed: 3 })
    writeRelease(root, 'monthly', trace, [])
    const [place] = placesIn(root)
    const life = importLife(root, place!)
    const told = (one: LifeTrace) => finalState(one)
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
    const root = newFolder()
    writeRelease(root, 'weekly', lifeWith([['2025-06-01', like('Can')]], '2025-06-07'), [])
    const file = join(root, 'weekly/content_writer/conversations/session_0001.json')
    const sound = readFileSync(file, 'utf8')
    writeFileSync(file, sound.replace('"2025-06-01"', '"June 1"'))
    await expect(load(root)).rejects.toThrow(`${file}: date: expected a day`)
    writeFileSync(file, '{')
    await expect(load(root)).rejects.toThrow(`${file} is not JSON`)
    const outside = join(newFolder(), 'elsewhere.json')
    writeFileSync(outside, sound)
    unlinkSync(file)
    symlinkSync(outside, file)
    await expect(load(root)).rejects.toThrow('leads out of')
    await expect(load(newFolder())).rejects.toThrow('holds no Memora release')
  })

  it('may lack sessions and questions, and hold other files', async () => {
    const root = newFolder()
    const trace = lifeWith(
      [1, 2, 3].map((day) => [`2025-06-0${day}`, like(`Band ${day}`)] as const),
      '2025-06-07',
    )
    const ask = { task: 'recommending', text: 'Which music?', criteria: [yes('Is Band 1 followed?', 'like')] } as const
    writeRelease(root, 'weekly', trace, [{ ...ask, id: 'pref_music_general_3', criteria: [...ask.criteria] }])
    writeRelease(root, 'weekly', { ...trace, persona: 'sales_manager' }, [])
    const [writer, seller] = [join(root, 'weekly/content_writer'), join(root, 'weekly/sales_manager')]
    unlinkSync(join(writer, 'conversations/session_0002.json'))
    unlinkSync(join(seller, 'evaluation_questions_sales_manager.json'))
    mkdirSync(join(writer, 'eval_results/a_mem'), { recursive: true })
    for (const name of ['README.md', 'weekly/.DS_Store', 'weekly/content_writer/conversations/.DS_Store'])
      writeFileSync(join(root, name), 'x')
    const { scenarios, audit } = await load(root)
    expect(scenarios.map(({ id }) => id)).toEqual(['memora/content_writer/weekly'])
    expect(conversationsOf(scenarios[0]!).map(({ id }) => id)).toEqual(['0001', '0003'])
    expect(audit).toEqual([
      expect.objectContaining({ row: 'weekly/content_writer session 2', action: 'flagged' }),
      expect.objectContaining({ row: 'weekly/sales_manager', action: 'dropped' }),
    ])
    unlinkSync(join(writer, 'evaluation_questions_content_writer.json'))
    await expect(load(root)).rejects.toThrow('No life of the release has questions')
    mkdirSync(join(root, 'monthly/nobody/conversations'), { recursive: true })
    await expect(load(root)).rejects.toThrow('monthly/nobody/conversations holds no session_0001.json')
  })

  it('is read where a session does something of an unknown kind, and says so', async () => {
    const root = newFolder()
    const operations = ['Can', 'Neu', 'Faust', 'Cluster'].map((item) => ['2025-06-01', like(item)] as const)
    writeRelease(root, 'weekly', lifeWith(operations, '2025-06-07'), [])
    patch(root, 1, (file) => Object.assign(file.operation_details as object, { preference: 'adore' }))
    patch(root, 2, (file) => Object.assign(file, { session_type: 'dream' }))
    patch(root, 3, (file) => Object.assign(file, { operation: 'merge' }))
    const life = importLife(root, placesIn(root)[0]!)
    expect(life.state.tastes.map(({ item }) => item)).toEqual(['Cluster'])
    expect(life.unread.map(({ session }) => session)).toEqual([1, 2, 3])
    expect(life.unread[0]!.text).toContain('operation_details.preference')
    const { scenarios, audit } = await load(root)
    expect(conversationsOf(scenarios[0]!)).toHaveLength(4)
    expect(audit.map(({ row, action }) => [row, action])).toEqual(
      [1, 2, 3].map((session) => [`weekly/content_writer session ${session}`, 'flagged']),
    )
  })

  it('leaves out what a revision could not do', async () => {
    const root = newFolder()
    const of = { of: 'document', kind: 'notes', document: 'n', title: 'Launch review' } as const
    const revisions = [{ field: 'attendees', change: 'removed', value: 'Ada Byron' } as const]
    const fields = { attendees: ['Ada Byron', 'Grace Murray'] }
    writeRelease(
      root,
      'weekly',
      lifeWith(
        [
          ['2025-06-01', { ...of, act: 'add', fields }],
          ['2025-06-02', { ...of, act: 'delete', revisions, completes: false }],
          ['2025-06-03', { ...of, act: 'delete', revisions, completes: true }],
        ],
        '2025-06-07',
      ),
      [],
    )
    const broken = { error: 'nothing to take out' }
    type Details = { memory_deletes: unknown[]; content_data: object }
    patch(root, 2, ({ operation_details }) => (operation_details as Details).memory_deletes.push(broken))
    patch(root, 3, ({ operation_details }) => {
      ;(operation_details as Details).memory_deletes = [broken]
    })
    const life = importLife(root, placesIn(root)[0]!)
    expect(life.unread).toEqual([])
    expect(life.deltas).toEqual([])
    expect(life.state.documents[0]!.fields.attendees).toEqual(['Grace Murray'])
    expect(life.trace.sessions[2]).toMatchObject({ operation: null, failed: 'nothing to revise' })
  })

  it('places tastes in domains by what questions say of them, held or forgotten', () => {
    const root = newFolder()
    const genre = (item: string, domain: 'movies' | 'music') => ({ ...like(item, 'genres'), domain })
    const operations = [
      ['2025-06-01', genre('glimmercore', 'movies')],
      ['2025-06-01', genre('slowtide', 'music')],
      ['2025-06-02', { ...genre('glimmercore', 'movies'), act: 'delete' }],
    ] as const
    const ask = { task: 'recommending', text: 'What?', criteria: [no('Is glimmercore put forward?')] } as const
    writeRelease(root, 'weekly', lifeWith(operations, '2025-06-07'), [
      {
        ...ask,
        id: 'pref_movies_general_3',
        criteria: [...ask.criteria],
        forgotten: [{ value: 'glimmercore', session_id: 3 }],
      },
      {
        ...ask,
        id: 'pref_music_genres_3',
        criteria: [yes('Is slowtide followed?', 'like')],
        evidence: { subcategory_data: { likes: [{ item: 'slowtide', session_id: 2 }], dislikes: [] } },
      },
    ])
    const { trace } = importLife(root, placesIn(root)[0]!)
    const domains = trace.sessions.map(({ operation }) => (operation?.of === 'taste' ? operation.domain : null))
    expect(domains).toEqual(['movies', 'music', 'movies'])
  })

  it('is chosen from by days and persona', async () => {
    const root = newFolder()
    writeRelease(root, 'weekly', lifeWith([['2025-06-01', like('Can')]], '2025-06-07'), [])
    expect((await load(root)).scenarios.map(({ id }) => id)).toEqual(['memora/content_writer/weekly'])
    await expect(load(root, { extra: { days: '28' } })).rejects.toThrow('no lives of "28" days')
    await expect(load(root, { extra: { days: '9' } })).rejects.toMatchObject({ hint: 'It has 7 (weekly).' })
    await expect(load(root, { extra: { personas: 'nobody' } })).rejects.toThrow('no persona "nobody"')
    await expect(load(root, { size: 2 })).rejects.toMatchObject({ hint: 'It has 1.' })
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
  expect(topicOf('content_love_letter_9_love_letter_2')).toEqual({ of: 'unknown' })
  expect(topicOf('something_else')).toEqual({ of: 'unknown' })
})
