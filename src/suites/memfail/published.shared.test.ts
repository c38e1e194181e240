import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { conversationsOf, questionsOf, type Scenario, type SuiteOptions } from '../../model/index.js'
import { releasePath } from './findings.js'
import { memfail } from './index.js'
import { type MemfailTask, TASKS } from './material.js'

const release = join(import.meta.dirname, '../../../../shared/data/memfail')
const vectors = join(import.meta.dirname, '../../../../shared/data/memfail-figures/order_vectors_seed42.json')
const here = existsSync(release)
const options = (change: Partial<SuiteOptions> = {}): SuiteOptions => ({
  data: release,
  view: 'released',
  seed: 42,
  size: 'paper',
  extra: {},
  ...change,
})
const scenarioOf = async (task: MemfailTask, change: Partial<SuiteOptions> = {}): Promise<Scenario> =>
  (await memfail.load(options({ tasks: [task], ...change }))).scenarios[0]!

describe.skipIf(!here)('the published MemFail data (skipped when ../shared is absent)', () => {
  it('has the published sizes in the released view', async () => {
    const { scenarios, audit } = await memfail.load(options())
    expect(scenarios.map((scenario) => [questionsOf(scenario).length, conversationsOf(scenario).length])).toEqual([
      [100, 100],
      [100, 100],
      [100, 340],
      [300, 100],
      [92, 274],
    ])
    expect(scenarios[1]!.facts.filter(({ unsupported }) => unsupported)).toHaveLength(30)
    expect(audit.every(({ action }) => action === 'flagged')).toBe(true)
  })

  it('stores and asks in the order of the released code for seed 42', async () => {
    const expected = JSON.parse(readFileSync(vectors, 'utf8'))
    const asked = (scenario: Scenario) => questionsOf(scenario).map(({ id }) => id.split('/')[1]!)
    const stored = (scenario: Scenario) => {
      const factOf = new Map(scenario.facts.map(({ id, sources }) => [sources[0]!, id.split('/')[1]!]))
      return conversationsOf(scenario).map(({ id }) => factOf.get(id)!)
    }
    for (const task of ['conditional-easy', 'conditional-hard'] as const) {
      const scenario = await scenarioOf(task)
      expect(stored(scenario)).toEqual(expected.conditional.storage_order.map((row: number) => `${row}#1`))
      expect(asked(scenario)).toEqual(expected.conditional.question_order.map(String))
    }
    const coexisting = await scenarioOf('coexisting')
    const pairs: [number, number][] = expected.coexisting.storage_order_row_fact
    expect(stored(coexisting)).toEqual(pairs.map(([row, fact]) => `${row}#${fact + 1}`))
    expect(asked(coexisting)).toEqual(expected.coexisting.question_order.map(String))
    const persona = await scenarioOf('persona')
    const slots: [number, number][] = expected.persona.question_order_row_slot
    expect(stored(persona)).toEqual(expected.persona.storage_order.map((row: number) => `${row}#1`))
    expect(asked(persona)).toEqual(slots.map(([row, slot]) => `${row}.${slot + 1}`))
    const longHop = await scenarioOf('long-hop')
    const links: [string, number][] = expected.long_hop.storage_order_chain_factidx
    expect(stored(longHop)).toEqual(links.map(([chain, fact]) => `${chain}#${fact + 1}`))
    expect(asked(longHop)).toEqual(expected.long_hop.question_order_ids)
  })

  it('puts the options into the retrieval query only in the released view', async () => {
    const released = questionsOf(await scenarioOf('long-hop'))[0]!
    expect(released.query).toContain('Options:')
    const audited = questionsOf(await scenarioOf('long-hop', { view: 'audited' }))[0]!
    expect(audited.query ?? audited.text).not.toContain('Options:')
  })

  it('reproduces the guessers: always-no 69 % on Easy, option found in the store 86–87 % on Long-Hop', async () => {
    const mean = (values: (number | null)[]) =>
      values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length
    const guess = (name: string, scenario: Scenario) =>
      mean(memfail.guessers.find((guesser) => guesser.name === name)!.guess(scenario))
    expect(guess('always-no', await scenarioOf('conditional-easy'))).toBeCloseTo(0.69, 10)
    expect(guess('always-no', await scenarioOf('conditional-hard'))).toBeCloseTo(0.51, 10)
    const longHop = await scenarioOf('long-hop')
    expect(guess('option-in-store', longHop)).toBeGreaterThan(0.86)
    expect(guess('option-in-store', longHop)).toBeLessThan(0.875)
    expect(guess('rarest-option', longHop)).toBeCloseTo(0.348, 2)
    expect(guess('always-abstain', await scenarioOf('persona'))).toBeCloseTo(157 / 300, 10)
  })

  it('audited: nobody shares a name, unknown people are unknown, undecidable questions are gone', async () => {
    const { scenarios, audit } = await memfail.load(options({ view: 'audited' }))
    const [easy, hard, , persona] = scenarios as [Scenario, Scenario, Scenario, Scenario]
    expect(questionsOf(easy)).toHaveLength(99)
    expect(questionsOf(hard)).toHaveLength(70)
    expect(conversationsOf(hard)).toHaveLength(100)
    for (const scenario of [easy, hard, persona]) {
      const names = scenario.facts.map(({ cues }) =>
        cues.parts.find(({ role }) => role === 'who')!.forms[0]!.toLowerCase(),
      )
      expect(new Set(names).size).toBe(names.length)
    }
    const said = conversationsOf(persona).flatMap(({ turns }) => turns.map(({ text }) => text))
    const unknown = questionsOf(persona).flatMap((question) => (question.gold.kind === 'abstain' ? [question] : []))
    expect(unknown).toHaveLength(152)
    for (const question of unknown) {
      const about = question.gold.kind === 'abstain' ? question.gold.about : ''
      expect(question.text).toContain(about)
      for (const part of about.split(' '))
        expect(said.some((text) => new RegExp(`\\b${part}\\b`).test(text))).toBe(false)
      expect(question.needs).toEqual([])
    }
    for (const fact of persona.facts) {
      const name = fact.cues.parts[0]!.forms[0]!
      expect(said.filter((text) => text.includes(name))).toHaveLength(1)
    }
    expect(audit.filter(({ action }) => action === 'dropped')).toHaveLength(1 + 30 + 5)
  })

  it('packs several facts a conversation, never two of one chain', async () => {
    const scenario = await scenarioOf('long-hop', { extra: { pack: '10', replies: 'ack' } })
    const chainOf = new Map(scenario.facts.map(({ text, id }) => [text, id.split('#')[0]]))
    for (const { turns } of conversationsOf(scenario)) {
      const chains = turns.filter(({ role }) => role === 'user').map(({ text }) => chainOf.get(text))
      expect(chains.length).toBeLessThanOrEqual(10)
      expect(new Set(chains).size).toBe(chains.length)
      expect(turns.filter(({ role }) => role === 'assistant')).toHaveLength(chains.length)
    }
    expect(conversationsOf(scenario)).toHaveLength(28)
  })
})

