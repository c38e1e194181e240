import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../../../../test/base/cpu-time.js'
import { Random } from '../../../base/random.js'
import { DOCUMENT_FIELDS, PERSONAS, readSeed, SEED_KINDS, SINGLE_FIELDS } from '../seed.js'
import { finalState, replay } from '../state.js'
import type { LifeTrace, Operation } from '../trace.js'
import { violations } from '../violations.js'
import { simulate } from './index.js'
import { KNOBS, timelineOf } from './knobs.js'
import { schedule } from './schedule.js'

const lengths = [1, 7, 10, 28, 60, 92]

describe('a simulated life', () => {
  it('never does what cannot be done', () => {
    for (let seed = 0; seed < 6; seed++) {
      for (const persona of PERSONAS) {
        const trace = simulate({ persona, days: lengths[seed % lengths.length]!, seed })
        expect(violations(trace), `${persona}, seed ${seed}`).toEqual([])
      }
    }
  })

  it('is the same for the same seed, and another for another seed, persona or length', () => {
    const base = { persona: 'content_writer', days: 7, seed: 3 } as const
    const text = (options: Parameters<typeof simulate>[0]) => JSON.stringify(simulate(options).sessions)
    expect(text(base)).toBe(text(base))
    for (const other of [{ seed: 4 }, { persona: 'sales_manager' }, { days: 8 }] as const) {
      expect(text({ ...base, ...other })).not.toBe(text(base))
    }
  })

  it('takes ten quarters in seconds', async () => {
    const spent = await cpuMsOf(() => {
      for (const persona of PERSONAS) simulate({ persona, days: 90, seed: 11 })
    })
    expect(spent).toBeLessThan(20_000)
  })

  it('has the settings of the nearest duration and refuses a length that is none', () => {
    expect([1, 10, 11, 45, 46, 365].map(timelineOf)).toEqual([
      'weekly',
      'weekly',
      'monthly',
      'monthly',
      'quarterly',
      'quarterly',
    ])
    expect(() => simulate({ persona: 'content_writer', days: 0, seed: 1 })).toThrow('whole number of days')
  })

  it('crowds the quota of a week into a short last one', () => {
    const lives = PERSONAS.map((persona) => simulate({ persona, days: 92, seed: 2 }))
    const last = lives.flatMap(({ sessions, end }) => sessions.filter(({ day }) => day === end))
    expect(lives[0]!.end).toBe('2025-08-31')
    // 82.6 in the published data, 21 on other days
    expect(last.length / lives.length).toBeGreaterThan(74)
    expect(last.length / lives.length).toBeLessThan(91)
  })
})

describe('documents', () => {
  const quarter = simulate({ persona: 'startup_founder', days: 92, seed: 1 })

  it('are begun with required fields and come to be complete, as many as the pool holds', () => {
    const ends = [7, 28, 92].map(
      (days) => finalState(simulate({ persona: 'startup_founder', days, seed: 1 })).documents,
    )
    expect(ends.map((documents) => documents.filter(({ kind }) => kind === 'email').length)).toEqual([2, 6, 10])
    expect(ends[2]!.every(({ completed }) => completed)).toBe(true)
    for (const { operation } of quarter.sessions) {
      if (operation?.of !== 'document' || operation.act !== 'add') continue
      const { required, optional } = DOCUMENT_FIELDS[SEED_KINDS[operation.kind]]
      const told = Object.keys(operation.fields)
      expect(told).toEqual(expect.arrayContaining([...required]))
      expect(told.length).toBe(required.length + Math.floor(optional.length / 2))
    }
  })

  it('hold one value or several where the state expects it', () => {
    for (const persona of PERSONAS) {
      for (const { fields } of Object.values(readSeed().documents[persona]).flat()) {
        const single = Object.entries(fields).filter(([, value]) => typeof value === 'string')
        const lists = Object.entries(fields).filter(([, value]) => Array.isArray(value))
        expect(single.every(([field]) => SINGLE_FIELDS.has(field))).toBe(true)
        expect(lists.some(([field]) => SINGLE_FIELDS.has(field))).toBe(false)
      }
    }
  })

  it('go back to a budget that was said before', () => {
    const states = replay(quarter)
    let reverts = 0
    for (const { operation, number } of quarter.sessions) {
      if (operation?.of !== 'document' || operation.act === 'add') continue
      for (const revision of operation.revisions) {
        if (revision.change !== 'reverted') continue
        const before = states.slice(0, number - 1).flatMap(({ documents }) => documents)
        const budgets = before.filter(({ id }) => id === operation.document).map(({ fields }) => fields.budget)
        expect(budgets).toContain(revision.to)
        reverts++
      }
    }
    expect(reverts).toBeGreaterThan(0)
  })
})

