import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DOMAINS, readGraph } from './graph.js'
import { type Change, explain, factsOf, type Solution, solve, type World } from './solver.js'

const world = (change: Partial<World> = {}): World => ({
  before: { firm: 'Alder', office: 'North', gym: 'Oak Hall', title: 'baker', cat: 'Mungo' },
  dependencies: [
    { entity: 'office', parent: 'firm', fact: 'dep:office' },
    { entity: 'gym', parent: 'office', fact: 'dep:gym' },
    { entity: 'title', parent: 'firm', fact: 'dep:title' },
  ],
  rules: [
    { entity: 'office', parent: 'firm', value: 'South', fact: 'rule:office' },
    { entity: 'gym', parent: 'office', value: 'Elm Hall', fact: 'rule:gym' },
  ],
  changes: [{ entity: 'firm', value: 'Birch', fact: 'change:firm' }],
  deletions: [],
  ...change,
})
const outcome = (change: Partial<World> = {}): Record<string, unknown> =>
  Object.fromEntries([...solve(world(change)).states].map(([id, { why, ...state }]) => [id, state]))

describe('the solver', () => {
  it('follows rules down the chain, doubts what has none and leaves the rest alone', () => {
    expect(outcome()).toEqual({
      firm: { kind: 'value', value: 'Birch', previously: 'Alder' },
      office: { kind: 'value', value: 'South', previously: 'North' },
      gym: { kind: 'value', value: 'Elm Hall', previously: 'Oak Hall' },
      title: { kind: 'unknown', previously: 'baker', doubt: 'no-rule' },
      cat: { kind: 'unchanged', value: 'Mungo' },
    })
    const { states } = solve(world())
    expect(factsOf(states.get('gym')!.why)).toEqual(['change:firm', 'rule:office', 'rule:gym'])
    expect(factsOf(states.get('title')!.why)).toEqual(['change:firm', 'dep:title'])
    expect(explain(states.get('title')!.why)).toBe(
      'Firm changed from "Alder" to "Birch"; title depends on firm and no rule says what it becomes.',
    )
  })

  it('moves nothing below a middle whose rule gives the value it has', () => {
    const rules = [{ entity: 'office', parent: 'firm', value: 'North' }, world().rules[1]!]
    expect(outcome({ rules })).toMatchObject({
      office: { kind: 'unchanged', value: 'North' },
      gym: { kind: 'unchanged', value: 'Oak Hall' },
    })
    const { states, notes } = solve(world({ rules }))
    expect(explain(states.get('gym')!.why)).toContain('office is what it was')
    expect(notes.map(({ kind }) => kind)).toEqual(['same-value'])
  })

  it('fires a conditioned rule on its value only, and doubts the entity otherwise', () => {
    const given = (when: string) =>
      outcome({ rules: [{ entity: 'office', parent: 'firm', value: 'South', when }, world().rules[1]!] })
    expect(given('Birch')).toMatchObject({ office: { value: 'South' }, gym: { value: 'Elm Hall' } })
    expect(given('Cedar')).toMatchObject({
      office: { kind: 'unknown', doubt: 'no-rule' },
      gym: { kind: 'unknown', doubt: 'unknown-parent' },
    })
    const alone = outcome({
      dependencies: [],
      rules: [{ entity: 'office', parent: 'firm', value: 'South', when: 'Cedar' }],
    })
    expect(alone.office).toEqual({ kind: 'unchanged', value: 'North' })
  })

  it('takes a rule that says "deleted" for a change without a value, and says so', () => {
    const rules = [{ entity: 'office', parent: 'firm', value: 'deleted' }, world().rules[1]!]
    const { states, notes } = solve(world({ rules, nullLike: new Set(['Elm Hall']) }))
    expect(states.get('office')).toMatchObject({ kind: 'deleted', previously: 'North', by: 'rule' })
    expect(states.get('gym')).toMatchObject({ kind: 'value', value: 'Elm Hall' })
    expect(notes.map(({ kind, entity }) => [kind, entity])).toEqual([
      ['literal-deleted', 'office'],
      ['null-like-value', 'gym'],
    ])
  })

  it('hides what was deleted and still propagates through it', () => {
    const deletions = [{ entity: 'office', fact: 'delete:office' }]
    expect(outcome({ deletions })).toMatchObject({
      office: { kind: 'deleted', by: 'request' },
      gym: { kind: 'value', value: 'Elm Hall' },
    })
  })

  it('does not choose between rules that disagree', () => {
    const rules = [...world().rules, { entity: 'gym', parent: 'firm', value: 'Ash Hall' }]
    expect(outcome({ rules }).gym).toEqual({ kind: 'unknown', previously: 'Oak Hall', doubt: 'rules-disagree' })
  })

  it('tells a change there and back from one that was taken back', () => {
    const back: Change[] = [...world().changes, { entity: 'firm', value: 'Alder' }]
    expect(outcome({ changes: back })).toMatchObject({ firm: { value: 'Alder' }, title: { kind: 'unknown' } })
    const revoked: Change[] = [{ ...world().changes[0]!, status: 'revoked' }]
    expect(outcome({ changes: revoked })).toMatchObject({ firm: { kind: 'unchanged' }, title: { kind: 'unchanged' } })
    expect(factsOf(solve(world({ changes: revoked })).states.get('gym')!.why)).toEqual(['change:firm'])
  })

  it('refuses a circle', () => {
    const dependencies = [...world().dependencies, { entity: 'office', parent: 'gym' }]
    expect(() => solve(world({ dependencies }))).toThrow(/without a circle, got one through/)
  })
})