describe.skipIf(!here)('a damaged release (skipped when ../shared is absent)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-release-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const damage = async (task: MemfailTask, change: (text: string) => string) => {
    cpSync(release, folder, { recursive: true })
    const file = join(folder, releasePath(task))
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    return memfail.load(options({ data: folder, tasks: [task] }))
  }

  it('names the line of a quote that is never closed', () =>
    expect(damage('conditional-easy', (text) => `${text}x,"y`)).rejects.toThrow(/not well-formed CSV.*line 102/s))

  it('names the row of a quote in the wrong place', () =>
    expect(damage('coexisting', (text) => text.replace('hat styles,', 'hat "styles,'))).rejects.toThrow(
      /not well-formed CSV/,
    ))

  it('names missing and unexpected columns', () =>
    expect(damage('persona', (text) => text.replace('entity_facts', 'facts'))).rejects.toThrow(
      /without "entity_facts" and with unexpected or repeated "facts"/,
    ))

  it('names row, line and column of a truncated JSON cell', () =>
    expect(damage('coexisting', (text) => text.replace('""bucket hat""]', '""bucket hat'))).rejects.toThrow(
      /row 0 \(line 2\), column "preferences": not JSON/,
    ))

  it('names both rows of a repeated id', () =>
    expect(damage('long-hop', (text) => text.replace('longhop-1hop-002', 'longhop-1hop-001'))).rejects.toThrow(
      /row 1 .*"longhop-1hop-001" is also the id of row 0/,
    ))

  it('names a row with too few cells', () =>
    expect(damage('persona', (text) => `${text.trimEnd()}\nNobody\n`)).rejects.toThrow(
      /row 100 .*expected 3 cells, got 1/,
    ))

  it('reads a byte-order mark and CRLF line ends as if they were not there', async () => {
    for (const task of TASKS) {
      const plain = await scenarioOf(task)
      const { scenarios } = await damage(task, (text) => `\ufeff${text.replace(/\r?\n/g, '\r\n')}`)
      const texts = (scenario: Scenario) => conversationsOf(scenario).map(({ turns }) => turns[0]!.text)
      expect(texts(scenarios[0]!)).toEqual(texts(plain))
    }
  })

  it('says which file is missing', async () => {
    await expect(memfail.load(options({ data: join(folder, 'long_hop') }))).rejects.toThrow(/There is no file/)
    await expect(memfail.load(options({ data: join(folder, 'nowhere') }))).rejects.toThrow(/There is no folder/)
  })
})