describe('the calendar', () => {
  it('moves events to later than the day of the session, counted from it', () => {
    const moves = PERSONAS.flatMap((persona) => simulate({ persona, days: 92, seed: 4 }).sessions).flatMap(
      ({ day, operation }) =>
        operation?.of === 'calendar' && operation.act === 'update'
          ? [(Date.parse(operation.day) - Date.parse(day)) / 86_400_000]
          : [],
    )
    expect(moves.length).toBeGreaterThan(20)
    expect(Math.min(...moves)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...moves)).toBeLessThanOrEqual(30)
  })
})

describe('events of work', () => {
  it('fall on days of work, however they came there', () => {
    const days = PERSONAS.flatMap((persona) => simulate({ persona, days: 92, seed: 4 }).sessions).flatMap(
      ({ operation }) => (operation?.of === 'calendar' && operation.kind === 'work' ? [operation.day] : []),
    )
    expect(days.length).toBeGreaterThan(40)
    expect(days.filter((day) => [0, 6].includes(new Date(day).getUTCDay()))).toEqual([])
  })
})

describe('the mix of operations', () => {
  it('is right in every single life of a quarter, not only on average', () => {
    for (const persona of PERSONAS) {
      const acts = schedule(new Random(persona), '2025-06-01', 92, KNOBS.quarterly).flatMap(({ purpose }) =>
        purpose.of === 'taste' && purpose.domain === 'books' ? [purpose.act] : [],
      )
      const share = (act: string) => acts.filter((one) => one === act).length / acts.length
      expect(Math.abs(share('add') - 0.4)).toBeLessThan(0.03)
      expect(Math.abs(share('update') - 0.3)).toBeLessThan(0.03)
    }
  })
})

describe('drift', () => {
  it('is made of flips and replacements in the share asked for', () => {
    expect(acts({ flips: 1 }).replace).toBe(0)
    const { flip, replace } = acts({ flips: 0 })
    expect(flip / (flip + replace)).toBeLessThan(0.2)
  })

  it('comes back to what was before only as often as asked', () => {
    expect(acts({ reversals: 0.9 }).returns).toBeGreaterThan(3 * acts({ reversals: 0 }).returns)
  })

  function acts(drift: { flips?: number; reversals?: number }) {
    const counts = { flip: 0, replace: 0, returns: 0 }
    for (const persona of PERSONAS) {
      const trace = simulate({ persona, days: 28, seed: 1, drift })
      counts.returns += returns(trace)
      for (const { operation } of trace.sessions) {
        if (operation?.act === 'flip' || operation?.act === 'replace') counts[operation.act]++
      }
    }
    return counts
  }

  /** Replacements that put back the very item which the replaced one had ousted. */
  function returns(trace: LifeTrace): number {
    const replaced = trace.sessions.map(({ operation }) => operation).filter(isReplacement)
    return replaced.filter(({ item, old }, index) =>
      replaced.slice(0, index).some((earlier) => earlier.item === old && earlier.old === item),
    ).length
  }
})

function isReplacement(operation: Operation | null): operation is Extract<Operation, { act: 'replace' }> {
  return operation?.act === 'replace'
}
