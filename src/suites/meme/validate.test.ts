import { describe, expect, it } from 'vitest'
import { DOMAINS, type DomainData, readGraph } from './graph.js'
import { validate } from './validate.js'

describe.each(DOMAINS)('the %s domain', (domain) => {
  it('has nothing the validator objects to', () => {
    expect(validate(readGraph(domain).data).map(({ path, why }) => `${path}: ${why}`)).toEqual([])
  })
})

describe('the validator', () => {
  const broken = (damage: (data: DomainData) => void): string[] => {
    const data = structuredClone(readGraph('personal-life').data)
    damage(data)
    return validate(data).map(({ path, why }) => `${path}: ${why}`)
  }
  const entity = (data: DomainData, id: string) => data.entities.find((each) => each.id === id)!

  it('sees a missing edge, a circle and a role that does not fit', () => {
    expect(broken((data) => data.edges.pop())).toContain('edges: Expected 34 edges, got 33.')
    const circle = broken((data) => {
      data.edges.find(({ target }) => target === 'commute_duration')!.source = 'commute_method'
      data.edges.find(({ target }) => target === 'commute_method')!.source = 'commute_duration'
    })
    expect(circle.join('\n')).toMatch(/circle through commute_/)
    expect(circle).toContain('entities.commute_method.role: A leaf has no children.')
  })

  it('sees a value that stands inside another value, a template or a form', () => {
    const value = (text: string) => broken((data) => entity(data, 'employer').values.push({ text }))
    const held = readGraph('personal-life').entity('employer').values[0]!.text
    expect(value(held.split(' ')[0]!.toUpperCase()).join('\n')).toMatch(/stands in/)
    expect(value('Word for word').join('\n')).toMatch(/stands in/)
    expect(value('Brandnew Osprey Ltd')).toEqual([])
  })

  it('sees doubtful, missing and common values', () => {
    const found = broken((data) => entity(data, 'hobby').values.push({ text: 'Perhaps Zibbet' }, { text: 'zibbeting' }))
    expect(found.map((each) => each.split(': ')[1])).toEqual([
      '"Perhaps Zibbet" contains "perhaps".',
      '"zibbeting" is a single common word; any text may contain it.',
    ])
  })

  it('sees a sentence without its placeholder, without a cue, and a pool that lacks a value', () => {
    const found = broken((data) => {
      entity(data, 'hobby').facts[0] = 'Something else entirely.'
      data.constraints![0]!.if.values.push('Quagga')
    })
    expect(found).toEqual([
      'entities.hobby.facts[0]: Expected {value} once, got it 0 times.',
      'constraints[0].if: "Quagga" is not a value of commute_method.',
      'entities.hobby.facts[0]: No cue of hobby is in "Something else entirely.".',
    ])
  })
})
