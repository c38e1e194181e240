import { describe, expect, it } from 'vitest'
import { readGraph } from './graph.js'

describe('a graph', () => {
  const graph = readGraph('personal-life')
  const ends = (list: readonly { target: string }[] | undefined) => list?.map(({ target }) => target)

  it('finds the shortest chain between two entities', () => {
    expect(ends(graph.path('employer', 'commute_method'))).toEqual(['work_location', 'commute_method'])
    expect(ends(graph.path('relationship_status', 'housing_type'))).toEqual(['housing_type'])
    expect(graph.path('school', 'school')).toEqual([])
    expect(graph.path('commute_method', 'school')).toBeUndefined()
  })

  it('knows what stands below an entity and how deep it is', () => {
    expect(graph.descendants('health_condition').get('fitness_facility')).toBe(2)
    expect(graph.descendants('hobby').size).toBe(0)
    expect([graph.depth('employer'), graph.depth('work_location'), graph.depth('commute_method')]).toEqual([0, 1, 2])
  })

  it('names an entity it does not have', () => {
    expect(() => graph.entity('yacht')).toThrow('Expected an entity of personal-life, got "yacht"')
  })
})