/** Random worlds on our own graphs: any subset of edges declared, with and without rules. */
const someWorld = fc
  .record({
    domain: fc.constantFrom(...DOMAINS),
    picks: fc.array(fc.nat({ max: 5 }), { minLength: 34, maxLength: 34 }),
    values: fc.array(fc.nat({ max: 7 }), { minLength: 120, maxLength: 120 }),
  })
  .map(({ domain, picks, values }): World => {
    const { entities, edges } = readGraph(domain).data
    const pool = new Map(entities.map((each) => [each.id, each.values.map(({ text }) => text)]))
    const said = edges.flatMap((edge, i) => (picks[i]! > 0 ? [{ ...edge, pick: picks[i]!, i }] : []))
    return {
      before: Object.fromEntries(entities.map(({ id }, i) => [id, pool.get(id)![values[i]!]!])),
      dependencies: said
        .filter(({ pick }) => pick < 5)
        .map(({ source, target }) => ({ entity: target, parent: source })),
      rules: said
        .filter(({ pick }) => pick > 2)
        .map(({ source, target, pick, i }) => ({
          entity: target,
          parent: source,
          value: pool.get(target)![values[60 + i]!]!,
          ...(pick === 3 ? { when: pool.get(source)![values[i]!]! } : {}),
        })),
      changes: entities
        .filter(({ role }) => role === 'root')
        .map(({ id }, i) => ({ entity: id, value: pool.get(id)![values[100 + i]!]! })),
      deletions: [],
    }
  })
const bare = ({ states }: Solution) => [...states].map(([id, { why, ...state }]) => [id, state])
const below = ({ dependencies, rules }: World, root: string): Set<string> => {
  const found = new Set([root])
  for (const id of found) for (const each of [...dependencies, ...rules]) if (each.parent === id) found.add(each.entity)
  return found
}

describe('the solver on random worlds', () => {
  it('leaves everything unchanged without a change, and with changes that did not happen', () => {
    fc.assert(
      fc.property(someWorld, fc.constantFrom('revoked' as const, 'considered' as const), (given, status) => {
        const still = bare(solve({ ...given, changes: [] }))
        expect(still.every(([, state]) => (state as { kind: string }).kind === 'unchanged')).toBe(true)
        const never = given.changes.map((change) => ({ ...change, status }))
        expect(bare(solve({ ...given, changes: never }))).toEqual(still)
      }),
      { seed: 7, numRuns: 100 },
    )
  })

  it('gives the same result for a revoked change and for none, whatever else happens', () => {
    fc.assert(
      fc.property(someWorld, fc.nat({ max: 4 }), (given, which) => {
        const without = given.changes.filter((_, i) => i !== which)
        const revoked = given.changes.map((change, i) =>
          i === which ? { ...change, status: 'revoked' as const } : change,
        )
        expect(bare(solve({ ...given, changes: revoked }))).toEqual(bare(solve({ ...given, changes: without })))
      }),
      { seed: 7, numRuns: 100 },
    )
  })

  it('does not care for the order of changes that share no dependent', () => {
    fc.assert(
      fc.property(someWorld, fc.nat({ max: 4 }), fc.nat({ max: 4 }), (given, a, b) => {
        const [first, second] = [given.changes[a]!, given.changes[b]!]
        const shared = below(given, second.entity)
        fc.pre([...below(given, first.entity)].every((id) => !shared.has(id)))
        expect(bare(solve({ ...given, changes: [first, second] }))).toEqual(
          bare(solve({ ...given, changes: [second, first] })),
        )
      }),
      { seed: 7, numRuns: 100 },
    )
  })

  it('touches nothing outside the reach of a change, and a doubted or new value always comes with the change', () => {
    fc.assert(
      fc.property(someWorld, fc.nat({ max: 4 }), (given, which) => {
        const change = given.changes[which]!
        const reach = below(given, change.entity)
        for (const [id, state] of solve({ ...given, changes: [change] }).states) {
          if (!reach.has(id)) expect(state).toEqual({ kind: 'unchanged', value: given.before[id], why: [] })
          if (state.kind !== 'unchanged') expect(state.why[0]!.kind).toBe('change')
        }
      }),
      { seed: 7, numRuns: 100 },
    )
  })
})
