import { expect, it } from 'vitest'
import { recordsOf } from './record.js'
import { simulate } from './simulate/index.js'
import { finalState } from './state.js'
import { tellSessions } from './talk/talk.js'
import type { LifeState } from './trace.js'

it('tells the memory before and after every session without a gap, up to the end', () => {
  const trace = simulate({ persona: 'software_engineer', days: 9, seed: 3 })
  const records = [...recordsOf(trace, [...tellSessions(trace, 3)])]
  expect(records.map(({ session }) => session)).toEqual(trace.sessions.map(({ number }) => number))
  const memory: Partial<LifeState> = {}
  for (const { before, after, operation } of records) {
    expect(Object.keys(after).length).toBe(operation === null ? 0 : 1)
    for (const [part, held] of Object.entries(before)) expect(held).toEqual(memory[part as keyof LifeState] ?? [])
    Object.assign(memory, after)
  }
  expect(memory).toEqual(finalState(trace))
})
