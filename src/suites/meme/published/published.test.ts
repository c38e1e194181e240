import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { baker, team } from '../../../../test/meme/episodes.js'
import { conversationsOf, type Question, questionsOf, type Scenario, type SuiteOptions } from '../../../model/index.js'
import { loadPublished } from './index.js'
import { calledIn, frameOf } from './names.js'
import { holdsRelease } from './read.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const folderOf = (content: unknown, name = 'meme_nofiller.json'): string => {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-meme-'))
  folders.push(folder)
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}
const load = (data: string, more: Partial<SuiteOptions> = {}) =>
  loadPublished({ data, view: 'audited', seed: 42, size: 'paper', extra: { filler: 'none' }, ...more })
const question = (scenario: Scenario, id: string): Question | undefined =>
  questionsOf(scenario).find((one) => one.id === id)
const _said = (scenario: Scenario): string[] =>
  conversationsOf(scenario).map(({ turns }) => turns.map(({ text }) => text).join('\n'))

describe('episodes with dialogue', () => {
  it('come with their sessions, times, facts and both probes', async () => {
    const { scenarios, audit } = await load(folderOf([baker()]))
    const [scenario] = scenarios as [Scenario]
    expect(audit).toEqual([])
    expect(scenario.timeline.map(({ type }) => type[0]).join('')).toBe('cccccpccp')
    expect(conversationsOf(scenario)[1]).toMatchObject({ id: 'session_1', time: '2024-05-02T10:30:00Z' })
    const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
    expect(facts.get('dep:work_schedule')).toMatchObject({
      sources: ['session_4'],
      text: 'My work hours are four to noon — that comes with the bakery',
    })
    expect(facts.get('value:hobby')!.evidence).toEqual([
      'These days I spend my evenings on kite making (indoor), of all things.',
    ])
    expect(facts.get('track:vehicle:3')!.replaces).toBe('track:vehicle:2')
    expect(facts.get('change:employer')!.invalidates).toEqual(['value:employer', 'dep:work_schedule', 'dep:job_title'])
  })

  it('ask for what follows, and need what was said', async () => {
    const [scenario] = (await load(folderOf({ episodes: [baker()] }))).scenarios as [Scenario]
    expect(question(scenario, 'cascade/work_schedule')).toMatchObject({
      needs: [['change:employer', 'rule:work_schedule'], ['resolved:work_schedule']],
      gold: { kind: 'current', value: 'noon to eight', old: ['four to noon'] },
      pair: 'before/work_schedule',
      outdated: ['dep:work_schedule'],
    })
    expect(question(scenario, 'absence/job_title')).toMatchObject({
      needs: [['change:employer', 'dep:job_title'], ['doubt:job_title']],
      gold: { kind: 'unsure', old: 'oven hand' },
    })
    expect(question(scenario, 'deletion/partner')).toMatchObject({
      needs: [['delete:partner']],
      gone: ['value:partner'],
    })
    expect(question(scenario, 'tracking/vehicle')!.gold).toMatchObject({
      items: ['Marlo Van', 'Tessel Trike', 'Dorrit Cart'],
    })
    expect(question(scenario, 'aggregation/hobby')!.needs[0]).toEqual([
      'value:hobby',
      'value:sports',
      'value:club_membership',
    ])
    expect(question(scenario, 'before/life_philosophy')!.gold).toMatchObject({ kind: 'verbatim' })
  })

  it('may have older labels and hardly any optional key', async () => {
    const [scenario] = (await load(folderOf([team()]), { view: 'released' })).scenarios as [Scenario]
    expect(scenario.timeline.map(({ type }) => type[0]).join('')).toBe('ccpcp')
    expect(question(scenario, 'absence/code_reviewer')).toMatchObject({
      needs: [['change:team_lead', 'dep:code_reviewer'], ['doubt:code_reviewer']],
      gold: { kind: 'unsure', old: 'Bo Thane' },
      flags: [expect.stringContaining('"Una Fell"')],
    })
    const lost = scenario.facts.find(({ id }) => id === 'value:default_branch')!
    expect(lost.unsupported).toBe('The release says that default branch was not conveyed.')
  })

  it('may have notes behind older labels, which tell the hops where nothing else does', async () => {
    const noted = team()
    noted.before_questions.questions[0]!.task_type = 'Cascade-U (1-hop)'
    noted.before_questions.questions[1]!.task_type = 'Deletion (before delete)'
    noted.after_questions.questions[0]!.task_type = 'Cascade-U (2-hop)'
    const [scenario] = (await load(folderOf([noted]), { view: 'released' })).scenarios as [Scenario]
    expect(question(scenario, 'absence/code_reviewer')!.tags.hops).toBe('2')
    expect(question(scenario, 'deletion/default_branch')!.pair).toBe('before/default_branch')
    const exact = baker()
    exact.before_questions.questions[3]!.task_type = 'Exact (exact recall)'
    const [told] = (await load(folderOf([exact]))).scenarios as [Scenario]
    expect(question(told, 'before/life_philosophy')!.gold).toMatchObject({ kind: 'verbatim' })
  })

  it('are read as unpacked by the tool of the release, one file an episode, numbered within its domain', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memscope-meme-'))
    folders.push(folder)
    const unpack = (name: string, number: number, episode: object) => {
      mkdirSync(join(folder, name), { recursive: true })
      const file = join(folder, name, `episode_${String(number).padStart(3, '0')}.json`)
      writeFileSync(file, JSON.stringify({ ...episode, episode_id: number }))
    }
    unpack('nofiller_sw', 1, team())
    unpack('nofiller_pl', 1, baker())
    unpack('nofiller_pl', 12, baker())
    unpack('filler32k_pl', 1, { ...baker(), root: 7 })
    expect(holdsRelease(folder)).toBe(true)
    const { scenarios } = await load(folder)
    expect(scenarios.map(({ id }) => id)).toEqual(['meme/pl_001', 'meme/sw_001', 'meme/pl_012'])
    const [whole] = (await load(folderOf([{ ...baker(), episode_id: 'pl_001' }]))).scenarios
    expect(scenarios[0]).toEqual(whole)
    await expect(load(folder, { extra: { filler: '32k' } })).rejects.toThrow(
      /filler32k_pl.episode_001\.json: episode 1: root: .*expected string/,
    )
    await expect(load(folder, { extra: { filler: '128k' } })).rejects.toThrow(/has no meme_filler128k\.json/)
  })

  it('get the gold of the solver when audited, and lose what nobody can know, each with a note', async () => {
    const { scenarios, audit } = await load(folderOf([team()]))
    expect(questionsOf(scenarios[0]!).map(({ id }) => id)).toEqual(['before/code_reviewer', 'cascade/code_reviewer'])
    expect(question(scenarios[0]!, 'cascade/code_reviewer')!.gold).toMatchObject({ kind: 'current', value: 'Una Fell' })
    expect(audit.map(({ task, row, action }) => `${action} ${task} ${row}`)).toEqual([
      'flagged cascade sw_901 team_lead',
      'dropped before sw_901 default_branch',
      'repaired absence sw_901 code_reviewer',
      'dropped deletion sw_901 default_branch',
    ])
  })

  it('are refused with file, episode and field when they do not fit', async () => {
    const refuse = async (content: unknown, pattern: RegExp) =>
      await expect(load(folderOf(content))).rejects.toThrow(pattern)
    await refuse('[{', /meme_nofiller\.json is not JSON/)
    await refuse({ rows: [] }, /expected a list of episodes/)
    await refuse([{ ...baker(), root: 7 }], /meme_nofiller\.json: episode pl_901: root: .*expected string/)
    const late = baker()
    late.sessions[2]!.timestamp = 'yesterday'
    await refuse([late], /episode pl_901: sessions\.2\.timestamp: expected a time/)
    const lost = baker()
    lost.before_questions.position_after_session = 7
    await refuse([lost], /episode pl_901: before_questions\.position_after_session: .*before the change, got 7/)
    const unknown = team()
    unknown.after_questions.questions[0]!.task_type = 'Riddle'
    await refuse([unknown], /episode sw_901: after_questions\.questions\.0\.task_type/)
    await refuse([baker(), baker()], /the episode pl_901 occurs twice/)
    await refuse([{ episode_id: 'x' }], /episode x: it has neither "sessions" nor "fact_seeds"/)
    await expect(load(folderOf('[]', 'other.json'))).rejects.toThrow(/holds no MEME release/)
    await expect(load(folderOf([baker()]), { extra: { filler: '128k' } })).rejects.toThrow(
      /has no meme_filler128k\.json/,
    )
  })
})

describe('names', () => {
  it('are taken from questions and from the words around a value', () => {
    expect(calledIn("What's our build tool?")).toBe('build tool')
    expect(calledIn('What medication am I taking?')).toBe('medication')
    expect(calledIn('How often do we release?')).toBe('release')
    expect(frameOf('I go to Lido Hall for workouts — this is for my routine', 'Lido Hall')).toBe('go for workouts')
    expect(frameOf('I have a pet — Mungo the cat', 'Mungo the cat')).toBe('pet')
    expect(frameOf('I live in Velm', 'Velm')).toBe('live')
  })
})
