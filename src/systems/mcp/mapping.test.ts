import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UserError } from '../../base/errors.js'
import type { Memory } from '../../model/index.js'
import { fill, type Memories, passesTime, presetOf, readMapping, requireTools } from './mapping.js'
import { memoriesIn } from './results.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-mapping-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(mapping: unknown) {
  writeFileSync(join(folder, 'mapping.json'), typeof mapping === 'string' ? mapping : JSON.stringify(mapping))
  return readMapping('mapping.json', folder)
}

describe('a mapping', () => {
  it('is what docs/mcp.md shows, and the preset is the same but for words', () => {
    const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
    const shown = read(/<!-- example -->\n```json\n([\s\S]*?)```/.exec(page)![1]!)
    const { each, ...find } = shown.find!
    expect(each).toBe('word')
    expect({ ...shown, find }).toEqual(presetOf('memory-server', 'mapped'))
    expect(presetOf('toString', 'mapped')).toBeUndefined()
  })

  it.each<[string, unknown, RegExp]>([
    ['is no JSON', '{', /is not JSON/],
    ['has a part nobody knows', { stores: [] }, /Unrecognized key: "stores"/],
    ['has a place nobody fills', { store: [{ tool: 'a', arguments: { x: ['{txt}'] } }] }, /no place in "store" "txt"/],
    [
      'stores the role of no turn',
      { store: [{ tool: 'a', arguments: { x: '{role}' } }] },
      /no place in "store" "role"/,
    ],
    ['finds with what is only told when storing', { find: { tool: 'a', arguments: { x: '{text}' } } }, /"find" "text"/],
  ])('that %s is refused', (_, mapping, words) => {
    expect(() => read(mapping)).toThrow(UserError)
    expect(() => read(mapping)).toThrow(words)
  })

  it('names tools that are there', () => {
    const mapping = read({ store: [{ tool: 'rember' }], reads: ['recall'] })
    const tools = ['remember', 'recall'].map((name) => ({ name, inputSchema: {} }))
    expect(() => requireTools(mapping, tools)).toThrow(/no tool of this server "rember"/)
    expect(() => requireTools({ ...mapping, store: [] }, tools)).not.toThrow()
  })

  it('tells the time when it stores, or does not', () => {
    const call = (text: string) => [{ tool: 'a', arguments: { x: text } }]
    expect(passesTime(read({ store: call('{text}') }))).toBe(false)
    expect(passesTime(read({ store: call('{text}'), turn: '{day} {text}' }))).toBe(true)
    expect(passesTime(read({ store: call('{time} {text}') }))).toBe(true)
    expect(passesTime(read({ store: call('{conversation}'), turn: '{day} {text}' }))).toBe(false)
  })

  it('fills a whole text with what it stands for, and reads what was filled in no more', () => {
    const values = { k: 5, turns: ['a {k}', 'b'], text: 'c {k}' }
    expect(fill({ a: '{k}', b: ['{turns}', 'x {text} {other}'], c: true, d: '{other}' }, values)).toEqual({
      a: 5,
      b: [['a {k}', 'b'], 'x c {k} {other}'],
      c: true,
      d: '{other}',
    })
  })

  it('takes texts apart at one letter or more', () => {
    const shape = (split: string) => ({ memories: { at: '*', split } })
    expect(read(shape('\n')).memories).toEqual([{ at: '*', split: '\n' }])
    expect(() => read(shape(''))).toThrow('cannot be used')
  })
})

describe('a result', () => {
  const read = (data: unknown, shapes: Memories[], known: string[] = []) =>
    memoriesIn({ tool: 'recall', data, texts: ['one', ' ', 'two'] }, shapes, new Set(known))
  const texts = (memories: Memory[]) => memories.map(({ text }) => text)

  it('gives memories with what stands around them, and only conversations as sources', () => {
    const graph = { entities: ['c1', 'Ines'].map((name) => ({ name, observations: [`says ${name}`] })) }
    const shape = { at: 'entities.*.observations.*', text: '{^name}: {}', source: '{^name}' }
    expect(read(graph, [shape], ['c1'])).toEqual([
      { id: expect.stringMatching(/^t-[0-9a-f]{16}$/), text: 'c1: says c1', sources: ['c1'] },
      { id: expect.any(String), text: 'Ines: says Ines' },
    ])
  })

  it('is linked by text where it has no ids, the same text by how often it was said', () => {
    const [first, second, third] = read(['a', 'b', 'a'], [{ at: '*' }])
    expect(third!.id).toBe(`${first!.id}-2`)
    expect(read(['b'], [{ at: '*' }])).toEqual([second])
  })

  it('is best first where it has scores, and leaves out what is no time', () => {
    const hits = [
      { m: { id: 7, t: 'low' }, s: 0.1, at: 'yesterday' },
      { m: { id: 8, t: 'high' }, s: '0.9', at: '2024-01-01T00:00:00Z' },
    ]
    const shape = { at: 'hits.*', text: '{m.t}', id: '{m.id}', score: '{s}', time: '{at}' }
    expect(read({ hits }, [shape])).toEqual([
      { id: '8', text: 'high', score: 0.9, time: '2024-01-01T00:00:00Z' },
      { id: '7', text: 'low', score: 0.1 },
    ])
  })

  it('is its texts where nothing is said, and lines where it is taken apart', () => {
    expect(texts(read({ any: 'thing' }, []))).toEqual(['one', 'two'])
    expect(texts(read(['- a\n- b\n\n'], [{ at: '*', split: '\n' }]))).toEqual(['- a', '- b'])
  })

  it('of another shape is an error that says so', () => {
    expect(() => read({ hits: [] }, [{ at: 'entities.*' }])).toThrow(
      'recall gave no "entities" where "entities.*" says: an object with hits',
    )
    expect(() => read({ entities: 5 }, [{ at: 'entities.*' }])).toThrow(
      'recall gave no list where "entities.*" says: number',
    )
    expect(() => read({ entities: null }, [{ at: 'entities.all' }])).toThrow(
      'recall gave no "all" where "entities.all" says: null',
    )
    const many = Object.fromEntries([...'abcdefghi'].map((name) => [name, 1]))
    expect(() => read(many, [{ at: 'j' }])).toThrow(/an object with a, b, c, d, e, f, g, h$/)
  })

  it('has nothing where a field is not there, or is in what has no fields', () => {
    const items = [{ a: null, b: { c: null }, d: 'text' }]
    const shape = { at: '*', text: 'x{a}{none}{a.b}{b.c.e}{d.length}{b.c}' }
    expect(texts(read(items, [shape]))).toEqual(['x'])
  })

  it('without a score stands where 0 does', () => {
    const hits = [['none'], ['low', -0.5], ['high', 0.5], ['none either'], ['middle', 0.2]]
    const list = hits.map(([text, score]) => ({ text, ...(score !== undefined && { score }) }))
    expect(texts(read(list, [{ at: '*', score: '{score}' }]))).toEqual(['high', 'middle', 'none', 'none either', 'low'])
  })
})
