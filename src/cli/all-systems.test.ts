import { describe, expect, it } from 'vitest'
import { systems } from '../systems/registry.js'
import { leftOut, systemsFrom } from './all-systems.js'

const names = systems.map(({ name }) => name)

describe('--system all', () => {
  it('is every built-in system when there is a model', () => {
    expect(systemsFrom(['all'], ['openai:x'])).toEqual(names)
    expect(leftOut(['all'], ['openai:x'])).toBeNull()
  })

  it('leaves out systems with a model inside when there is none, and says which', () => {
    expect(systemsFrom(['all', './mine.ts', 'bm25'], [])).toEqual([
      ...systems.filter(({ needs }) => !needs?.llm).map(({ name }) => name),
      './mine.ts',
    ])
    expect(leftOut(['all'], [])).toContain('mem0-v1, mem0-v2')
    expect(leftOut(['bm25'], [])).toBeNull()
  })
})
